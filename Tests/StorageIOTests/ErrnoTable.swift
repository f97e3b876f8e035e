import CSystem
import RawMemory
import Testing

@testable import StorageIO

/// What a wrapper must make of what its call returns.
struct ErrnoRow: Sendable, CustomTestStringConvertible {
  enum Outcome: Equatable, Sendable {
    case value(String)
    case failure(SystemCall, Int32)
  }
  let name: String
  let call: SystemCall
  let results: [Int]
  let outcome: Outcome
  /// How often the call is made then.
  let callCount: Int
  let action: @Sendable (ScriptedCalls) throws(SystemError) -> String

  var testDescription: String { "\(name): \(call.name) \(results)" }

  init(
    _ name: String, _ call: SystemCall, _ results: [Int], _ outcome: Outcome, calls: Int,
    _ action: @escaping @Sendable (ScriptedCalls) throws(SystemError) -> String
  ) {
    self.name = name
    self.call = call
    self.results = results
    self.outcome = outcome
    callCount = calls
    self.action = action
  }
}

let interrupted = -Int(EINTR)

func scriptedFile(_ calls: ScriptedCalls) throws(SystemError) -> StorageFile {
  try StorageFile(calls, path: "/f", flags: O_RDWR)
}
func scriptedDirectory(_ calls: ScriptedCalls, forcesModes: Bool = false) -> StorageDirectory {
  StorageDirectory(calls, path: "/d", fileMode: 0o600, directoryMode: 0o700, forcesModes: forcesModes)
}

extension ErrnoRow {
  typealias Action = @Sendable (ScriptedCalls) throws(SystemError) -> String

  static var all: [ErrnoRow] { opening + transfers + syncs + fileCalls + locks + directoryCalls + wholeFiles }

  static let opening: [ErrnoRow] = {
    let open: Action = { calls throws(SystemError) in "\(try scriptedFile(calls).descriptor)" }
    return [
      ErrnoRow("open", .open, [interrupted, interrupted, 7], .value("7"), calls: 3, open),
      ErrnoRow("open", .open, [-Int(ENOENT)], .failure(.open, ENOENT), calls: 1, open),
      ErrnoRow("open", .open, [-Int(EMFILE)], .failure(.open, EMFILE), calls: 1, open),
      // The descriptor is gone after EINTR: closing again could close another thread's file.
      ErrnoRow("close", .close, [interrupted], .value("1000000"), calls: 1, open),
      ErrnoRow("close", .close, [-Int(EIO)], .value("1000000"), calls: 1, open),
    ]
  }()

  static let transfers: [ErrnoRow] = {
    let read: Action = { calls throws(SystemError) in "\(try scriptedFile(calls).read(ByteBuffer(count: 8), 0..<8, at: 100))" }
    let write: Action = { calls throws(SystemError) in
      try scriptedFile(calls).write(ByteBuffer(count: 8), 0..<8, at: 100)
      return "written"
    }
    let nothing: Action = { calls throws(SystemError) in
      try scriptedFile(calls).write(ByteBuffer(count: 8), 4..<4, at: 100)
      return "written"
    }
    return [
      ErrnoRow("read", .read, [8], .value("8"), calls: 1, read),
      ErrnoRow("short read", .read, [3, interrupted, 4, 1], .value("8"), calls: 4, read),
      ErrnoRow("read to the end", .read, [3, 0], .value("3"), calls: 2, read),
      ErrnoRow("read", .read, [3, -Int(EIO)], .failure(.read, EIO), calls: 2, read),
      ErrnoRow("read", .read, [-Int(EBADF)], .failure(.read, EBADF), calls: 1, read),
      ErrnoRow("write", .write, [8], .value("written"), calls: 1, write),
      ErrnoRow("short write", .write, [3, interrupted, 4, 1], .value("written"), calls: 4, write),
      ErrnoRow("write of nothing", .write, [0], .failure(.write, ENOSPC), calls: 1, write),
      ErrnoRow("write of nothing more", .write, [5, 0], .failure(.write, ENOSPC), calls: 2, write),
      ErrnoRow("write", .write, [5, -Int(ENOSPC)], .failure(.write, ENOSPC), calls: 2, write),
      ErrnoRow("write", .write, [5, -Int(EFBIG)], .failure(.write, EFBIG), calls: 2, write),
      ErrnoRow("write", .write, [-Int(EIO)], .failure(.write, EIO), calls: 1, write),
      ErrnoRow("write", .write, [-Int(EDQUOT)], .failure(.write, EDQUOT), calls: 1, write),
      ErrnoRow("empty write", .write, [], .value("written"), calls: 0, nothing),
    ]
  }()

  static let syncs: [ErrnoRow] = {
    let data: Action = { calls throws(SystemError) in
      try scriptedFile(calls).synchronizeData()
      return "synced"
    }
    let all: Action = { calls throws(SystemError) in
      try scriptedFile(calls).synchronize()
      return "synced"
    }
    let names: Action = { calls throws(SystemError) in
      try scriptedDirectory(calls).synchronize()
      return "synced"
    }
    var rows: [ErrnoRow] = []
    for (name, call, action) in [
      ("file data", SystemCall.synchronizeData, data), ("file", .synchronize, all), ("directory", .synchronize, names),
    ] {
      rows.append(ErrnoRow(name, call, [0], .value("synced"), calls: 1, action))
      rows.append(ErrnoRow(name, call, [interrupted, 0], .value("synced"), calls: 2, action))
      // A second one would succeed and have written nothing.
      for code in [EIO, ENOSPC, EDQUOT, EROFS] {
        rows.append(ErrnoRow(name, call, [-Int(code), 0], .failure(call, code), calls: 1, action))
      }
    }
    rows.append(ErrnoRow("directory", .open, [-Int(ENOTDIR)], .failure(.open, ENOTDIR), calls: 1, names))
    rows.append(ErrnoRow("directory is closed", .close, [interrupted], .value("synced"), calls: 1, names))
    return rows
  }()

  static let fileCalls: [ErrnoRow] = {
    let allocate: Action = { calls throws(SystemError) in
      try scriptedFile(calls).allocate(0..<4096)
      return "allocated"
    }
    let status: Action = { calls throws(SystemError) in "\(try scriptedFile(calls).status().inode)" }
    let map: Action = { calls throws(SystemError) in "\(try scriptedFile(calls).map(offset: 0, count: 4096, writable: true).count)"
    }
    let truncate: Action = { calls throws(SystemError) in
      try scriptedFile(calls).truncate(to: 4096)
      return "cut"
    }
    let memory: Action = { calls throws(SystemError) in "\(try StorageFile(inMemory: calls).descriptor)" }
    return [
      ErrnoRow("truncate", .truncate, [interrupted, 0], .value("cut"), calls: 2, truncate),
      ErrnoRow("truncate", .truncate, [-Int(EIO)], .failure(.truncate, EIO), calls: 1, truncate),
      ErrnoRow("truncate", .truncate, [-Int(EFBIG)], .failure(.truncate, EFBIG), calls: 1, truncate),
      ErrnoRow("memory file", .memoryFile, [-Int(EMFILE)], .failure(.memoryFile, EMFILE), calls: 1, memory),
      ErrnoRow("memory file", .memoryFile, [-Int(ENOSYS)], .failure(.memoryFile, ENOSYS), calls: 1, memory),
      ErrnoRow("allocate", .allocate, [interrupted, 0], .value("allocated"), calls: 2, allocate),
      ErrnoRow("allocate", .allocate, [-Int(ENOSPC)], .failure(.allocate, ENOSPC), calls: 1, allocate),
      ErrnoRow("allocate", .allocate, [-Int(EFBIG)], .failure(.allocate, EFBIG), calls: 1, allocate),
      ErrnoRow("allocate", .allocate, [-Int(EOPNOTSUPP)], .failure(.allocate, EOPNOTSUPP), calls: 1, allocate),
      ErrnoRow("status", .status, [0], .value("2"), calls: 1, status),
      ErrnoRow("status", .status, [-Int(EIO)], .failure(.status, EIO), calls: 1, status),
      ErrnoRow("map", .map, [0], .value("4096"), calls: 1, map),
      ErrnoRow("map", .map, [-Int(ENOMEM)], .failure(.map, ENOMEM), calls: 1, map),
      ErrnoRow("map", .map, [-Int(EAGAIN)], .failure(.map, EAGAIN), calls: 1, map),
    ]
  }()

  static let locks: [ErrnoRow] = {
    let tryLock: Action = { calls throws(SystemError) in "\(try scriptedFile(calls).tryLock())" }
    let wait: Action = { calls throws(SystemError) in "\(try scriptedFile(calls).lock(until: .never))" }
    let busy = -Int(EWOULDBLOCK)
    return [
      ErrnoRow("tryLock", .lock, [0], .value("true"), calls: 1, tryLock),
      ErrnoRow("tryLock", .lock, [interrupted, 0], .value("true"), calls: 2, tryLock),
      ErrnoRow("tryLock", .lock, [busy], .value("false"), calls: 1, tryLock),
      ErrnoRow("tryLock", .lock, [-Int(ENOLCK)], .failure(.lock, ENOLCK), calls: 1, tryLock),
      ErrnoRow("lock", .lock, [busy, interrupted, busy, 0], .value("true"), calls: 4, wait),
      ErrnoRow("lock", .lock, [busy, -Int(EBADF)], .failure(.lock, EBADF), calls: 2, wait),
    ]
  }()
}
