import RawMemory
import StorageIO
import Synchronization

extension Engine {
  /// Rewrites the file without its free pages and swaps it in. Readers go on, in the old file; writers too, while the copy is made.
  ///
  /// The copy is of a snapshot, and good if nobody has committed meanwhile: then the writer's lock is held for the swap alone. Where somebody
  /// has, it is made once more under the lock; writers whose deadline passes meanwhile get `compacting`.
  ///
  /// Guarantee: a death at any instant leaves the old file or the new one under the path, both whole; the temporary file is litter that the
  /// next compaction removes. If the directory can't be synced, the old file has its name again.
  /// - Parameter progress: called now and then with entries done and in all, from the beginning again with a second copy; false stops.
  /// - Throws: `noSpace` and others, `transactionEnded` when it was stopped; the old file is as it was then.
  /// - Complexity: O(entries), twice at most; one file of the live data's size beside the old one.
  package func compact(progress: (UInt64, UInt64) -> Bool = { _, _ in true }) throws(EngineError) {
    if isInMemory {
      try checkWritable()
      return try compactInMemory(progress)
    }
    if try compact(holdingLock: false, progress) { return }
    _ = try compact(holdingLock: true, progress)
  }

  /// - Returns: false when somebody committed while the copy was made without the lock.
  private func compact(holdingLock: Bool, _ progress: (UInt64, UInt64) -> Bool) throws(EngineError) -> Bool {
    try checkWritable()
    var transaction = holdingLock ? try begin() : nil
    defer { transaction?.abort() }
    if holdingLock { lockFile.setExtraWord(Self.compactingWord, 1) }
    defer { if transaction != nil { lockFile.setExtraWord(Self.compactingWord, 0) } }
    let source = try snapshot()
    var options = options
    options.dirtyPageByteCountMax = min(options.dirtyPageByteCountMax, 4 << 20)
    let copy = try EngineCopy(source, directory: PathParts(path).directory, header: header, options: options)
    let id = lockFile.takeTransactionID()
    let file = try copy.make(id: id, progress: progress)
    do throws(EngineError) {
      if transaction == nil { transaction = try begin() }
      // Another version of the same file, or a compaction's new one.
      if transaction?.version != source.version || state.withLock({ $0.pages !== source.pages }) {
        _ = system.unlink(copy.path)
        return false
      }
      try swap(copy, id: id)
    } catch {
      _ = system.unlink(copy.path)
      throw error
    }
    withExtendedLifetime(file) {}
    return true
  }

  /// The mark goes first: whoever sees it looks whether the path leads to another file than its own. Until this is over the new file is locked,
  /// so that nobody goes on in it who might have to come back.
  private func swap(_ copy: EngineCopy, id: TransactionID) throws(EngineError) {
    lockFile.setExtraWord(Self.supersedingWord, 1)
    let second = copy.secondName
    do throws(EngineError) {
      try naming(path) { () throws(SystemError) in
        try copy.removeSecondNames()
        try link(copy)
        try copy.directory.rename(from: copy.name, to: PathParts(path).name)
      }
    } catch {
      _ = system.unlink(copy.directory.path(of: second))
      lockFile.setExtraWord(Self.supersedingWord, 0)
      throw error
    }
    do throws(SystemError) { try copy.directory.synchronize() } catch {
      takeBack(copy)
      throw EngineError(error, path: path)
    }
    nameState = .unconfirmed
    _ = system.unlink(copy.directory.path(of: second))
    lockFile.publish(id)
    lockFile.setDurable(id)
    lockFile.advanceGeneration()
    lockFile.setExtraWord(Self.supersedingWord, 0)
    try checkGeneration()
  }

  private func link(_ copy: EngineCopy) throws(SystemError) {
    do throws(SystemError) {
      try copy.directory.link(from: PathParts(path).name, to: copy.secondName)
    } catch {
      // Without links there is no way back, and what is then done without.
      guard error.code == ErrorNumber.notPermitted || error.code == ErrorNumber.notSupported else { throw error }
    }
  }

  /// The new name isn't on the disk, or it is: what the sync lost, the kernel takes for written. Commits in the new file might be lost with its
  /// name, so the old file gets it again, which is a change of the directory that a sync does write.
  private func takeBack(_ copy: EngineCopy) {
    do throws(SystemError) {
      try copy.directory.rename(from: copy.secondName, to: PathParts(path).name)
    } catch {
      // The new file is the store. Without its name it is lost, so nothing in it counts as durable until a compaction has made another.
      nameState = .failed
      return
    }
    do throws(SystemError) {
      try copy.directory.synchronize()
      nameState = .unconfirmed
    } catch { nameState = .failed }
    lockFile.setExtraWord(Self.supersedingWord, 0)
  }

  /// A copy of the newest version in a new file, with a key of its own or plain. The destination must not exist.
  ///
  /// - Throws: `fileExists`; it wasn't touched then.
  package func writeCopy(
    to destination: String, key: EngineKey, progress: (UInt64, UInt64) -> Bool = { _, _ in true }
  ) throws(EngineError) {
    var status: FileStatus?
    if system.status(path: destination, &status) == 0 { throw .fileExists(path: destination) }
    let source = try snapshot()
    let random = try naming(destination) { () throws(SystemError) in try system.randomBytes(32) }
    var options = options
    options.key = key
    options.isReadOnly = false
    options.isInspecting = false
    options.pageByteCount = header.pageByteCount
    let fresh = try EngineCreation.header(options, fileID: random.bytes(0..<16), salt: random.bytes(16..<32))
    let parts = PathParts(destination)
    let copy = try EngineCopy(source, directory: parts.directory, header: fresh, options: options)
    let file = try copy.make(id: source.version + 1, progress: progress)
    defer { _ = system.unlink(copy.path) }
    let linked = system.link(copy.path, to: copy.directory.path(of: parts.name))
    if linked == -Int(ErrorNumber.exists) { throw .fileExists(path: destination) }
    if linked < 0 { throw EngineError(SystemError(.link, Int32(-linked)), path: destination) }
    try naming(destination) { () throws(SystemError) in try copy.directory.synchronize() }
    withExtendedLifetime(file) {}
  }
}
