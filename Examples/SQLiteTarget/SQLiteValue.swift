/// A value of a column or of a `?` in a statement.
public enum SQLiteValue: Sendable, Hashable {
  /// SQL's NULL.
  case null
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A binary64 number.
  case real(Double)
  /// UTF-8 text.
  case text(String)
  /// Bytes as they are.
  case blob([UInt8])

  /// The text; nil when it is of another kind.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The integer; nil when it is of another kind.
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  /// The bytes; nil when it is of another kind.
  public var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

/// What SQLite said. The statement had no effect unless its transaction says otherwise.
public struct SQLiteError: Error, Sendable, CustomStringConvertible {
  /// SQLite's extended result code.
  public let code: Int32
  /// SQLite's own sentence.
  public let message: String
  /// The statement; empty for opening.
  public let sql: String

  /// Code, sentence and statement.
  public var description: String { "SQLite error \(code), \(message)\(sql.isEmpty ? "" : ": \(sql)")" }
}
