import Anteroom
import Foundation
import MailboxListening
import MailboxLog
import MailboxPromotion

/// A mailbox and the place of a store, in a directory of its own, gone with the test.
final class Place: Sendable {
  let root: URL
  let writer: MailboxWriter
  let reader: MailboxReader
  let key: Data?

  init(isEncrypted: Bool = false) throws {
    root = FileManager.default.temporaryDirectory.appending(path: "anteroom-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    key = isEncrypted ? Data(repeating: 7, count: 32) : nil
    var options = LogOptions(key: try key.map { try EncryptionKey(Array($0)) })
    options.durability = .processCrash
    let directory = root.appending(path: "inbox.mailbox").path
    writer = try MailboxWriter(directory: directory, options: options)
    reader = try MailboxReader(directory: directory, options: options)
  }

  deinit {
    writer.close()
    reader.close()
    try? FileManager.default.removeItem(at: root)
  }

  var configuration: StorageConfiguration {
    StorageConfiguration(
      location: .file(root.appending(path: "notes.store")), encryption: key.map { .key($0) } ?? .none, objectTypes: [Note.self])
  }

  /// An open store over the same file, with nothing shared but the file's engine.
  func store(_ change: (inout StorageConfiguration) -> Void = { _ in }) async throws -> ObjectStore {
    var configuration = configuration
    change(&configuration)
    let store = ObjectStore(configuration: configuration)
    try await store.open()
    return store
  }

  @discardableResult
  func append(_ id: String, _ text: String) throws -> MailboxPosition { try writer.append(id: id) { $0.set("text", text) } }

  /// Entries with the number as id and text.
  func append(_ numbers: Range<Int>) throws { for number in numbers { try append("\(number)", "\(number)") } }
}

struct Note: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var text = ""
  @Persisted var isRead = false

  static let indexes: [StorageIndex<Note>] = [.index(\.isRead, \.id)]
}

struct RuleError: Error, CustomStringConvertible {
  var description: String { "the rule can't take it" }
}

/// Saves the text under the id; throws for the text 'poison', after it has saved something that has to be undone.
let saveNote: Promoter<ObjectStore>.Rule = { entry, transaction in
  let text = try entry.string("text")
  try transaction.save(Note(id: entry.id, text: text))
  if text == "poison" { throw RuleError() }
}

/// A mailbox whose acknowledgements get lost: what a crash between commit and acknowledgement leaves, again and again.
struct DeafInbox: PromotionSource {
  let inner: MailboxReader

  func acknowledge(_ positions: [MailboxPosition]) throws(LogError) { throw .noSpace }
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
