import MailboxLog

/// Counts over the records of a segment, or of several.
struct SegmentTotals {
  private(set) var fileByteCount: UInt64 = 0
  private(set) var recordCount: UInt64 = 0
  private(set) var pendingCount: UInt64 = 0
  private(set) var pendingByteCount: UInt64 = 0
  private(set) var damagedRangeCount: UInt64 = 0
  private(set) var oldestPending: LogTimestamp?
  private(set) var newest: LogTimestamp?
  private var lastWriter: [UInt8]?

  /// Walks over the segment, for which no key is needed.
  mutating func add(_ segment: SegmentInspection) throws {
    var totals = self
    totals.fileByteCount += segment.fileByteCount
    try segment.forEachItem { item in
      try ToolFailure.checkInterruption()
      if item.badReason != nil {
        totals.damagedRangeCount += item.isBeyondCommittedEnd ? 0 : 1
      } else if !item.isBeyondCommittedEnd {
        try totals.count(item)
      }
    }
    self = totals
  }

  private mutating func count(_ item: borrowing SegmentItem) throws {
    recordCount += 1
    if !item.isAcknowledged {
      pendingCount += 1
      pendingByteCount += UInt64(item.range.count)
    }
    try item.withEntry { entry in
      let time = entry.appendedAt
      if !item.isAcknowledged { oldestPending = min(oldestPending ?? time, time) }
      if time >= newest ?? time {
        newest = time
        lastWriter = item.writerID
      }
    }
  }

  mutating func add(_ other: SegmentTotals) {
    fileByteCount += other.fileByteCount
    recordCount += other.recordCount
    pendingCount += other.pendingCount
    pendingByteCount += other.pendingByteCount
    damagedRangeCount += other.damagedRangeCount
    if let time = other.oldestPending { oldestPending = min(oldestPending ?? time, time) }
    if let time = other.newest, time >= newest ?? time {
      newest = time
      lastWriter = other.lastWriter
    }
  }

  func describe(_ facts: FactPrinter) throws {
    try facts.add("fileByteCount", number: fileByteCount)
    try facts.add("recordCount", number: recordCount)
    try facts.add("pendingCount", number: pendingCount)
    try facts.add("pendingByteCount", number: pendingByteCount)
    try facts.add("damagedRangeCount", number: damagedRangeCount)
    if let oldestPending { try facts.add("oldestPending", TimestampText.text(oldestPending)) }
    if let newest { try facts.add("newest", TimestampText.text(newest)) }
    if let lastWriter { try facts.add("lastWriter", Hexadecimal.text(lastWriter)) }
  }
}
