import CSQLite
import Foundation

/// A value of a column or of a parameter.
enum JudgeValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

struct JudgeError: Error { let reason: String }

/// An SQLite database in memory, with Foundation's folding and regular expressions as functions of SQL.
@safe final class JudgeDatabase {
  private var handle: OpaquePointer?

  init() throws {
    guard unsafe sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK else {
      throw JudgeError(reason: "no database")
    }
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    unsafe sqlite3_create_function_v2(
      handle, "fold", 2, flags, nil,
      { context, _, values in
        unsafe JudgeDatabase.answer(context, values) { text, options in JudgeText.fold(text, options: Int(options) ?? 0) }
      }, nil, nil, nil)
    unsafe sqlite3_create_function_v2(
      handle, "matches", 2, flags, nil,
      { context, _, values in
        unsafe JudgeDatabase.answer(context, values) { text, pattern in JudgeText.matches(text, pattern) ? "1" : nil }
      }, nil, nil, nil)
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Of two texts a text; NULL when the first one is NULL, and for nil.
  private static func answer(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ body: (String, String) -> String?
  ) {
    guard let values = unsafe values, let first = unsafe sqlite3_value_text(values[0]),
      let second = unsafe sqlite3_value_text(values[1]),
      let result = unsafe body(String(cString: first), String(cString: second))
    else { return unsafe sqlite3_result_null(context) }
    unsafe sqlite3_result_text(context, result, -1, copies)
  }

  /// SQLITE_TRANSIENT, a macro.
  private static var copies: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  func execute(_ sql: String, _ values: [JudgeValue] = []) throws { _ = try integers(sql, values) }

  /// The first column of every row.
  func integers(_ sql: String, _ values: [JudgeValue]) throws -> [Int] {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
    defer { unsafe sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      guard unsafe bind(value, statement, Int32(index + 1)) == SQLITE_OK else { throw failure(sql) }
    }
    var rows: [Int] = []
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(Int(unsafe sqlite3_column_int64(statement, 0)))
      case SQLITE_DONE: return rows
      default: throw failure(sql)
      }
    }
  }

  private func bind(_ value: JudgeValue, _ statement: OpaquePointer?, _ index: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(statement, index)
    case .integer(let integer): return unsafe sqlite3_bind_int64(statement, index, integer)
    case .real(let number): return unsafe sqlite3_bind_double(statement, index, number)
    case .text(let text): return unsafe sqlite3_bind_text(statement, index, text, -1, Self.copies)
    case .blob(let bytes):
      if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, index, 0) }
      return unsafe sqlite3_bind_blob64(statement, index, bytes, UInt64(bytes.count), Self.copies)
    }
  }

  private func failure(_ sql: String) -> JudgeError {
    JudgeError(reason: "\(unsafe String(cString: sqlite3_errmsg(handle))): \(sql)")
  }
}

/// Text as the judge stores it, and what SQLite doesn't know of it.
enum JudgeText {
  /// Composed, so that the bytes decide. SQLite's functions of text end at a NUL: U+0001 stands for it, which no sample has and which sorts
  /// and matches alike.
  static func stored(_ text: String) -> String {
    String(text.precomposedStringWithCanonicalMapping.unicodeScalars.map { $0 == "\0" ? "\u{1}" : Character($0) })
  }

  /// - Parameter options: the bits of `StringOptions`.
  static func fold(_ text: String, options: Int) -> String {
    var compare: String.CompareOptions = []
    if options & 1 != 0 { compare.insert(.caseInsensitive) }
    if options & 2 != 0 { compare.insert(.diacriticInsensitive) }
    return text.folding(options: compare, locale: nil).precomposedStringWithCanonicalMapping
  }

  static func matches(_ text: String, _ pattern: String) -> Bool {
    guard let expression = try? NSRegularExpression(pattern: "^(?:\(pattern))\\z") else { return false }
    return expression.firstMatch(in: text, range: NSRange(location: 0, length: (text as NSString).length)) != nil
  }
}
