public import MailboxPromotion

/// A write transaction: the app's own statements, and the ledger. Lent by ``SQLiteTarget``, and of no use after.
public struct SQLiteTransaction {
  let connection: SQLiteConnection

  /// Runs one statement to its end.
  ///
  /// - Parameter sql: one statement, with a `?` for each value. Prepared once for each text.
  /// - Parameter values: as many as there are `?`.
  /// - Returns: rows inserted, changed or deleted.
  /// - Throws: ``SQLiteError``; the statement had no effect.
  @discardableResult
  public mutating func execute(_ sql: String, _ values: SQLiteValue...) throws -> Int {
    try connection.execute(sql, values)
    return connection.changeCount
  }

  /// Runs one statement and returns its rows.
  ///
  /// - Parameter sql: one statement, with a `?` for each value.
  /// - Parameter values: as many as there are `?`.
  /// - Throws: ``SQLiteError``.
  public func rows(_ sql: String, _ values: SQLiteValue...) throws -> [[SQLiteValue]] {
    var rows: [[SQLiteValue]] = []
    try connection.forEachRow(sql, values) { row in
      rows.append(row)
      return true
    }
    return rows
  }
}

extension SQLiteTransaction: PromotionTransaction {
  /// Runs `body` in a savepoint.
  public mutating func nested(_ body: (inout SQLiteTransaction) throws -> Void) throws {
    try connection.execute("SAVEPOINT entry")
    do {
      try body(&self)
    } catch {
      try connection.execute("ROLLBACK TO entry")
      try connection.execute("RELEASE entry")
      throw error
    }
    try connection.execute("RELEASE entry")
  }

  /// Reads a row of `anteroom_ledger`.
  public func ledgerValue(forKey key: [UInt8]) throws -> [UInt8]? {
    var value: [UInt8]?
    try connection.forEachRow("SELECT value FROM anteroom_ledger WHERE key = ?", [.blob(key)]) { row in
      value = row[0].blob
      return false
    }
    return value
  }

  /// Writes or removes a row of `anteroom_ledger`.
  public mutating func setLedgerValue(_ value: [UInt8]?, forKey key: [UInt8]) throws {
    guard let value else { return try connection.execute("DELETE FROM anteroom_ledger WHERE key = ?", [.blob(key)]) }
    try connection.execute("INSERT OR REPLACE INTO anteroom_ledger VALUES (?, ?)", [.blob(key), .blob(value)])
  }

  /// Passes rows of `anteroom_ledger` in order of keys; a BLOB compares bytewise.
  public func forEachLedgerValue(from lowerBound: [UInt8], _ body: ([UInt8], [UInt8]) throws -> Bool) throws {
    let sql = "SELECT key, value FROM anteroom_ledger WHERE key >= ? ORDER BY key"
    try connection.forEachRow(sql, [.blob(lowerBound)]) { row in try body(row[0].blob ?? [], row[1].blob ?? []) }
  }

  /// A full disk, a lock, damage: not the entry's fault.
  public func endsPromotion(_ error: any Error) -> Bool { (error as? SQLiteError)?.isAboutDatabase ?? false }
}
