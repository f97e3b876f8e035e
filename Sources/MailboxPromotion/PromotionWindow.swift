import MailboxLog

/// The window's rows and their index, in one transaction.
struct PromotionWindow {
  private(set) var index: WindowIndex
  private var isLoaded = false
  /// Not yet written: the newest row.
  private var newest: (number: UInt64, ordinal: Int, row: LedgerRow.Order)?
  /// The row that was looked into last.
  private var lastRead: (number: UInt64, row: LedgerRow.Order)?
  /// Of this transaction's rows.
  private let mark = UInt64.random(in: .min ... .max)
  /// Rows read in one pass: what bounds the memory of loading.
  private static let passCount = 64

  init(_ index: consuming WindowIndex?) { self.index = index ?? WindowIndex() }

  /// Makes the index what the store's rows are.
  ///
  /// The index of an earlier transaction stays when the store has the newest row that it knows: it wasn't written twice, so what
  /// was before it is the same, but for what was dropped. What came since is read. Otherwise all is read.
  mutating func load(in transaction: inout some PromotionTransaction) throws {
    if isLoaded { return }
    isLoaded = true
    var number: UInt64 = 0
    if let tip = index.tip, try transaction.ledgerValue(forKey: LedgerKey.order(tip.number)) == tip.value {
      try transaction.forEachLedgerRow(prefix: LedgerFormat.Prefix.order) { key, _ in
        guard let oldest = LedgerKey.number(key, after: LedgerFormat.Prefix.order) else {
          throw PromotionError.ledgerDamaged(key: key)
        }
        index.drop(before: oldest)
        return false
      }
      number = tip.number + 1
    } else {
      index = WindowIndex()
    }
    var rows: [WindowRow]
    repeat {
      rows = try WindowRow.read(from: number, limit: Self.passCount, in: &transaction)
      for row in rows {
        try add(row, in: &transaction)
        number = row.number + 1
      }
    } while rows.count == Self.passCount
  }

  private mutating func add(_ row: WindowRow, in transaction: inout some PromotionTransaction) throws {
    let ordinal = index.end
    index.append(WindowIndex.Row(number: row.number, ordinal: ordinal))
    index.tip = WindowIndex.Tip(number: row.number, value: row.stored)
    lastRead = (row.number, row.value)
    try row.value.forEachKey { key in
      let hash = WindowIndex.hash(key)
      let earlier = try find(key, hash: hash, in: &transaction)
      index.append(hash: hash, inPlaceOf: earlier?.ordinal)
      return true
    }
  }

  /// What is remembered under a key.
  mutating func find(_ entryKey: [UInt8], in transaction: inout some PromotionTransaction) throws -> Remembered? {
    try find(entryKey[...], hash: WindowIndex.hash(entryKey), in: &transaction)
  }

  private mutating func find(
    _ entryKey: ArraySlice<UInt8>, hash: UInt32, in transaction: inout some PromotionTransaction
  ) throws -> Remembered? {
    // Most keys are new, and then there is nothing to look into.
    for ordinal in index.ordinals(withHash: hash) {
      if let place = try place(ordinal, withKey: entryKey, in: &transaction) { return Remembered(ordinal: ordinal, place: place) }
    }
    return nil
  }

  private mutating func place(
    _ ordinal: Int, withKey entryKey: ArraySlice<UInt8>, in transaction: inout some PromotionTransaction
  ) throws -> LedgerRow.Place? {
    if let newest, ordinal >= newest.ordinal { return newest.row.place(ordinal - newest.ordinal, withKey: entryKey) }
    let row = index.row(of: ordinal)
    if lastRead?.number != row.number {
      let key = LedgerKey.order(row.number)
      guard let value = try transaction.ledgerValue(forKey: key), let read = LedgerRow.Order(value, forKey: key) else {
        throw PromotionError.ledgerDamaged(key: key)
      }
      lastRead = (row.number, read)
    }
    guard let read = lastRead?.row, ordinal - row.ordinal < read.count else {
      throw PromotionError.ledgerDamaged(key: LedgerKey.order(row.number))
    }
    return read.place(ordinal - row.ordinal, withKey: entryKey)
  }

  /// Whether one more entry goes into the newest row.
  func hasRoom(for entryKey: [UInt8], of segment: MailboxSegmentID, at now: LogTimestamp) -> Bool {
    guard let row = newest?.row else { return true }
    let byteCount = row.byteCount + LedgerRow.Order.byteCount(entryKey: entryKey)
    return row.segment == segment && row.recordedAt == now && byteCount <= LedgerFormat.OrderRow.byteCountMax
  }

  /// Adds an entry to the newest row, which has room; `number` is its own.
  mutating func append(
    _ entryKey: [UInt8], _ place: LedgerRow.Place, inPlaceOf earlier: Remembered?, now: LogTimestamp, number: UInt64
  ) {
    if newest == nil {
      newest = (number, index.end, LedgerRow.Order(recordedAt: now, mark: mark, segment: place.position.segment))
    }
    newest?.row.append(entryKey, appendedAt: place.appendedAt, sequence: place.position.sequence)
    index.append(hash: WindowIndex.hash(entryKey), inPlaceOf: earlier?.ordinal)
  }

  /// Writes the newest row, if there is one; the next entry begins another. - Returns: the bytes of key and value.
  mutating func writeNewest(in transaction: inout some PromotionTransaction) throws -> Int {
    guard let (number, ordinal, row) = newest else { return 0 }
    newest = nil
    let key = LedgerKey.order(number)
    let value = row.value(forKey: key)
    try transaction.setLedgerValue(value, forKey: key)
    index.append(WindowIndex.Row(number: number, ordinal: ordinal))
    index.tip = WindowIndex.Tip(number: number, value: value)
    return key.count + value.count
  }

  /// Drops the first entries of the oldest row, and what is left of it goes on under a higher number.
  mutating func dropFirst(_ droppedCount: Int, of row: WindowRow, in transaction: inout some PromotionTransaction) throws {
    guard index.count >= droppedCount, index.row(of: index.first).number == row.number else {
      throw PromotionError.ledgerDamaged(key: row.key)
    }
    index.dropFirst(droppedCount)
    try transaction.setLedgerValue(nil, forKey: row.key)
    let isNewest = index.tip?.number == row.number
    if isNewest { index.tip = nil }
    guard droppedCount < row.value.count else { return }
    let number = row.number + UInt64(droppedCount)
    let key = LedgerKey.order(number)
    let value = row.value.dropping(droppedCount).value(forKey: key)
    try transaction.setLedgerValue(value, forKey: key)
    if isNewest { index.tip = WindowIndex.Tip(number: number, value: value) }
  }
}

/// What the window remembers of a key, and where.
struct Remembered {
  var ordinal: Int
  var place: LedgerRow.Place
}

/// A row of the order as it is stored.
struct WindowRow {
  var number: UInt64
  var key: [UInt8]
  var stored: [UInt8]
  var value: LedgerRow.Order

  /// Rows from a number on, at most `limit`.
  static func read(
    from number: UInt64 = 0, limit: Int, in transaction: inout some PromotionTransaction
  ) throws -> [WindowRow] {
    var rows: [WindowRow] = []
    let prefix = LedgerFormat.Prefix.order
    try transaction.forEachLedgerRow(prefix: prefix, from: LedgerKey.order(number)) { key, value in
      guard let number = LedgerKey.number(key, after: prefix), let row = LedgerRow.Order(value, forKey: key) else {
        throw PromotionError.ledgerDamaged(key: key)
      }
      rows.append(WindowRow(number: number, key: key, stored: value, value: row))
      return rows.count < limit
    }
    return rows
  }
}
