public import MailboxLog

/// Turns entries of one schema version into a newer one before the rule sees them.
///
/// `new` starts with the fields of `old`; what isn't touched carries over. Steps chain; the rule sees the newest version. An
/// entry with a payload keeps it unless the step sets a field.
public struct PromotionUpcaster: Sendable {
  /// The schema version that the step takes.
  public let from: UInt32
  /// The schema version that it makes, above `from`; a step that doesn't go up is never taken.
  public let to: UInt32
  let body: @Sendable (borrowing MailboxEntry, inout MailboxFields) throws -> Void

  /// Makes a step.
  ///
  /// - Parameter from: the version of `old`.
  /// - Parameter to: the version of `new`, above `from`.
  /// - Parameter body: runs in the batch's transaction; when it throws, the entry goes to the quarantine.
  public init(from: UInt32, to: UInt32, _ body: @escaping @Sendable (borrowing MailboxEntry, inout MailboxFields) throws -> Void) {
    self.from = from
    self.to = to
    self.body = body
  }
}

/// The steps of a promoter, as a chain.
struct UpcasterChain: Sendable {
  private let steps: [UInt32: PromotionUpcaster]
  /// What the rule expects; nil when there are no steps, and then entries of any version go to the rule as they are.
  private let newest: UInt32?

  init(_ upcasters: [PromotionUpcaster]) {
    let usable = upcasters.filter { $0.to > $0.from }
    // Of two steps from one version the longer is taken.
    steps = Dictionary(usable.map { ($0.from, $0) }, uniquingKeysWith: { $0.to >= $1.to ? $0 : $1 })
    newest = usable.map(\.to).max()
  }

  /// Lends the entry in its newest version.
  ///
  /// - Throws: `EntryFailure` when the entry is newer than all steps, a step is missing or one throws.
  func withNewest<R>(_ entry: borrowing MailboxEntry, _ body: (borrowing MailboxEntry) throws -> R) throws -> R {
    let version = entry.schemaVersion
    guard let newest, version != newest else { return try body(entry) }
    if version > newest {
      throw EntryFailure(
        kind: .newerThanApp, reason: "schema version \(version) is newer than \(newest), the newest this app knows")
    }
    guard let step = steps[version] else {
      throw EntryFailure(kind: .upcasterMissing, reason: "no upcaster takes schema version \(version) towards \(newest)")
    }
    var fields = MailboxFields(of: entry)
    do { try step.body(entry, &fields) } catch { throw EntryFailure(kind: .thrown, error) }
    let keepsPayload = !entry.hasFields && fields.encodedValue.isEmpty
    let next = MailboxEntry(
      id: Array(entry.id.utf8), encodedValue: keepsPayload ? entry.encodedValue : fields.encodedValue, hasFields: !keepsPayload,
      schemaVersion: step.to, position: entry.position, appendedAt: entry.appendedAt)
    return try withNewest(next, body)
  }
}

/// Why an entry goes to the quarantine. What the transaction did for the entry is undone, and the others go on.
struct EntryFailure: Error {
  enum Kind {
    /// The record couldn't be opened: there is nothing to try again with.
    case unopened
    /// No code of the app ran, and none will before the app is another: doesn't use up retries.
    case newerThanApp, upcasterMissing
    /// The rule, an upcaster or the duplicate key threw.
    case thrown
  }
  let kind: Kind
  let reason: String

  init(kind: Kind, reason: String) {
    self.kind = kind
    self.reason = reason
  }
  init(kind: Kind, _ error: any Error) { self.init(kind: kind, reason: String(describing: error)) }
}
