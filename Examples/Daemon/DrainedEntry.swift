import Anteroom
import FoundationEssentials

/// An entry as the store keeps it: an app has types of its own, and a rule that reads the fields by name.
struct DrainedEntry: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var appendedAt = Date.distantPast
  @Persisted var schemaVersion = 0
  /// The fields, or the payload, as JSON.
  @Persisted var content = ""
}

extension DrainedEntry {
  init(_ entry: borrowing MailboxEntry) throws {
    id = entry.id
    appendedAt = Date(timeIntervalSinceReferenceDate: entry.appendedAt.secondsSinceReferenceDate)
    schemaVersion = Int(entry.schemaVersion)
    content = String(decoding: try EntryLine.content(entry), as: UTF8.self)
  }
}
