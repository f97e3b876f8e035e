public import MailboxLog

/// Entries that couldn't be opened, decoded or mapped, kept in the target with the reason.
public struct PromotionQuarantine<Target: PromotionTarget>: Sendable {
  /// Rows removed in one transaction.
  private static var dropPassCount: Int { 1_000 }
  let target: Target

  /// Looks into the quarantine of a store; needs no mailbox.
  public init(in target: Target) { self.target = target }

  /// How many entries are in it. - Complexity: one transaction that writes nothing.
  public var count: Int {
    get async throws(PromotionError) { Int(clamping: try await target.ledgerCounters().quarantinedCount) }
  }

  /// Lists entries, the one that came first first.
  ///
  /// - Parameter limit: the most to return; their bytes are copied.
  /// - Parameter position: the last entry of the page before; nil, or one that is no longer there: from the oldest.
  /// - Throws: ``PromotionError/ledgerDamaged(key:)`` when a row's bytes aren't this library's; the target's own errors.
  public func entries(limit: Int = 100, after position: MailboxPosition? = nil) async throws(PromotionError) -> [QuarantinedEntry] {
    try await target.inTransaction { transaction in
      var from: UInt64 = 0
      if let position, let row = try PromotionLedger.quarantined(position, in: &transaction) { from = row.waiting + 1 }
      let waiting = try PromotionLedger.waiting(from: from, limit: limit, in: &transaction)
      return try waiting.compactMap { _, position in
        try PromotionLedger.quarantined(position, in: &transaction).map { QuarantinedEntry($0, at: position) }
      }
    }
  }

  /// Removes entries for good.
  ///
  /// Guarantee: on return, none of them is retried or listed again, also after a loss of power.
  /// - Parameter positions: which; nil: all.
  /// - Returns: how many were there.
  /// - Throws: ``PromotionError``; what was removed by then stays removed.
  @discardableResult
  public func drop(_ positions: [MailboxPosition]? = nil) async throws(PromotionError) -> Int {
    var rest = positions?[...]
    var droppedCount = 0
    while true {
      let some = rest.map { Array($0.prefix(Self.dropPassCount)) }
      let pass = try await target.inTransaction { transaction in try Self.drop(some, in: &transaction) }
      droppedCount += pass.droppedCount
      rest = rest?.dropFirst(Self.dropPassCount)
      if rest?.isEmpty ?? (pass.seenCount < Self.dropPassCount) { return droppedCount }
    }
  }

  private static func drop(
    _ positions: [MailboxPosition]?, in transaction: inout Target.Transaction
  ) throws -> (seenCount: Int, droppedCount: Int) {
    var ledger = try PromotionLedger(reading: &transaction)
    let positions =
      try positions ?? PromotionLedger.waiting(from: 0, limit: dropPassCount, in: &transaction).map(\.position)
    var droppedCount = 0
    for position in positions {
      guard let row = try PromotionLedger.quarantined(position, in: &transaction) else { continue }
      try ledger.release(row, at: position, in: &transaction)
      droppedCount += 1
    }
    try ledger.write(dropping: [], in: &transaction)
    return (positions.count, droppedCount)
  }
}

/// One entry of the quarantine.
public struct QuarantinedEntry: Sendable {
  /// As appended; empty when the record couldn't be opened.
  public let id: String
  /// Where the entry was in the mailbox; what retrying and dropping take.
  public let position: MailboxPosition
  /// What the rule, an upcaster or the mailbox said the last time; up to 1,024 bytes of it.
  public let reason: String
  /// How often the app's code has thrown for it; 0 when none has run.
  public let attemptCount: Int
  /// As appended, before any upcaster.
  public let schemaVersion: UInt32
  /// When the helper appended it.
  public let appendedAt: LogTimestamp
  /// When it was set aside.
  public let quarantinedAt: LogTimestamp
  /// Whether `bytes` are encoded fields and not a payload.
  public let hasFields: Bool
  /// The value as appended. Empty when the record couldn't be opened.
  public let bytes: [UInt8]

  init(_ row: QuarantineRow, at position: MailboxPosition) {
    id = String(decoding: row.id, as: UTF8.self)
    self.position = position
    reason = String(decoding: row.reason, as: UTF8.self)
    attemptCount = Int(row.attemptCount)
    schemaVersion = row.schemaVersion
    appendedAt = row.appendedAt
    quarantinedAt = row.quarantinedAt
    hasFields = row.hasFields
    bytes = row.bytes
  }
}
