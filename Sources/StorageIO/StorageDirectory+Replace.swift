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
    let file = try whole(random, fill) { temporary, _ throws(SystemError) in
      let (from, to) = (path(of: temporary), path(of: name))
      let renamed = retryingInterrupted { system.rename(from, to: to) }
      if renamed == -Int(ENOENT) { return false }
      try check(renamed, .rename)
      return true
    }
    return file != nil
  }

  /// Removes temporary files whose makers are gone.
  package func removeLitter() throws(SystemError) {
    for name in try temporaryNames() { removeIfLitter(name) }
  }

  /// Names that temporary files have, whoever made them.
  package func temporaryNames() throws(SystemError) -> [String] {
    let prefix = [UInt8](Self.temporaryPrefix.utf8)
    var found: [String] = []
    try forEachName { name in
      if name.count > prefix.count, name.extracting(first: prefix.count).equals(prefix.span) { found.append(name.decodedString()) }
    }
    return found
  }
}
