import CSystem
import RawMemory

extension StorageDirectory {
  /// Writes a file that takes the place of the one called `name` once `fill` has written it. Durable after `synchronize`; before,
  /// the old file may survive, or the new one if `fill` synced it.
  ///
  /// - Returns: false when who cleans up took the temporary file for litter: try again with another number.
  package func replaceWhole(
    _ name: String, random: UInt64, fill: (StorageFile) throws(SystemError) -> Void
  ) throws(SystemError) -> Bool {
    let temporary = Self.temporaryPrefix + hexadecimal(random)
    // Outside of what cleans up: when the name is taken, the file under it is somebody else's.
    let file = try StorageFile(
      system, path: path(of: temporary), flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: fileMode, isLockable: true)
    do {
      // A temporary file is its maker's while it is locked; who can lock it may remove it.
      guard try file.tryLock() else { return false }
      if forcesModes { try check(system.changeMode(file.path, mode: fileMode), .changeMode) }
      try fill(file)
      let (from, to) = (path(of: temporary), path(of: name))
      let renamed = retryingInterrupted { system.rename(from, to: to) }
      if renamed == -Int(ENOENT) { return false }
      try check(renamed, .rename)
      return true
    } catch {
      _ = system.unlink(path(of: temporary))
      throw error
    }
  }

  /// Removes temporary files whose makers are gone.
  package func removeLitter() throws(SystemError) {
    let prefix = [UInt8](Self.temporaryPrefix.utf8)
    var litter: [String] = []
    try forEachName { name in
      if name.count > prefix.count, name.extracting(first: prefix.count).equals(prefix.span) { litter.append(name.decodedString()) }
    }
    for name in litter { removeIfLitter(name) }
  }
}
