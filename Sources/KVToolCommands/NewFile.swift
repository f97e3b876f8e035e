import CSystem
import MailboxLog
import RawMemory
import StorageIO

/// A file that appears under its name only when it is complete, and never in place of another.
struct NewFile {
  let path: String
  private let system: SystemCalls

  /// - Throws: `cannotCreate` when something has the path already.
  init(_ path: String, _ system: SystemCalls) throws {
    self.path = path
    self.system = system
    var status: FileStatus?
    let result = system.status(path: path, &status)
    if result == 0 { throw ToolFailure(.cannotCreate, "is there already", path: path) }
    if result != -Int(ENOENT) { throw failure(result) }
  }

  /// Lets `body` make the file in a directory of its own beside its place, and gives it its name. What was made goes again when that fails.
  func fill<R>(_ body: (String) throws -> R) throws -> R {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.dropLast().joined(separator: "/")
    let prefix = path.contains("/") ? parent + "/" : ""
    let temporary = prefix + StorageDirectory.temporaryPrefix + hexadecimal(try system.randomNumber())
    let directory = StorageDirectory(system, path: temporary, fileMode: 0o600, directoryMode: 0o700, forcesModes: false)
    try about(path, creating: true) { _ = try directory.make() }
    defer { remove(directory) }
    let file = temporary + "/file"
    let result = try body(file)
    try give(file)
    try StorageDirectory.synchronize(system, prefix.isEmpty ? "." : parent.isEmpty ? "/" : parent)
    return result
  }

  /// By a link, which takes no name that somebody has taken meanwhile; by renaming where the file system has no links.
  private func give(_ file: String) throws {
    let linked = system.link(file, to: path)
    if linked == 0 { return }
    guard linked == -Int(EPERM) || linked == -Int(EOPNOTSUPP) else { throw failure(linked) }
    let renamed = system.rename(file, to: path)
    if renamed < 0 { throw failure(renamed) }
  }

  private func remove(_ directory: StorageDirectory) {
    var names: [String] = []
    try? directory.forEachName { names.append($0.decodedString()) }
    for name in names { try? directory.remove(name) }
    _ = system.removeDirectory(directory.path)
  }

  private func failure(_ result: Int) -> ToolFailure {
    ToolFailure(ToolFailure.code(errno: Int32(-result), creating: true), SystemCalls.message(Int32(-result)), path: path)
  }
}
