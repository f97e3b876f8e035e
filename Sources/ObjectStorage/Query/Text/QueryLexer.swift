/// Cuts a query's text into words.
struct QueryLexer {
  /// Bytes; a longer text is refused.
  static let byteCountMax = 1 << 16

  let text: String
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var offset = 0

  init(_ text: String) throws(QueryError) {
    self.text = text
    guard text.utf8.count <= Self.byteCountMax else {
      let expected = "a text of at most \(Self.byteCountMax) bytes"
      throw .syntax(text: String(text.prefix(40)), offset: Self.byteCountMax, expected: expected)
    }
    scalars = Array(text.unicodeScalars)
  }

  func failure(at offset: Int, _ expected: String) -> QueryError { .syntax(text: text, offset: offset, expected: expected) }

  mutating func next() throws(QueryError) -> QueryToken {
    while let scalar = peek, scalar.properties.isWhitespace { advance() }
    let start = offset
    return QueryToken(kind: try kind(), offset: start)
  }

  private mutating func kind() throws(QueryError) -> QueryToken.Kind {
    guard let scalar = peek else { return .end }
    switch scalar {
    case "\"": return .string(try delimited("\""))
    case "`": return .name(try delimited("`"), isQuoted: true)
    case "$": return try element()
    case "0"..."9": return .number(try number())
    case "-" where isDigit(peek(1)) || isNegativeInfinity: return .number(try number())
    default: break
    }
    if QueryWords.startsName(scalar) { return .name(name(), isQuoted: false) }
    return try symbol()
  }

  private var peek: Unicode.Scalar? { peek(0) }
  private func peek(_ distance: Int) -> Unicode.Scalar? { index + distance < scalars.count ? scalars[index + distance] : nil }
  private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { $0 >= "0" && $0 <= "9" } ?? false }

  private var isNegativeInfinity: Bool {
    peek(1) == "i" && peek(2) == "n" && peek(3) == "f" && !(peek(4).map(QueryWords.continuesName) ?? false)
  }

  private mutating func advance() {
    offset += UTF8.width(scalars[index])
    index += 1
  }

  private mutating func name() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = peek, QueryWords.continuesName(scalar) {
      name.append(scalar)
      advance()
    }
    return String(name)
  }

  private mutating func element() throws(QueryError) -> QueryToken.Kind {
    let start = offset
    advance()
    var digits = ""
    while isDigit(peek), let digit = peek {
      digits.unicodeScalars.append(digit)
      advance()
    }
    guard let level = Int(digits), level < QueryParser.depthMax else { throw failure(at: start, "$0 or $1 and so on") }
    return .element(level)
  }

  private mutating func symbol() throws(QueryError) -> QueryToken.Kind {
    for symbol in Self.symbols where symbol.unicodeScalars.indices.count <= scalars.count - index {
      if zip(symbol.unicodeScalars, scalars[index...]).allSatisfy({ $0 == $1 }) {
        for _ in symbol.unicodeScalars { advance() }
        return .symbol(symbol)
      }
    }
    throw failure(at: offset, "a property, a value, an operator or a parenthesis")
  }

  /// Longer ones first.
  private static let symbols = [
    "...", "..<", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "|", "(", ")", "[", "]", "{", "}", ",", ":", ".", "-",
  ]
}

extension QueryLexer {
  private mutating func number() throws(QueryError) -> StoredValue {
    let start = offset
    var digits = ""
    if peek == "-" { take(into: &digits) }
    if peek == "i" {
      _ = name()
      return .double(-.infinity)
    }
    while isDigit(peek) { take(into: &digits) }
    var isInteger = true
    if peek == ".", isDigit(peek(1)) {
      isInteger = false
      take(into: &digits)
      while isDigit(peek) { take(into: &digits) }
    }
    let signs = peek(1) == "-" || peek(1) == "+"
    if peek == "e" || peek == "E", isDigit(signs ? peek(2) : peek(1)) {
      isInteger = false
      take(into: &digits)
      if signs { take(into: &digits) }
      while isDigit(peek) { take(into: &digits) }
    }
    if let scalar = peek, QueryWords.continuesName(scalar) { throw failure(at: offset, "a space behind the number") }
    if isInteger {
      if let value = Int64(digits) { return .int(value) }
      if let value = UInt64(digits) { return .uint(value) }
      throw failure(at: start, "a number from \(Int64.min) to \(UInt64.max)")
    }
    guard let value = Double(digits) else { throw failure(at: start, "a number") }
    return .double(value)
  }

  private mutating func take(into digits: inout String) {
    digits.unicodeScalars.append(scalars[index])
    advance()
  }

  /// What stands between two of `mark`, with backslash escapes.
  private mutating func delimited(_ mark: Unicode.Scalar) throws(QueryError) -> String {
    let start = offset
    var text = String.UnicodeScalarView()
    advance()
    while let scalar = peek, scalar != mark {
      if scalar == "\\" {
        text.append(try escape())
      } else {
        text.append(scalar)
        advance()
      }
    }
    if peek == nil { throw failure(at: offset, "the \(mark) that ends what begins at \(start)") }
    advance()
    return String(text)
  }

  private mutating func escape() throws(QueryError) -> Unicode.Scalar {
    let start = offset
    advance()
    guard let scalar = peek else { throw failure(at: offset, "an escaped character") }
    advance()
    switch scalar {
    case "\"", "\\", "`": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "u" where peek == "{":
      advance()
      var digits = ""
      while let digit = peek, digit.properties.isASCIIHexDigit, digits.utf8.count < 8 { take(into: &digits) }
      if peek == "}", let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) {
        advance()
        return scalar
      }
      throw failure(at: start, "\\u{…} with a Unicode scalar in hexadecimal")
    default: throw failure(at: start, "one of \\\" \\\\ \\` \\n \\r \\t \\0 \\u{…}")
    }
  }
}
