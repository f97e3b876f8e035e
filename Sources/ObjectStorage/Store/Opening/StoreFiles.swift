import StorageIO

/// A store's file and what stands beside it.
struct StoreFiles {
  private let system = SystemCalls.live
  let path: String

  init(_ path: String) { self.path = path }

  var exists: Bool {
    var status: FileStatus?
    return system.status(path: path, &status) == 0
  }

  var isDirectory: Bool {
    var status: FileStatus?
    return system.status(path: path, &status) == 0 && status?.kind == .directory
  }

  /// The lock file stays: it says of itself which file it belongs to.
  func remove() throws(StorageError) {
    let result = system.unlink(path)
    if result < 0, result != -Int(ErrorNumber.notFound) { throw .system(call: "unlink", errno: Int32(-result), path: path) }
    try synchronize()
  }

  /// Gives the file another name beside it. - Returns: its path.
  func moveAside() throws(StorageError) -> String {
    for number in 0..<1000 {
      let target = "\(path).damaged-\(number)"
      // A link, because a rename would replace what has the name.
      let result = system.link(path, to: target)
      if result == -Int(ErrorNumber.exists) { continue }
      if result < 0 { throw .system(call: "link", errno: Int32(-result), path: target) }
      try remove()
      return target
    }
    throw .fileExists(path: "\(path).damaged-999")
  }

  /// Where a copy of the file as it is before a migration goes: nothing has this path.
  func pathForCopy(ofVersion version: UInt64) throws(StorageError) -> String {
    for number in 0..<1000 {
      let target = "\(path).version-\(version)" + (number == 0 ? "" : "-\(number)")
      if !StoreFiles(target).exists { return target }
    }
    throw .fileExists(path: "\(path).version-\(version)-999")
  }

  private func synchronize() throws(StorageError) {
    do throws(SystemError) {
      try StorageDirectory.synchronize(system, PathParts(path).directory)
    } catch {
      throw .system(call: error.call.name, errno: error.code, path: path)
    }
  }
}
