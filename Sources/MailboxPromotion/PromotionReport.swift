public import MailboxLog

/// What a drain did.
public struct PromotionReport: Sendable {
  /// Entries for which the rule ran and was committed, those retried from the quarantine included.
  public internal(set) var promotedCount = 0
  /// Entries that were dropped because one with the same id or key had been promoted. Replays after a crash aren't counted.
  public internal(set) var duplicateCount = 0
  /// Entries that went to the quarantine; of `retryQuarantined`, those that stayed there.
  public internal(set) var quarantinedCount = 0
  /// Still in the mailbox when the drain ended: what came meanwhile.
  public internal(set) var remainingCount = 0
  /// Bytes of the ids and values of the promoted entries.
  public internal(set) var byteCount = 0
  /// Transactions that were committed.
  public internal(set) var batchCount = 0
  /// From the call to its return, on a clock that doesn't stop and isn't set.
  public internal(set) var duration: Duration = .zero
  /// Ranges of the mailbox that can't be read; the good records after them were promoted.
  public internal(set) var damagedRangeCount = 0

  /// Whether no entry was found that a report would tell of.
  public var isEmpty: Bool { promotedCount == 0 && duplicateCount == 0 && quarantinedCount == 0 }

  mutating func add(_ outcome: PromotionOutcome) {
    promotedCount += outcome.promotedCount
    duplicateCount += outcome.duplicateCount
    quarantinedCount += outcome.quarantinedCount
    byteCount += outcome.byteCount
    batchCount += 1
  }
}

/// How far a drain is, after each batch.
public struct PromotionProgress: Sendable {
  /// Entries handled by this drain, never more than `totalCount`.
  public let completedCount: Int
  /// Entries that were pending when the drain began.
  public let totalCount: Int
}

/// The state of a mailbox and its store at one moment, for an operator's monitoring.
public struct PromotionHealth: Sendable {
  /// What waits in the mailbox: entries, bytes and the oldest one's age.
  public let backlog: MailboxBacklog
  /// Entries in the quarantine.
  public let quarantinedCount: Int
  /// Entries that were ever promoted into this store, by any process.
  public let promotedCount: Int
  /// Duplicates that were ever dropped, by any process.
  public let duplicateCount: Int
  /// When a batch with news was last committed, by any process; nil before the first.
  public let lastPromotedAt: LogTimestamp?
}
