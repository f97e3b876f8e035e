import CSystem
import MailboxLog
import StorageEngine
import StorageIO

/// What an operand names: found out without changing it, and without waiting on a pipe or a device.
enum Target {
  case directory(String)
  case file(String)

  init(_ path: String, _ system: SystemCalls) throws {
    let file = try StorageFile(system, path: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, isQuiet: true)
    switch try file.status().kind {
    case .directory:
      self = .directory(path)
      try Self.checkNames(path, system)
    case .file: self = .file(path)
    case .other: throw ToolFailure(.badData, "neither a directory nor a regular file", path: path)
    }
  }

  var isFile: Bool { if case .file = self { true } else { false } }

  var path: String {
    switch self {
    case .directory(let path), .file(let path): path
    }
  }

  /// A directory that holds files but no segment is somebody else's; an empty one is an empty mailbox.
  private static func checkNames(_ path: String, _ system: SystemCalls) throws {
    if !(try mailboxSegmentPaths(in: path)).isEmpty { return }
    var hasOthers = false
    let directory = StorageDirectory(system, path: path, fileMode: 0, directoryMode: 0, forcesModes: false)
    try directory.forEachName { name in
      if name.count > 0, name[0] != UInt8(ascii: ".") { hasOthers = true }
    }
    if hasOthers { throw ToolFailure(.badData, "not a mailbox: it holds files, and none is a segment", path: path) }
  }

  /// The size of a file; 0 when it is gone.
  static func byteCount(_ path: String, _ system: SystemCalls) -> UInt64 {
    var status: FileStatus?
    _ = system.status(path: path, &status)
    return status?.byteCount ?? 0
  }

  /// The segment files, in order of number.
  func segmentPaths() throws -> [String] {
    switch self {
    case .directory(let path): try mailboxSegmentPaths(in: path)
    case .file(let path): [path]
    }
  }
}

extension Target {
  /// One segment file's header. - Throws: when it isn't one.
  func segment() throws -> SegmentInspection { try SegmentInspection(path: path, key: nil) }
}

extension Subject {
  /// What a path leads to, if that is a store or a log; else nil. What can't be looked at is left to the command to complain of, and
  /// what isn't there is what its name says that it is going to be.
  init?(of path: String, _ system: SystemCalls) {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY
    do throws(SystemError) {
      let file = try StorageFile(system, path: path, flags: flags, isQuiet: true)
      guard try file.status().kind == .file else { return nil }
      if try StoreInspection.isStore(file) {
        self = .store
      } else if try SegmentInspection.isLog(file) {
        self = .log
      } else {
        return nil
      }
    } catch {
      guard error.code == ENOENT, path.hasSuffix(".kvlog") else { return nil }
      self = .log
    }
  }
}
