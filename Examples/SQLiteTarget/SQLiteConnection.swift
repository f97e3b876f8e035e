import CSQLite

/// One connection: prepares each statement once, binds values, steps. The only file that calls SQLite.
///
/// Not Sendable: whoever owns it serializes its use. Pointers never leave it.
@safe final class SQLiteConnection {
  private static let cachedStatementCountMax = 64
  private var handle: OpaquePointer?
  /// Statements that are reset and in nobody's use.
  private var idle: [String: OpaquePointer] = unsafe [:]

  /// Opens or makes the database.
  /// - Parameter busyTimeout: the longest wait for another connection's transaction.
  init(path: String, busyTimeout: Duration) throws(SQLiteError) {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK else {
      let error = failure(code, "")
      unsafe sqlite3_close_v2(handle)
      unsafe handle = nil
      throw error
    }
    let milliseconds = busyTimeout / .milliseconds(1)
    unsafe sqlite3_busy_timeout(handle, Int32(max(0, min(milliseconds, Double(Int32.max)))))
  }

  deinit {
    unsafe idle.values.forEach { unsafe sqlite3_finalize($0) }
    unsafe sqlite3_close_v2(handle)
  }

  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
  /// Rows that the last statement inserted, changed or deleted.
  var changeCount: Int { Int(unsafe sqlite3_changes(handle)) }

  /// Runs any number of statements without values.
  /// - Parameter busyTimeout: tries again until then while another connection is in the way; the change to a write-ahead log
  ///   doesn't wait by itself.
  func executeScript(_ sql: String, busyTimeout: Duration = .zero) throws(SQLiteError) {
    let deadline = ContinuousClock.now + busyTimeout
    var code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    while code & 0xFF == SQLITE_BUSY, ContinuousClock.now < deadline {
      sqlite3_sleep(5)
      code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    }
    guard code == SQLITE_OK else { throw failure(code, sql) }
  }

  /// Runs one statement to its end.
  func execute(_ sql: String, _ values: [SQLiteValue] = []) throws {
    try forEachRow(sql, values) { _ in true }
  }

  /// Passes a statement's rows until `body` returns false. `body` may run statements of its own, also this one.
  func forEachRow(_ sql: String, _ values: [SQLiteValue], _ body: ([SQLiteValue]) throws -> Bool) throws {
    let statement = unsafe try take(sql)
    defer { unsafe giveBack(statement, sql) }
    for (index, value) in values.enumerated() {
      let code = unsafe bind(value, to: statement, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw failure(code, sql) }
    }
    while true {
      let code = unsafe sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure(code, sql) }
      let columns = unsafe (0..<sqlite3_column_count(statement)).map { unsafe column($0, of: statement) }
      guard try body(columns) else { return }
    }
  }

  private func take(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    if let statement = unsafe idle.removeValue(forKey: sql) { return unsafe statement }
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw failure(code, sql) }
    return unsafe statement
  }

  private func giveBack(_ statement: OpaquePointer, _ sql: String) {
    unsafe sqlite3_reset(statement)
    unsafe sqlite3_clear_bindings(statement)
    if unsafe idle.count < Self.cachedStatementCountMax, unsafe idle[sql] == nil {
      unsafe idle[sql] = statement
    } else {
      unsafe sqlite3_finalize(statement)
    }
  }

  private func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT, a macro: SQLite copies the bytes before the call returns.
    let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return unsafe sqlite3_bind_null(statement, index)
    case .integer(let integer): return unsafe sqlite3_bind_int64(statement, index, integer)
    case .real(let number): return unsafe sqlite3_bind_double(statement, index, number)
    case .text(let text):
      var text = text
      return text.withUTF8 { utf8 in
        guard let start = utf8.baseAddress else { return unsafe sqlite3_bind_text(statement, index, "", 0, copies) }
        return unsafe start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { characters in
          unsafe sqlite3_bind_text64(statement, index, characters, UInt64(utf8.count), copies, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      // A null pointer would bind NULL.
      if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, index, 0) }
      return unsafe bytes.withUnsafeBytes { unsafe sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copies) }
    }
  }

  private func column(_ index: Int32, of statement: OpaquePointer) -> SQLiteValue {
    switch unsafe sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: .integer(unsafe sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(statement, index))
    case SQLITE_TEXT: .text(unsafe String(decoding: bytes(sqlite3_column_text(statement, index), index, statement), as: UTF8.self))
    case SQLITE_BLOB: .blob(unsafe Array(bytes(sqlite3_column_blob(statement, index), index, statement)))
    default: .null
    }
  }

  private func bytes(_ start: UnsafeRawPointer?, _ index: Int32, _ statement: OpaquePointer) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
  }

  private func failure(_ code: Int32, _ sql: String) -> SQLiteError {
    let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "out of memory"
    return SQLiteError(code: code, message: message, sql: sql)
  }
}

extension SQLiteError {
  /// Whether it is about the database, its disk or its locks, and not about the statement.
  var isAboutDatabase: Bool {
    // An extended code carries its kind in the low byte.
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_INTERRUPT, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_FULL,
      SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_NOTADB:
      true
    default: false
    }
  }
}
