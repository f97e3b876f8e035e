#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension QueryParser {
  /// A value, or nil when something else stands here.
  mutating func literal() throws(QueryError) -> StoredValue? {
    switch token.kind {
    case .number(let value):
      try advance()
      return value
    case .string(let text):
      try advance()
      return .string(text)
    case .name(let word, isQuoted: false): return try named(word)
    default: return nil
    }
  }

  mutating func value() throws(QueryError) -> StoredValue {
    guard let value = try literal() else { throw failure("a value") }
    return value.canonicalLiteral
  }

  private mutating func named(_ word: String) throws(QueryError) -> StoredValue? {
    switch word {
    case "true", "false":
      try advance()
      return .bool(word == "true")
    case "nil":
      try advance()
      return .null
    case "nan", "inf":
      try advance()
      return .double(word == "nan" ? .nan : .infinity)
    case "date", "uuid", "decimal", "data": return try written(word)
    default: return nil
    }
  }

  /// `date("…")`; without the parenthesis it is a property of that name.
  private mutating func written(_ kind: String) throws(QueryError) -> StoredValue? {
    guard nextIsParenthesis else { return nil }
    try advance()
    try expect("(")
    let offset = token.offset
    let value: StoredValue
    if kind == "date", case .number(let number) = token.kind {
      try advance()
      value = .date(try seconds(number, offset))
    } else if kind == "date", token.isWord("inf") || token.isWord("nan") {
      value = .date(token.isWord("inf") ? .infinity : .nan)
      try advance()
    } else {
      let text = try string("the value, in quotes")
      guard let read = Self.read(kind, text) else { throw failure(at: offset, Self.meaning(kind)) }
      value = read
    }
    try expect(")")
    return value
  }

  private func seconds(_ number: StoredValue, _ offset: Int) throws(QueryError) -> Double {
    switch number {
    case .int(let value): return Double(value)
    case .double(let value): return value
    default: throw failure(at: offset, "seconds since 2001-01-01")
    }
  }

  private static func read(_ kind: String, _ text: String) -> StoredValue? {
    switch kind {
    case "uuid": return UUID(uuidString: text).map(StoredValue.uuid)
    case "data": return Hexadecimal.bytes(text).map(StoredValue.data)
    case "decimal":
      if text == "NaN" { return .decimal(.nan) }
      return Decimal(string: text).map(StoredValue.decimal)
    default:
      let whole = try? Date(text, strategy: .iso8601)
      let date = whole ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      return date.map { .date($0.timeIntervalSinceReferenceDate) }
    }
  }

  private static func meaning(_ kind: String) -> String {
    switch kind {
    case "uuid": "a UUID"
    case "data": "bytes in hexadecimal"
    case "decimal": "a decimal number"
    default: "seconds since 2001-01-01, or an ISO 8601 date and time"
    }
  }
}
