import MailboxLog

/// The window of remembered ids: one row under the id, and one under a rising number, by which the oldest is found.
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
  /// Rows looked at in one pass of eviction: what bounds its memory.
  private static let evictionPassCount = 1_000

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
    if let earlier {
      try transaction.setLedgerValue(nil, forKey: LedgerKey.order(earlier.order))
      forget(entryKey)
    }
    let order = counters.nextOrder
    counters.nextOrder += 1
    let row = LedgerRow.Entry(order: order, appendedAt: appendedAt, position: position)
    try transaction.setLedgerValue(row.value(forKey: entryKey), forKey: entryKey)
    let orderKey = LedgerKey.order(order)
    let orderRow = LedgerRow.Order(recordedAt: now, entryKey: entryKey)
    try transaction.setLedgerValue(orderRow.value(forKey: orderKey), forKey: orderKey)
    counters.windowEntryCount += 1
    counters.windowByteCount += UInt64(LedgerFormat.windowByteCount(entryKey: entryKey))
  }

  /// Drops the oldest ids until the window is within its bounds. Looks at the rows that go, and at one more.
  mutating func evict(_ bounds: WindowBounds, now: LogTimestamp, in transaction: inout some PromotionTransaction) throws {
    var surplus: [(key: [UInt8], row: LedgerRow.Order)] = []
    repeat {
      surplus.removeAll(keepingCapacity: true)
      var entryCount = counters.windowEntryCount
      var byteCount = counters.windowByteCount
      guard entryCount > bounds.entryCountMax || byteCount > bounds.byteCountMax else { return }
      try transaction.forEachLedgerRow(prefix: LedgerFormat.Prefix.order) { key, value in
        guard let row = LedgerRow.Order(value, forKey: key) else { throw PromotionError.ledgerDamaged(key: key) }
        let age = now.secondsSinceReferenceDate - row.recordedAt.secondsSinceReferenceDate
        let isNeeded = entryCount <= bounds.entryCountMax || age < bounds.ageMax
        guard byteCount > bounds.byteCountMax || !isNeeded else { return false }
        surplus.append((key, row))
        entryCount -= min(entryCount, 1)
        byteCount -= min(byteCount, UInt64(LedgerFormat.windowByteCount(entryKey: row.entryKey)))
        return surplus.count < Self.evictionPassCount
      }
      for (key, row) in surplus { try forget(row, under: key, in: &transaction) }
    } while surplus.count == Self.evictionPassCount
  }

  /// Removes the oldest id's rows. The id's own row may name a newer number, or be gone; then it isn't this one's.
  private mutating func forget(
    _ row: LedgerRow.Order, under key: [UInt8], in transaction: inout some PromotionTransaction
  ) throws {
    try transaction.setLedgerValue(nil, forKey: key)
    forget(row.entryKey)
    guard let entry = try remembered(row.entryKey, in: &transaction), LedgerKey.order(entry.order) == key else { return }
    try transaction.setLedgerValue(nil, forKey: row.entryKey)
  }

  private mutating func forget(_ entryKey: [UInt8]) {
    counters.windowEntryCount -= min(counters.windowEntryCount, 1)
    counters.windowByteCount -= min(counters.windowByteCount, UInt64(LedgerFormat.windowByteCount(entryKey: entryKey)))
  }
}
