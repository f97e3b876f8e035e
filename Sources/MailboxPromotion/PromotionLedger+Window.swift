import MailboxLog

/// The window of remembered ids: one row under each id, and its key in a row under a rising number, by which the oldest are found.
///
/// An id that comes again is the newest, and its older place in the order is void: its row names another number. Void places
/// count as ids until they are the oldest; they go then.
extension PromotionLedger {
  /// How large the window may get. An id is kept while it is among the newest `entryCountMax` or younger than `ageMax`
  /// seconds, and never while all of them take more than `byteCountMax`.
  struct WindowBounds {
    var entryCountMax: UInt64
    var ageMax: Double
    var byteCountMax: UInt64

    init(_ options: PromotionOptions) {
      entryCountMax = UInt64(max(0, options.ledgerEntryCountMax))
      let age = options.ledgerAgeMax.components
      ageMax = Double(age.seconds) + Double(age.attoseconds) * 1e-18
      byteCountMax = UInt64(max(0, options.ledgerByteCountMax))
    }
  }
  /// Rows of the order read in one pass of eviction: what bounds its memory.
  private static let evictionPassCount = 16

  /// What is remembered under an `id` or `key` row's key.
  func remembered(_ entryKey: [UInt8], in transaction: inout some PromotionTransaction) throws -> LedgerRow.Entry? {
    guard let value = try transaction.ledgerValue(forKey: entryKey) else { return nil }
    guard let row = LedgerRow.Entry(value, forKey: entryKey) else { throw PromotionError.ledgerDamaged(key: entryKey) }
    return row
  }

  /// Remembers an entry as the newest, in place of `earlier` under the same key.
  mutating func remember(
    _ entryKey: [UInt8], position: MailboxPosition, appendedAt: LogTimestamp, inPlaceOf earlier: LedgerRow.Entry?,
    now: LogTimestamp, in transaction: inout some PromotionTransaction
  ) throws {
    let isFull = recent.byteCount + LedgerFormat.OrderRow.byteCount(entryKey: entryKey) > LedgerFormat.OrderRow.byteCountMax
    if isFull || recent.recordedAt != now { try writeOrder(in: &transaction) }
    let row = LedgerRow.Entry(order: counters.nextOrder, appendedAt: appendedAt, position: position)
    try transaction.setLedgerValue(row.value(forKey: entryKey), forKey: entryKey)
    recent.add(entryKey, at: now, order: counters.nextOrder)
    counters.nextOrder += 1
    counters.windowEntryCount += 1
    if earlier == nil {
      counters.windowByteCount += UInt64(LedgerFormat.entryRowByteCount(entryKey))
    } else {
      hasVoidPlaces = true
    }
  }

  /// Writes the row of the ids that were remembered last: before the order is read, and before the transaction ends.
  mutating func writeOrder(in transaction: inout some PromotionTransaction) throws {
    guard let recordedAt = recent.recordedAt else { return }
    let key = LedgerKey.order(recent.first)
    let value = LedgerRow.Order(recordedAt: recordedAt, entryKeys: recent.entryKeys).value(forKey: key)
    try transaction.setLedgerValue(value, forKey: key)
    counters.windowByteCount += UInt64(key.count + value.count)
    recent = RecentIDs()
  }

  /// Drops the oldest ids until the window is within its bounds. Looks at the rows that go, and at a few more.
  mutating func evict(_ bounds: WindowBounds, now: LogTimestamp, in transaction: inout some PromotionTransaction) throws {
    try writeOrder(in: &transaction)
    var oldest: [(key: [UInt8], row: LedgerRow.Order)] = []
    repeat {
      guard counters.windowEntryCount > bounds.entryCountMax || counters.windowByteCount > bounds.byteCountMax || hasVoidPlaces
      else { return }
      oldest.removeAll(keepingCapacity: true)
      try transaction.forEachLedgerRow(prefix: LedgerFormat.Prefix.order) { key, value in
        guard let row = LedgerRow.Order(value, forKey: key) else { throw PromotionError.ledgerDamaged(key: key) }
        oldest.append((key, row))
        return oldest.count < Self.evictionPassCount
      }
      for (key, row) in oldest where try !evict(row, under: key, bounds, now: now, in: &transaction) { return }
    } while oldest.count == Self.evictionPassCount
  }

  /// Drops the ids of a row of the order, up to the first that stays. - Returns: whether all went.
  private mutating func evict(
    _ row: LedgerRow.Order, under key: [UInt8], _ bounds: WindowBounds, now: LogTimestamp,
    in transaction: inout some PromotionTransaction
  ) throws -> Bool {
    guard let first = LedgerKey.number(key, after: LedgerFormat.Prefix.order) else { throw PromotionError.ledgerDamaged(key: key) }
    let isYoung = now.secondsSinceReferenceDate - row.recordedAt.secondsSinceReferenceDate < bounds.ageMax
    var dropped = 0
    for entryKey in row.entryKeys {
      let isVoid = try remembered(entryKey, in: &transaction)?.order != first + UInt64(dropped)
      if !isVoid {
        let isNeeded = counters.windowEntryCount <= bounds.entryCountMax || isYoung
        guard counters.windowByteCount > bounds.byteCountMax || !isNeeded else { break }
        try transaction.setLedgerValue(nil, forKey: entryKey)
        counters.shrinkWindow(byteCount: LedgerFormat.entryRowByteCount(entryKey))
      }
      counters.shrinkWindow(entryCount: 1, byteCount: LedgerFormat.OrderRow.byteCount(entryKey: entryKey))
      dropped += 1
    }
    if dropped > 0 { try transaction.setLedgerValue(nil, forKey: key) }
    if dropped == row.entryKeys.count {
      counters.shrinkWindow(byteCount: LedgerFormat.OrderRow.fixedByteCount)
      return true
    }
    if dropped > 0 {
      let rest = LedgerRow.Order(recordedAt: row.recordedAt, entryKeys: Array(row.entryKeys[dropped...]))
      let restKey = LedgerKey.order(first + UInt64(dropped))
      try transaction.setLedgerValue(rest.value(forKey: restKey), forKey: restKey)
    }
    return false
  }
}

/// The ids that were remembered since a row of the order was written last.
struct RecentIDs {
  private(set) var entryKeys: [[UInt8]] = []
  /// nil while there is none.
  private(set) var recordedAt: LogTimestamp?
  /// The first one's number.
  private(set) var first: UInt64 = 0
  /// Of their row's value.
  private(set) var byteCount = LedgerFormat.OrderRow.entryKeys + LedgerFormat.checkByteCount

  mutating func add(_ entryKey: [UInt8], at now: LogTimestamp, order: UInt64) {
    if entryKeys.isEmpty { (recordedAt, first) = (now, order) }
    entryKeys.append(entryKey)
    byteCount += LedgerFormat.OrderRow.byteCount(entryKey: entryKey)
  }
}

extension LedgerRow.Counters {
  /// Never below nothing, whatever was damaged.
  fileprivate mutating func shrinkWindow(entryCount: UInt64 = 0, byteCount: Int) {
    windowEntryCount -= min(windowEntryCount, entryCount)
    windowByteCount -= min(windowByteCount, UInt64(byteCount))
  }
}
