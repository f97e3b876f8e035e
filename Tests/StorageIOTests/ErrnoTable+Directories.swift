import CSystem
import RawMemory

@testable import StorageIO

extension ErrnoRow {
  static let directoryCalls: [ErrnoRow] = {
    let make: Action = { calls throws(SystemError) in "\(try scriptedDirectory(calls).make())" }
    let forced: Action = { calls throws(SystemError) in "\(try scriptedDirectory(calls, forcesModes: true).make())" }
    let remove: Action = { calls throws(SystemError) in
      try scriptedDirectory(calls).remove("a")
      return "removed"
    }
    let list: Action = { calls throws(SystemError) in
      try scriptedDirectory(calls).forEachName { _ in }
      return "listed"
    }
    let rename: Action = { calls throws(SystemError) in
      try scriptedDirectory(calls).rename(from: "a", to: "b")
      return "renamed"
    }
    return [
      ErrnoRow("rename", .rename, [interrupted, 0], .value("renamed"), calls: 2, rename),
      ErrnoRow("rename", .rename, [-Int(ENOENT)], .failure(.rename, ENOENT), calls: 1, rename),
      ErrnoRow("rename", .rename, [-Int(ENOSPC)], .failure(.rename, ENOSPC), calls: 1, rename),
      ErrnoRow("make", .makeDirectory, [interrupted, 0], .value("true"), calls: 2, make),
      ErrnoRow("make", .makeDirectory, [-Int(EEXIST)], .value("false"), calls: 1, make),
      ErrnoRow("make", .makeDirectory, [-Int(EACCES)], .failure(.makeDirectory, EACCES), calls: 1, make),
      ErrnoRow("mode", .changeMode, [0], .value("true"), calls: 1, forced),
      ErrnoRow("mode", .changeMode, [-Int(EPERM)], .failure(.changeMode, EPERM), calls: 1, forced),
      ErrnoRow("remove", .unlink, [interrupted, 0], .value("removed"), calls: 2, remove),
      ErrnoRow("remove", .unlink, [-Int(ENOENT)], .value("removed"), calls: 1, remove),
      ErrnoRow("remove", .unlink, [-Int(EROFS)], .failure(.unlink, EROFS), calls: 1, remove),
      ErrnoRow("list", .list, [interrupted, 0], .value("listed"), calls: 2, list),
      ErrnoRow("list", .list, [-Int(ENOENT)], .failure(.list, ENOENT), calls: 1, list),
    ]
  }()

  static let wholeFiles: [ErrnoRow] = {
    let make: Action = { calls throws(SystemError) in
      let file = try scriptedDirectory(calls, forcesModes: true).makeWhole("a", random: 1) { (_) throws(SystemError) in }
      return file == nil ? "nil" : "file"
    }
    return [
      ErrnoRow("whole", .link, [interrupted, 0], .value("file"), calls: 2, make),
      ErrnoRow("lost race", .link, [-Int(EEXIST)], .value("nil"), calls: 1, make),
      ErrnoRow("taken for litter", .link, [-Int(ENOENT)], .value("nil"), calls: 1, make),
      ErrnoRow("whole", .link, [-Int(EPERM)], .failure(.link, EPERM), calls: 1, make),
      // The temporary name goes away once, whatever happens.
      ErrnoRow("whole", .unlink, [0], .value("file"), calls: 1, make),
      ErrnoRow("gone already", .unlink, [-Int(ENOENT)], .value("file"), calls: 1, make),
      ErrnoRow("mode", .changeMode, [-Int(EPERM)], .failure(.changeMode, EPERM), calls: 1, make),
      ErrnoRow("locked by a cleaner", .lock, [-Int(EWOULDBLOCK)], .value("nil"), calls: 1, make),
      ErrnoRow("no room", .open, [-Int(ENOSPC)], .failure(.open, ENOSPC), calls: 1, make),
    ]
  }()
}
