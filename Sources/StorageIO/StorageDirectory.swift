import CSystem

/// A directory of files that this library owns: they appear under their names only whole, and litter is removed.
package struct StorageDirectory: Sendable {
  package static let temporaryPrefix = ".tmp-"
  package let system: SystemCalls
  package let path: String
  package let fileMode: UInt32
  package let directoryMode: UInt32
  /// Modes are set in spite of the umask: for files that several users share.
  package let forcesModes: Bool
  /// Of the directory and the files that are made.
  package let protection: FileProtection

  package init(
    _ system: SystemCalls, path: String, fileMode: UInt32, directoryMode: UInt32, forcesModes: Bool,
    protection: FileProtection = FileProtection()
  ) {
    self.system = system
    self.path = path
    self.fileMode = fileMode
    self.directoryMode = directoryMode
    self.forcesModes = forcesModes
    self.protection = protection
  }

  package func path(of name: String) -> String { path + "/" + name }

  /// Makes the directory; that it is there already is fine. - Returns: whether it was made now.
  @discardableResult
  package func make() throws(SystemError) -> Bool {
    let result = retryingInterrupted { system.makeDirectory(path, mode: directoryMode) }
    if result == -Int(EEXIST) { return false }
    try check(result, .makeDirectory)
    if forcesModes { try check(system.changeMode(path, mode: directoryMode), .changeMode) }
    try check(system.protect(directory: path, protection), .protect)
    return true
  }

  package func forEachName(_ body: (Span<UInt8>) -> Void) throws(SystemError) {
    try check(retryingInterrupted { system.list(path, body) }, .list)
  }

  /// On return the names made and removed before the call survive a loss of power.
  package func synchronize() throws(SystemError) { try Self.synchronize(system, path) }

  package static func synchronize(_ system: SystemCalls, _ path: String) throws(SystemError) {
    let file = try StorageFile(system, path: path, flags: O_RDONLY | O_DIRECTORY)
    try file.synchronize()
  }

  /// Removes the name; that it is gone already is fine.
  package func remove(_ name: String) throws(SystemError) {
    let target = path(of: name)
    let result = retryingInterrupted { system.unlink(target) }
    if result != -Int(ENOENT) { try check(result, .unlink) }
  }

  /// Gives a file a further name. - Throws: `EEXIST` when something has it.
  package func link(from name: String, to newName: String) throws(SystemError) {
    let (old, new) = (path(of: name), path(of: newName))
    try check(retryingInterrupted { system.link(old, to: new) }, .link)
  }

  /// Renames a file, in place of one that has the new name. Durable after `synchronize`; before, either name may survive.
  package func rename(from name: String, to newName: String) throws(SystemError) {
    let (old, new) = (path(of: name), path(of: newName))
    try check(retryingInterrupted { system.rename(old, to: new) }, .rename)
  }

  /// Makes a file that appears under `name` only once `fill` has written it.
  ///
  /// - Returns: the open file, locked and under its name; nil when another file had the name first.
  package func makeWhole(_ name: String, random: UInt64, fill: (StorageFile) throws(SystemError) -> Void) throws(SystemError)
    -> StorageFile?
  {
    try whole(random, fill) { temporary, file throws(SystemError) in
      system.reach(.segmentMade)
      let (from, to) = (path(of: temporary), path(of: name))
      let linked = retryingInterrupted { system.link(from, to: to) }
      try remove(temporary)
      if linked == -Int(EEXIST) || linked == -Int(ENOENT) { return false }
      try check(linked, .link)
      file.rename(to: to)
      system.reach(.segmentLinked)
      return true
    }
  }

  /// Makes a temporary file, lets `fill` write it, and `give` give it its name.
  ///
  /// - Returns: the open file, locked; nil when `give` didn't, or when who cleans up took the file for litter.
  func whole(
    _ random: UInt64, _ fill: (StorageFile) throws(SystemError) -> Void, give: (String, StorageFile) throws(SystemError) -> Bool
  ) throws(SystemError) -> StorageFile? {
    let temporary = Self.temporaryPrefix + hexadecimal(random)
    // Outside of what cleans up: when the name is taken, the file under it is somebody else's.
    let file = try StorageFile(
      system, path: path(of: temporary), flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: fileMode, isLockable: true,
      protection: protection)
    do {
      // A temporary file is its maker's while it is locked; who can lock it may remove it.
      guard try file.tryLock() else { return nil }
      if forcesModes { try check(system.changeMode(file.path, mode: fileMode), .changeMode) }
      try fill(file)
      return try give(temporary, file) ? file : nil
    } catch {
      _ = system.unlink(path(of: temporary))
      throw error
    }
  }

  /// Removes a temporary file whose maker is gone: one that can be locked.
  package func removeIfLitter(_ name: String) {
    guard let file = try? StorageFile(system, path: path(of: name), flags: O_RDWR | O_NOFOLLOW, isLockable: true) else { return }
    if (try? file.tryLock()) == true { _ = system.unlink(path(of: name)) }
  }
}

/// 16 digits, lower case.
package func hexadecimal(_ value: UInt64) -> String {
  var bytes: [UInt8] = []
  for shift in stride(from: 60, through: 0, by: -4) {
    let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 15
    bytes.append(digit < 10 ? 48 + digit : 87 + digit)
  }
  return String(decoding: bytes, as: UTF8.self)
}
