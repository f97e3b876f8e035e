public import MailboxLog

/// How a promoter works. Each default is the safe choice; set what differs.
public struct PromotionOptions: Sendable {
  /// One batch is one transaction; it ends at whichever bound comes first. At least 1.
  public var batchEntryCountMax = 2_000
  /// Bytes of entries after which a batch ends; one entry larger than this is a batch of its own.
  public var batchByteCountMax = 1 << 20
  /// What becomes of an entry whose id, or key, was promoted before.
  public var duplicates: PromotionDuplicates = .insertIfAbsent
  /// What makes two entries the same; nil: the entry's id. When it throws, the entry goes to the quarantine.
  public var duplicateKey: (@Sendable (borrowing MailboxEntry) throws -> String)?
  /// The window of ids that are remembered: the larger of count and age, and never more than the bytes.
  public var ledgerEntryCountMax = 10_000
  /// An id is remembered for this long, however many come after it.
  public var ledgerAgeMax: Duration = .seconds(7 * 24 * 3600)
  /// Bytes of keys and values that the remembered ids may take in the ledger.
  public var ledgerByteCountMax = 8 << 20
  /// How often an entry in the quarantine is tried again by itself; an entry goes there when the rule first throws for it.
  ///
  /// The first drain of each `Promoter` tries once, so a launch of the app is a try. An entry that waits for a newer app, or for
  /// an upcaster, uses up none.
  public var retryCountMax = 3
  /// The app's version, in whatever form; up to 255 bytes are kept. An entry that went to the quarantine under another version
  /// has all its retries again. nil: retries are counted across versions.
  public var appVersion: String?
  /// Steps from old schema versions to newer ones; see `PromotionUpcaster`.
  public var upcasters: [PromotionUpcaster] = []
  /// Told what an operator may want to know, after the commit that it is about. Called on the drain's task; keep it short.
  public var logHandler: (@Sendable (PromotionEvent) -> Void)?
  /// The defaults.
  public init() {}

  /// Adds a step: `options.upcaster(from: 1, to: 2) { old, new in new.rename("msg", to: "text") }`.
  ///
  /// - Parameter from: the version that the step takes.
  /// - Parameter to: the version that it makes, above `from`.
  /// - Parameter body: changes `new`, which starts with the fields of `old`.
  public mutating func upcaster(
    from: UInt32, to: UInt32, _ body: @escaping @Sendable (borrowing MailboxEntry, inout MailboxFields) throws -> Void
  ) {
    upcasters.append(PromotionUpcaster(from: from, to: to, body))
  }
}

/// Which of several entries with one id, or one key, the store shows.
public enum PromotionDuplicates: Sendable {
  /// The first entry wins: the rule isn't called for a later one, and its `save` leaves a row that is there as it is.
  case insertIfAbsent
  /// The rule is called for each, in order, and its `save` updates; not for one that was appended before the entry that the
  /// ledger remembers, which counts as a duplicate.
  case latestWins
}

/// Something that an operator may want to know and that isn't an error of the call. Never carries ids, keys or values.
public struct PromotionEvent: Sendable {
  /// What kind of thing happened; the raw values never change their meaning.
  public enum Kind: UInt8, Sendable {
    /// A batch is in the store.
    case batchCommitted
    /// An entry went to the quarantine.
    case quarantined
    /// A range of a segment, a segment that is behind its ledger, or a row of the ledger that was made anew.
    case damageFound
    /// An entry's schema version has no step towards the newest.
    case upcasterMissing
  }
  /// What kind of thing happened.
  public let kind: Kind
  /// One sentence for people.
  public let message: String
}
