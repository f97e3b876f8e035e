import MailboxLog

/// The window of remembered ids: rows under a rising number, the oldest first, and an index of them in memory.
///
/// An id that comes again is the newest, and its older place in the order is void. Void places take bytes until they are the
/// oldest; they go then, and they never count as ids.
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

  /// What is remembered of an entry's key.
  mutating func remembered(_ entryKey: [UInt8], in transaction: inout some PromotionTransaction) throws -> Remembered? {
    try window.load(in: &transaction)
    return try window.find(entryKey, in: &transaction)
  }

  /// Remembers an entry as the newest, in place of `earlier` with the same key.
  mutating func remember(
    _ entryKey: [UInt8], _ place: LedgerRow.Place, inPlaceOf earlier: Remembered?, now: LogTimestamp,
    in transaction: inout some PromotionTransaction
  ) throws {
    try window.load(in: &transaction)
    if !window.hasRoom(for: entryKey, of: place.position.segment, at: now) { try writeOrder(in: &transaction) }
    window.append(entryKey, place, inPlaceOf: earlier, now: now, number: counters.nextOrder)
    counters.nextOrder += 1
    if earlier == nil { counters.windowEntryCount += 1 } else { hasVoidPlaces = true }
  }

  /// Writes the row of the ids that were remembered last: before the order is read, and before the transaction ends.
  mutating func writeOrder(in transaction: inout some PromotionTransaction) throws {
    counters.windowByteCount += UInt64(try window.writeNewest(in: &transaction))
  }

  /// Drops the oldest ids until the window is within its bounds. Looks at the rows that go, and at a few more.
  mutating func evict(_ bounds: WindowBounds, now: LogTimestamp, in transaction: inout some PromotionTransaction) throws {
    try writeOrder(in: &transaction)
    var oldest: [WindowRow] = []
    repeat {
      guard counters.windowEntryCount > bounds.entryCountMax || counters.windowByteCount > bounds.byteCountMax || hasVoidPlaces
      else { return }
      try window.load(in: &transaction)
      oldest = try WindowRow.read(limit: Self.evictionPassCount, in: &transaction)
      for row in oldest where try !evict(row, bounds, now: now, in: &transaction) { return }
    } while oldest.count == Self.evictionPassCount
  }

  /// Drops the ids of the oldest row, up to the first that stays. - Returns: whether all went.
  private mutating func evict(
    _ row: WindowRow, _ bounds: WindowBounds, now: LogTimestamp, in transaction: inout some PromotionTransaction
  ) throws -> Bool {
    let isYoung = now.secondsSinceReferenceDate - row.value.recordedAt.secondsSinceReferenceDate < bounds.ageMax
    var droppedCount = 0
    row.value.forEachKey { key in
      let isVoid = window.index.isVoid(window.index.first + droppedCount)
      if !isVoid {
        let isNeeded = counters.windowEntryCount <= bounds.entryCountMax || isYoung
        guard counters.windowByteCount > bounds.byteCountMax || !isNeeded else { return false }
      }
      counters.shrinkWindow(entryCount: isVoid ? 0 : 1, byteCount: LedgerRow.Order.byteCount(entryKey: key))
      droppedCount += 1
      return true
    }
    guard droppedCount > 0 else { return false }
    try window.dropFirst(droppedCount, of: row, in: &transaction)
    guard droppedCount == row.value.count else { return false }
    counters.shrinkWindow(byteCount: row.key.count + LedgerRow.Order.emptyByteCount)
    return true
  }
}

extension LedgerRow.Counters {
  /// Never below nothing, whatever was damaged.
  fileprivate mutating func shrinkWindow(entryCount: UInt64 = 0, byteCount: Int) {
    windowEntryCount -= min(windowEntryCount, entryCount)
    windowByteCount -= min(windowByteCount, UInt64(byteCount))
  }
}
