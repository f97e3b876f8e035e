import CSystem

extension StorageDirectory {
  /// Makes a directory and those above it that are missing. What is there already stays as it is; symbolic links to directories are
  /// followed. On return the names made survive a loss of power.
  ///
  /// - Throws: `ENOTDIR` when something else has one of the names.
  package static func makeWithParents(_ system: SystemCalls, _ path: String, mode: UInt32) throws(SystemError) {
    var result = retryingInterrupted { system.makeDirectory(path, mode: mode) }
    if result == -Int(ENOENT), let parent = PathParts.parent(of: path) {
      try makeWithParents(system, parent, mode: mode)
      result = retryingInterrupted { system.makeDirectory(path, mode: mode) }
    }
    if result == 0 {
      if let parent = PathParts.parent(of: path) { try synchronize(system, parent) }
      return
    }
    // Whatever stopped it, a directory that is there will do: making one below a file system that is for reading only fails otherwise.
    var status: FileStatus?
    if retryingInterrupted({ system.status(path: path + "/.", &status) }) == 0, status?.kind == .directory { return }
    if result == -Int(EEXIST) { throw SystemError(.makeDirectory, ENOTDIR) }
    try check(result, .makeDirectory)
  }
}
