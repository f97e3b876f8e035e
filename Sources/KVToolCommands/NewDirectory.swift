import CSystem
import MailboxLog
import RawMemory
import StorageIO

/// A directory that appears under its name only when it is complete.
struct NewDirectory {
  private let path: String
  private let system: SystemCalls

  /// - Throws: `cannotCreate` when something has the path already.
  init(_ path: String, _ system: SystemCalls) throws {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.system = system
    var status: FileStatus?
    let result = system.status(path: self.path, &status)
    if result == 0 { throw ToolFailure(.cannotCreate, "is there already", path: path) }
    if result != -Int(ENOENT) { throw failure(result) }
  }

  /// Makes the directory beside its place, lets `body` fill it, and renames it. What was made goes again when that fails.
  func fill<R>(_ body: (String) throws -> R) throws -> R {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.dropLast().joined(separator: "/")
    let random = try system.randomNumber()
    let prefix = path.contains("/") ? parent + "/" : ""
    let temporary = prefix + StorageDirectory.temporaryPrefix + hexadecimal(random)
    let directory = StorageDirectory(system, path: temporary, fileMode: 0o600, directoryMode: 0o700, forcesModes: false)
    do {
      try about(path, creating: true) { _ = try directory.make() }
      let result = try body(temporary)
      let renamed = system.rename(temporary, to: path)
      if renamed < 0 { throw failure(renamed) }
      try StorageDirectory.synchronize(system, prefix.isEmpty ? "." : parent.isEmpty ? "/" : parent)
      return result
    } catch {
      remove(directory)
      throw error
    }
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
