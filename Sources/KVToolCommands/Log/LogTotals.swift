import MailboxLog

/// Counts over all records of a log, dead ones too, for which no key is needed.
struct LogTotals {
  private(set) var setCount: UInt64 = 0
  private(set) var removalCount: UInt64 = 0
  private(set) var indexCount: UInt64 = 0
  private(set) var recordByteCount: UInt64 = 0
  private(set) var indexByteCount: UInt64 = 0
  private(set) var damagedRangeCount: UInt64 = 0
  private(set) var newest: Int64?
  private(set) var lastWriter: [UInt8]?
  private(set) var lastSequence: UInt64 = 0

  var recordCount: UInt64 { setCount + removalCount + indexCount }

  init(_ inspection: SegmentInspection) throws {
    var totals = self
    try inspection.forEachItem { item in
      try ToolFailure.checkInterruption()
      if item.isBeyondCommittedEnd { return }
      if item.badReason != nil {
        totals.damagedRangeCount += 1
        return
      }
      let writer = item.writerID
      try item.withRecord { totals.add($0, writer) }
    }
    self = totals
  }

  private mutating func add(_ record: borrowing LogRecord, _ writer: [UInt8]) {
    let byteCount = UInt64(record.range.count)
    recordByteCount += byteCount
    switch record.kind {
    case .set: setCount += 1
    case .remove, .removeAll: removalCount += 1
    case .index:
      indexCount += 1
      indexByteCount += byteCount
      return
    }
    newest = max(newest ?? 0, record.appendedAt)
    lastSequence = max(lastSequence, record.sequence)
    lastWriter = writer
  }

  func describe(_ facts: FactPrinter) throws {
    try facts.add("recordCount", number: recordCount)
    try facts.add("recordByteCount", number: recordByteCount)
    try facts.add("indexCount", number: indexCount)
    try facts.add("indexByteCount", number: indexByteCount)
    try facts.add("damagedRangeCount", number: damagedRangeCount)
    if let newest { try facts.add("newest", TimestampText.text(microseconds: newest)) }
    if let lastWriter { try facts.add("lastWriter", Hexadecimal.text(lastWriter)) }
  }
}

/// Counts over the live entries of a log.
struct LiveTotals {
  private(set) var keyCount: UInt64 = 0
  private(set) var byteCount: UInt64 = 0
  private(set) var expiringCount: UInt64 = 0
  private(set) var types: [String: (count: UInt64, byteCount: UInt64)] = [:]
  /// Values of up to 16, 64, 256, … bytes; the last are larger than 1 MiB.
  private(set) var sizes = [UInt64](repeating: 0, count: sizeLimits.count + 1)
  static let sizeLimits = [16, 64, 256, 1024, 4096, 16_384, 65_536, 1 << 20]

  init(_ source: LogSource) throws {
    var totals = self
    try source.forEachLive { record in
      totals.keyCount += 1
      totals.byteCount += UInt64(record.range.count)
      if record.expiresAt != 0 { totals.expiringCount += 1 }
      totals.types[record.typeName, default: (0, 0)].count += 1
      totals.types[record.typeName, default: (0, 0)].byteCount += UInt64(record.byteCount)
      let byteCount = record.byteCount
      totals.sizes[Self.sizeLimits.firstIndex { byteCount <= $0 } ?? Self.sizeLimits.count] += 1
    }
    self = totals
  }
}
