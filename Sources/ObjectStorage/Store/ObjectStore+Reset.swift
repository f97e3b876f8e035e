import StorageEngine
import StorageIO

extension ObjectStore {
  /// Deletes the store's file, and opens a new one. Everything in it is lost; copies from before migrations and files that a policy moved
  /// aside stay.
  ///
  /// The store needn't be open, nor be one that can be: a damaged file, or one with another key, is deleted too. Snapshots and values that are
  /// held stay good. The lock file stays; it says of itself which file it is about.
  /// - Throws: `busy` while another process, or another store of this one, has it open, or a writer is at work for all of `lockTimeout`;
  ///   `readOnly` for a store that may not make its file. The file is as it was then, and the store as open as it was.
  /// - Concurrency: a process that opens the file at this very moment may get the one that is deleted; its writes are then `replaced`.
  public func reset() async throws(StorageError) {
    let opening = StoreOpening(configuration)
    guard opening.createsFile else { throw .readOnly }
    let own = isOpen ? 1 : 0
    switch try StoragePath.resolve(configuration) {
    case .memory(let identifier):
      if Engine.storeCount(inMemory: identifier) > own { throw .busy(waited: .zero) }
      Engine.forgetInMemory(identifier)
    case .file(let path):
      if Engine.storeCount(path: path) > own { throw .busy(waited: .zero) }
      try StoreFiles(path).removeUnused(timeout: configuration.lockTimeout)
    }
    await close()
    try await open()
  }

  /// What opening would migrate; unless all fits already, the configuration's `migrate` is called. The store needn't be open.
  ///
  /// - Returns: what the report of opening would be, without a copy; versions that are equal, and no differences, where nothing is to do.
  /// - Throws: what opening would, `migrationNeeded`, `migrationFailed` and `duplicateKey` for a unique index that can't be among it. Nothing is
  ///   written, whatever happens.
  /// - Complexity: O(rows) of types with a new unique index; their entries are kept meanwhile.
  public func dryRunMigration() async throws(StorageError) -> MigrationReport { try StoreOpening(configuration).dryRun() }
}

extension StoreFiles {
  /// Removes a file that no other process has open. - Throws: `busy`.
  func removeUnused(timeout: Duration) throws(StorageError) {
    let deadline = Deadline(after: timeout, .live)
    while exists {
      if isDirectory { throw .notAFile(path: path) }
      let file = try calling { () throws(SystemError) in
        try StorageFile(.live, path: path, flags: OpenFlag.readWrite, isLockable: true)
      }
      guard try calling({ () throws(SystemError) in try file.lock(until: deadline) }) else { throw .busy(waited: timeout) }
      defer { file.unlock() }
      // A compaction may have put another in its place meanwhile.
      guard try calling({ () throws(SystemError) in try file.isNamed(by: path) }) else { continue }
      if hasOtherHolders { throw .busy(waited: .zero) }
      return try remove()
    }
  }

  /// Whether a process that may live has registered as one that reads. What is damaged can't be asked, and can't be read either.
  private var hasOtherHolders: Bool {
    guard let inspection = try? StoreInspection(.live, path: path),
      let lock = try? LockInspection.read(.live, path: path + ".lock", fileID: inspection.fileID)
    else { return false }
    let own = SystemCalls.live.processIdentity()
    return lock.holders.contains { $0.state == .unknown || $0.state == .alive && $0.process != own }
  }

  private func calling<R>(_ body: () throws(SystemError) -> R) throws(StorageError) -> R {
    do throws(SystemError) { return try body() } catch { throw StorageError(EngineError(error, path: path)) }
  }
}
