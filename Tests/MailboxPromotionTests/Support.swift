import Foundation
import MailboxLog
import MailboxPromotion
import SQLiteTarget
import Synchronization
import TestSupport

/// A mailbox in a directory of its own, gone with the test.
final class TestInbox: Sendable {
  let root: URL
  let options: LogOptions
  let writer: MailboxWriter
  let reader: MailboxReader

  init(key: EncryptionKey? = nil) throws {
    var options = LogOptions(key: key)
    options.durability = .processCrash
    self.options = options
    root = FileManager.default.temporaryDirectory.appending(path: "promotion-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let directory = root.appending(path: "inbox.mailbox").path
    writer = try MailboxWriter(directory: directory, options: options)
    reader = try MailboxReader(directory: directory, options: options)
  }

  deinit {
    writer.close()
    reader.close()
    try? FileManager.default.removeItem(at: root)
  }

  /// Entries `from..<to` with the number as id and text.
  func append(_ numbers: Range<Int>) throws {
    for number in numbers { try append("\(number)", "\(number)") }
  }
  @discardableResult
  func append(_ id: String, _ text: String, version: UInt32 = 0) throws -> MailboxPosition {
    try writer.append(id: id, schemaVersion: version) { $0.set("text", text) }
  }
  func anotherReader() throws -> MailboxReader { try MailboxReader(directory: reader.directory, options: options) }
  func database(_ name: String = "app.sqlite") throws -> SQLiteTarget {
    try SQLiteTarget(path: root.appending(path: name).path, schema: MessageTable.schema)
  }
}

/// A mailbox whose acknowledgements fail while it is told so: what a crash between commit and acknowledgement leaves.
final class DeafInbox: PromotionSource {
  let inner: MailboxReader
  private let isDeaf: Mutex<Bool>

  init(_ inner: MailboxReader, isDeaf: Bool = true) {
    self.inner = inner
    self.isDeaf = Mutex(isDeaf)
  }

  func hear() { isDeaf.withLock { $0 = false } }
  func acknowledge(_ positions: [MailboxPosition]) throws(LogError) {
    if isDeaf.withLock({ $0 }) { throw LogError.noSpace }
    try inner.acknowledge(positions)
  }

  var directory: String { inner.directory }
  func directoryIdentity() throws(LogError) -> UInt64 { try inner.directoryIdentity() }
  var pendingCount: Int { get throws(LogError) { try inner.pendingCount } }
  func forEachPendingRecord(limit: Int, byteCountMax: Int, _ body: (borrowing MailboxEntry) throws -> Void) throws -> Int {
    try inner.forEachPendingRecord(limit: limit, byteCountMax: byteCountMax, body)
  }
  func backlog() throws(LogError) -> MailboxBacklog { try inner.backlog() }
  func damage() throws(LogError) -> [DamageReport] { try inner.damage() }
  func arrivals() -> MailboxArrivals { inner.arrivals() }
  func segmentIDs() throws(LogError) -> [MailboxSegmentID] { try inner.segmentIDs() }
  func synchronizeRemovals() throws(LogError) { try inner.synchronizeRemovals() }
  func lastSequence(of segment: MailboxSegmentID) throws(LogError) -> UInt64? { try inner.lastSequence(of: segment) }
  func reachPromotionPoint(_ index: UInt8) { inner.reachPromotionPoint(index) }
}

/// A store whose transactions take their time, without a thread.
struct SlowTarget: PromotionTarget {
  let inner: MemoryTarget
  let delay: Duration

  func withPromotionTransaction<R: Sendable>(_ body: @Sendable (inout MemoryTransaction) throws -> R) async throws -> R {
    try await Task.sleep(for: delay)
    return try await inner.withPromotionTransaction(body)
  }
}

struct RuleError: Error, CustomStringConvertible {
  var description: String { "the rule can't take it" }
}

/// Saves the text under the id; throws for the text 'poison', after it has saved something that has to be undone.
let saveText: Promoter<MemoryTarget>.Rule = { entry, transaction in
  let text = try entry.string("text")
  transaction.save(entry.id, text)
  if text == "poison" { throw RuleError() }
}

enum MessageTable {
  static let schema = "CREATE TABLE IF NOT EXISTS message (id TEXT NOT NULL, text TEXT NOT NULL)"
  /// Without a primary key, so that a double is a second row.
  static let insert: Promoter<SQLiteTarget>.Rule = { entry, transaction in
    let text = try entry.string("text")
    try transaction.execute("INSERT INTO message VALUES (?, ?)", .text(entry.id), .text(text))
    if text == "poison" { throw RuleError() }
  }
  static func ids(_ target: SQLiteTarget) throws -> [String] {
    try target.write { transaction in try transaction.rows("SELECT id FROM message").compactMap { $0[0].text } }
  }
}

/// Values that several tasks add to.
final class Collector<Value: Sendable>: Sendable {
  private let contents = Mutex<[Value]>([])
  var values: [Value] { contents.withLock { $0 } }
  func add(_ value: Value) { contents.withLock { $0.append(value) } }
}

extension MemoryState {
  /// Objects that were saved more than once.
  var doubles: [String] { objects.filter { $0.value.saveCount > 1 }.map(\.key) }
}
