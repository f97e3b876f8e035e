import MailboxLog

/// The quarantine: one row under the position, and one under a rising number, which gives the order of arrival.
extension PromotionLedger {
  /// The row of an entry; nil when it isn't in the quarantine.
  static func quarantined(_ position: MailboxPosition, in transaction: inout some PromotionTransaction) throws -> QuarantineRow? {
    let key = LedgerKey.quarantine(position)
    guard let value = try transaction.ledgerValue(forKey: key) else { return nil }
    guard let row = QuarantineRow(value, forKey: key) else { throw PromotionError.ledgerDamaged(key: key) }
    return row
  }

  /// Positions in the order of arrival, from a number on: at most `limit`, and none from `end` on.
  static func waiting(
    from number: UInt64, before end: UInt64 = .max, limit: Int, in transaction: inout some PromotionTransaction
  ) throws -> [(number: UInt64, position: MailboxPosition)] {
    var found: [(number: UInt64, position: MailboxPosition)] = []
    guard limit > 0 else { return [] }
    let prefix = LedgerFormat.Prefix.waiting
    try transaction.forEachLedgerRow(prefix: prefix, from: LedgerKey.waiting(number)) { key, value in
      guard let number = LedgerKey.number(key, after: prefix), let row = LedgerRow.Waiting(value, forKey: key) else {
        throw PromotionError.ledgerDamaged(key: key)
      }
      guard number < end else { return false }
      found.append((number, row.position))
      return found.count < limit
    }
    return found
  }

  /// Puts an entry in, as the newest.
  mutating func quarantine(
    _ entry: borrowing MailboxEntry, _ failure: EntryFailure, appVersion: [UInt8]?, now: LogTimestamp,
    in transaction: inout some PromotionTransaction
  ) throws {
    let isOpened = failure.kind != .unopened
    let row = QuarantineRow(
      isOpened: isOpened, hasFields: isOpened && entry.hasFields, id: Array(entry.id.utf8),
      reason: QuarantineRow.bounded(failure.reason, QuarantineRow.reasonByteCountMax), appVersion: appVersion,
      schemaVersion: entry.schemaVersion, attemptCount: failure.kind == .thrown ? 1 : 0, appendedAt: entry.appendedAt,
      quarantinedAt: now, waiting: counters.nextWaiting, bytes: isOpened ? entry.encodedValue : [])
    let waitingKey = LedgerKey.waiting(row.waiting)
    try transaction.setLedgerValue(LedgerRow.Waiting(position: entry.position).value(forKey: waitingKey), forKey: waitingKey)
    try Self.put(row, at: entry.position, in: &transaction)
    counters.nextWaiting += 1
    counters.quarantinedCount += 1
  }

  /// Writes an entry that stays.
  static func put(_ row: QuarantineRow, at position: MailboxPosition, in transaction: inout some PromotionTransaction) throws {
    let key = LedgerKey.quarantine(position)
    try transaction.setLedgerValue(row.value(forKey: key), forKey: key)
  }

  /// Takes an entry out.
  mutating func release(_ row: QuarantineRow, at position: MailboxPosition, in transaction: inout some PromotionTransaction) throws
  {
    try transaction.setLedgerValue(nil, forKey: LedgerKey.quarantine(position))
    try transaction.setLedgerValue(nil, forKey: LedgerKey.waiting(row.waiting))
    counters.quarantinedCount -= min(counters.quarantinedCount, 1)
  }
}
