import MailboxLog

/// The ledger inside one transaction: read when the transaction begins, written before it commits.
///
/// Rows of the quarantine are read and written at once; counters, cursors and the newest ids are kept here and written by
/// `write`. What survives the transaction is the index of the window, which is checked against the store before it is used, so
/// that two processes never act on what the other has changed.
struct PromotionLedger {
  /// The last promoted sequence of each segment that has a row.
  private(set) var cursors: [MailboxSegmentID: LedgerRow.Segment] = [:]
  var counters: LedgerRow.Counters
  /// Taken over from the transaction before, or loaded when it is first needed.
  var window: PromotionWindow
  /// Whether an id came again in this transaction, so that its older place in the order is void.
  var hasVoidPlaces = false
  /// What had to be made anew because its row was damaged.
  private(set) var damage: [String] = []
  /// As read; nil when there was none.
  private let storedCounters: [UInt8]?
  private var movedSegments: Set<MailboxSegmentID> = []
  private var damagedSegmentKeys: [[UInt8]] = []

  /// Reads the counters and the cursors.
  ///
  /// A cursor that is damaged counts as absent: its segment's entries are replayed, and those that were promoted are known by
  /// their ids. Counters that are damaged or absent are counted anew.
  /// - Parameter index: of an earlier transaction, from the same store or from any other.
  init(reading transaction: inout some PromotionTransaction, index: consuming WindowIndex? = nil) throws {
    window = PromotionWindow(index)
    storedCounters = try transaction.ledgerValue(forKey: LedgerKey.counters)
    if let row = storedCounters.flatMap({ LedgerRow.Counters($0, forKey: LedgerKey.counters) }) {
      counters = row
    } else {
      if storedCounters != nil { damage.append("the ledger's counters were damaged and are counted anew") }
      counters = try LedgerRow.Counters(counting: &transaction)
    }
    var cursors: [MailboxSegmentID: LedgerRow.Segment] = [:]
    var damagedKeys: [[UInt8]] = []
    try transaction.forEachLedgerRow(prefix: LedgerFormat.Prefix.segment) { key, value in
      if let segment = LedgerKey.segment(key), let row = LedgerRow.Segment(value, forKey: key) {
        cursors[segment] = row
      } else {
        damagedKeys.append(key)
      }
      return true
    }
    self.cursors = cursors
    damagedSegmentKeys = damagedKeys
    for key in damagedKeys { damage.append("the ledger's row \(LedgerFormat.readable(key)) was damaged and is taken as absent") }
  }

  /// Moves a segment's cursor; false when the entry was promoted before, and is only to be acknowledged again.
  mutating func advance(to position: MailboxPosition, of mailbox: UInt64) -> Bool {
    if let last = cursors[position.segment], position.sequence <= last.sequence { return false }
    cursors[position.segment] = LedgerRow.Segment(sequence: position.sequence, mailbox: mailbox)
    movedSegments.insert(position.segment)
    return true
  }

  /// Writes what changed. The rows of `gone`, segments whose removal is durable, go.
  mutating func write(dropping gone: Set<MailboxSegmentID>, in transaction: inout some PromotionTransaction) throws {
    try writeOrder(in: &transaction)
    for key in damagedSegmentKeys { try transaction.setLedgerValue(nil, forKey: key) }
    for segment in movedSegments {
      let key = LedgerKey.segment(segment)
      try transaction.setLedgerValue(cursors[segment]?.value(forKey: key), forKey: key)
    }
    for segment in gone where !movedSegments.contains(segment) {
      guard cursors.removeValue(forKey: segment) != nil else { continue }
      try transaction.setLedgerValue(nil, forKey: LedgerKey.segment(segment))
    }
    let value = counters.value(forKey: LedgerKey.counters)
    guard value != storedCounters, storedCounters != nil || counters != LedgerRow.Counters() else { return }
    try transaction.setLedgerValue(value, forKey: LedgerKey.counters)
  }
}

extension LedgerRow.Counters {
  /// Counts the rows that are there; the totals begin anew.
  init(counting transaction: inout some PromotionTransaction) throws {
    self.init()
    var counted = self
    var keys: Set<[UInt8]> = []
    try transaction.forEachLedgerRow(prefix: LedgerFormat.Prefix.order) { key, value in
      guard let number = LedgerKey.number(key, after: LedgerFormat.Prefix.order), let row = LedgerRow.Order(value, forKey: key)
      else { throw PromotionError.ledgerDamaged(key: key) }
      row.forEachKey { entryKey in
        keys.insert(Array(entryKey))
        return true
      }
      counted.windowByteCount += UInt64(key.count + value.count)
      counted.nextOrder = max(counted.nextOrder, number &+ UInt64(row.count))
      return true
    }
    try transaction.forEachLedgerRow(prefix: LedgerFormat.Prefix.waiting) { key, _ in
      guard let number = LedgerKey.number(key, after: LedgerFormat.Prefix.waiting) else {
        throw PromotionError.ledgerDamaged(key: key)
      }
      counted.quarantinedCount += 1
      counted.nextWaiting = max(counted.nextWaiting, number &+ 1)
      return true
    }
    counted.windowEntryCount = UInt64(keys.count)
    self = counted
  }
}
