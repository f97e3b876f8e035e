import Anteroom
import FoundationEssentials

/// Where entries go.
protocol DrainSink: Sendable {
  /// Takes what is pending, batch after batch, and acknowledges each once it is safe. Cancellation ends it after a batch.
  ///
  /// - Returns: how many entries it took.
  func drain() async throws -> Int
  /// After the last drain.
  func close() async
}

/// Exactly once: entries, and the ledger of what was promoted, commit together.
struct StoreSink: DrainSink {
  private let store: ObjectStore
  private let promoter: Promoter<ObjectStore>

  init(_ inbox: MailboxReader, file: String, key: StorageConfiguration.Encryption, log: JournalLog) async throws {
    store = ObjectStore(
      configuration: StorageConfiguration(
        location: .file(URL(filePath: file)), encryption: key, objectTypes: [DrainedEntry.self]))
    try await store.open()
    var options = PromotionOptions()
    // The batch is what SIGTERM waits for.
    options.batchEntryCountMax = 500
    options.logHandler = { log.tell($0) }
    promoter = Promoter(from: inbox, into: store, options: options) { entry, transaction in
      try transaction.save(try DrainedEntry(entry))
    }
  }

  func drain() async throws -> Int {
    do throws(PromotionError) {
      let report = try await promoter.drain()
      return report.promotedCount
    } catch {
      if case .cancelled = error { throw CancellationError() }
      throw error
    }
  }

  func close() async { await store.close() }
}

/// At least once: a batch is acknowledged after its lines are written, so whoever reads them may get some again after a crash, with the
/// same position.
struct LineSink: DrainSink {
  let inbox: MailboxReader

  func drain() throws -> Int {
    var count = 0
    while true {
      if Task.isCancelled { throw CancellationError() }
      var lines: [UInt8] = []
      var positions: [MailboxPosition] = []
      try inbox.forEachPending(limit: 500, byteCountMax: 1 << 20) { entry in
        lines += try EntryLine.encode(entry)
        positions.append(entry.position)
      }
      if positions.isEmpty { return count }
      try StandardOutput.write(lines)
      try inbox.acknowledge(positions)
      count += positions.count
    }
  }

  func close() async {}
}
