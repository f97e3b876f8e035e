import MailboxLog

/// The rows of the ledger that have one length, as values. A nil from `init?` is a row that is damaged.
enum LedgerRow {
  struct Segment: Equatable {
    var sequence: UInt64
    var mailbox: UInt64
  }
  struct Waiting: Equatable {
    var position: MailboxPosition
  }
  struct Counters: Equatable {
    var windowEntryCount: UInt64 = 0
    var windowByteCount: UInt64 = 0
    var nextOrder: UInt64 = 0
    var quarantinedCount: UInt64 = 0
    var nextWaiting: UInt64 = 0
    var promotedCount: UInt64 = 0
    var duplicateCount: UInt64 = 0
    var lastPromotedAt: LogTimestamp?
  }
}

extension LedgerRow.Segment {
  init?(_ value: [UInt8], forKey key: [UInt8]) {
    guard let row = LedgerBytes(value, forKey: key, byteCount: LedgerFormat.SegmentRow.byteCount) else { return nil }
    sequence = row.integer(UInt64.self, at: LedgerFormat.SegmentRow.sequence)
    mailbox = row.integer(UInt64.self, at: LedgerFormat.SegmentRow.mailbox)
  }
  func value(forKey key: [UInt8]) -> [UInt8] {
    var row = LedgerBytes(byteCount: LedgerFormat.SegmentRow.byteCount)
    row.put(sequence, at: LedgerFormat.SegmentRow.sequence)
    row.put(mailbox, at: LedgerFormat.SegmentRow.mailbox)
    return row.stored(forKey: key)
  }
}

extension LedgerRow.Waiting {
  init?(_ value: [UInt8], forKey key: [UInt8]) {
    guard let row = LedgerBytes(value, forKey: key, byteCount: LedgerFormat.WaitingRow.byteCount) else { return nil }
    position = row.position(at: LedgerFormat.WaitingRow.position)
  }
  func value(forKey key: [UInt8]) -> [UInt8] {
    var row = LedgerBytes(byteCount: LedgerFormat.WaitingRow.byteCount)
    row.put(position, at: LedgerFormat.WaitingRow.position)
    return row.stored(forKey: key)
  }
}

extension LedgerRow.Counters {
  init?(_ value: [UInt8], forKey key: [UInt8]) {
    typealias Offset = LedgerFormat.CountersRow
    guard let row = LedgerBytes(value, forKey: key, byteCount: Offset.byteCount) else { return nil }
    windowEntryCount = row.integer(UInt64.self, at: Offset.windowEntryCount)
    windowByteCount = row.integer(UInt64.self, at: Offset.windowByteCount)
    nextOrder = row.integer(UInt64.self, at: Offset.nextOrder)
    quarantinedCount = row.integer(UInt64.self, at: Offset.quarantinedCount)
    nextWaiting = row.integer(UInt64.self, at: Offset.nextWaiting)
    promotedCount = row.integer(UInt64.self, at: Offset.promotedCount)
    duplicateCount = row.integer(UInt64.self, at: Offset.duplicateCount)
    if row.integer(UInt64.self, at: Offset.lastPromotedAt) != 0 { lastPromotedAt = row.time(at: Offset.lastPromotedAt) }
  }
  func value(forKey key: [UInt8]) -> [UInt8] {
    typealias Offset = LedgerFormat.CountersRow
    var row = LedgerBytes(byteCount: Offset.byteCount)
    row.put(windowEntryCount, at: Offset.windowEntryCount)
    row.put(windowByteCount, at: Offset.windowByteCount)
    row.put(nextOrder, at: Offset.nextOrder)
    row.put(quarantinedCount, at: Offset.quarantinedCount)
    row.put(nextWaiting, at: Offset.nextWaiting)
    row.put(promotedCount, at: Offset.promotedCount)
    row.put(duplicateCount, at: Offset.duplicateCount)
    if let lastPromotedAt { row.put(lastPromotedAt, at: Offset.lastPromotedAt) }
    return row.stored(forKey: key)
  }
}
