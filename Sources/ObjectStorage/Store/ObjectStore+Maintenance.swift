#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import StorageEngine

extension ObjectStore {
  /// A compacted copy of the newest version, while writers go on; nil is a plaintext one, on purpose.
  ///
  /// - Parameters:
  ///   - file: where; must not exist.
  ///   - encryptionKey: 32 or 64 bytes.
  /// - Throws: `fileExists`, `encryptionKeyInvalidLength`, `noSpace`; the destination is as it was then.
  public func writeCopy(to file: URL, encryptionKey: Data? = nil) async throws(StorageError) {
    let core = try core()
    let key = try EncryptionResolver.key(for: encryptionKey.map { .key($0) } ?? .none, makesMissingSecret: false)
    try storing { () throws(EngineError) in try core.engine.writeCopy(to: file.path, key: key) }
  }
  /// A copy of the newest version, encrypted as the store is, while writers go on.
  ///
  /// - Parameters:
  ///   - file: where; must not exist.
  ///   - progress: called now and then with entries copied.
  /// - Throws: `fileExists`, `noSpace`, `cancelled`; the destination is as it was then.
  public func backup(to file: URL, progress: (@Sendable (StorageProgress) -> Void)? = nil) async throws(StorageError) {
    let core = try core()
    try Self.stoppable { () throws(EngineError) in
      try core.engine.writeCopy(to: file.path, key: core.engine.options.key) { Self.report(.copying, $0, $1, progress) }
    }
  }
  /// Rewrites the file without free pages and swaps it in. Readers go on; writers of all processes wait, within their timeouts. A store in
  /// memory gives what it doesn't use back to the system.
  ///
  /// Guarantee: killed at any point, the old file or the new one is there, whole.
  /// - Parameter progress: called now and then with entries copied.
  /// - Throws: `noSpace`, `busy`, `cancelled`; the file is as it was then.
  public func compact(progress: (@Sendable (StorageProgress) -> Void)? = nil) async throws(StorageError) {
    let core = try core()
    try Self.stoppable { () throws(EngineError) in
      try core.engine.compact { done, total in Self.report(.compacting, done, total, progress) }
    }
    configuration.logHandler?(StorageEvent(kind: .compacted, message: "the file was compacted"))
  }
  /// Saves what is readable of a damaged store in a new one, encrypted as this one is, with its indexes made anew. This store isn't touched.
  ///
  /// What can't be read is left out, and listed: the report's stretches are in the order of keys. Of a store whose schema can't be read, which
  /// can't be opened either, nothing can be saved.
  /// - Parameter file: where; must not exist.
  /// - Throws: `fileExists`, `noSpace`, `busy` while another salvage has the same goal; there is no such file then.
  /// - Complexity: O(file), twice its room on the disk meanwhile; the entries of one index at a time are kept.
  public func salvage(to file: URL) async throws(StorageError) -> SalvageReport {
    var salvage = StoreSalvage(try reader(), to: file.path)
    return try salvage.run(timeout: configuration.lockTimeout)
  }
  /// Reads every page of the newest version and checks it: checksums or tags, order, counts, and that each page is used once or free. A commit
  /// that opening passed over is a note of the report, until the next commit overwrites it.
  ///
  /// - Complexity: O(file); one bit of memory a page. Blocks nobody.
  public func verify() async throws(StorageError) -> VerificationReport {
    let reader = try reader()
    guard case .snapshot(let snapshot) = reader.source else { throw .storeNotOpen }
    let found = try storing { () throws(EngineError) in try snapshot.verify() }
    var report = VerificationReport()
    report.checkedPageCount = found.pageCount
    report.problems = found.problems
    report.notes = found.notes
    if found.isClean { report.problems = try reader.indexProblems() }
    return report
  }

  /// What the task's end has stopped is `cancelled`.
  private static func stoppable(_ body: () throws(EngineError) -> Void) throws(StorageError) {
    do throws(EngineError) { try body() } catch {
      if case .transactionEnded = error, Task.isCancelled { throw .cancelled }
      throw StorageError(error)
    }
  }

  private static func report(
    _ operation: StorageProgress.Operation, _ done: UInt64, _ total: UInt64, _ handler: (@Sendable (StorageProgress) -> Void)?
  ) -> Bool {
    handler?(StorageProgress(operation: operation, completedUnitCount: Int(done), totalUnitCount: Int(total)))
    return !Task.isCancelled
  }

  /// Bytes on disk; nil when in memory.
  public func fileSize() async throws(StorageError) -> Int? {
    let core = try core()
    if core.engine.isInMemory { return nil }
    return Int(try storing { () throws(EngineError) in try core.engine.statistics() }.fileByteCount)
  }
  /// What the store holds and what that costs: which versions are pinned, by whom, since when.
  public func statistics() async throws(StorageError) -> StorageStatistics {
    let core = try core()
    let engine = try storing { () throws(EngineError) in try core.engine.statistics() }
    let reader = try reader()
    var statistics = StorageStatistics(version: reader.version)
    statistics.fileByteCount = engine.fileByteCount
    statistics.usedByteCount = (engine.pageCount - engine.freePageCount) * UInt64(core.engine.pageByteCount)
    statistics.pageCacheByteCount = engine.cacheByteCount
    for (name, type) in reader.view.types { statistics.objectCounts[name] = Int(try reader.tree(type.rowsName)?.count ?? 0) }
    statistics.pinnedVersions = engine.pins.map {
      PinnedVersion(
        version: StorageVersion(transactionID: $0.version), processID: $0.processID, age: $0.age,
        heldByteCount: $0.heldPageCount * UInt64(core.engine.pageByteCount))
    }
    return statistics
  }
  /// The store's file and every sidecar that may exist beside it; none in memory.
  public nonisolated var allFileURLs: [URL] {
    get throws(StorageError) {
      guard case .file(let path) = try StoragePath.resolve(configuration) else { return [] }
      return [URL(filePath: path), URL(filePath: path + ".lock")]
    }
  }
}
