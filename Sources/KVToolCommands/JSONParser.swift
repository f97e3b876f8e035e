/// Reads one value of JSON, strictly (RFC 8259): UTF-8, no comments, no more than 32 levels, nothing after it.
struct JSONParser {
  private let bytes: [UInt8]
  private var index = 0
  private static let depthMax = 32

  static func value(_ bytes: [UInt8]) throws(MalformedLine) -> JSONValue {
    guard UTF8Scalars.isValid(bytes.span) else { throw MalformedLine("not UTF-8") }
    var parser = JSONParser(bytes)
    let value = try parser.parse(depth: 0)
    parser.skipSpace()
    if parser.index < bytes.count { throw parser.malformed("something after the value") }
    return value
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func parse(depth: Int) throws(MalformedLine) -> JSONValue {
    if depth > Self.depthMax { throw malformed("nested too deep") }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return .object(try parseObject(depth))
    case UInt8(ascii: "["): return .array(try parseArray(depth))
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case nil: throw malformed("ends early")
    default: return .number(try parseNumber())
    }
  }

  private mutating func parseObject(_ depth: Int) throws(MalformedLine) -> [(name: [UInt8], value: JSONValue)] {
    var members: [(name: [UInt8], value: JSONValue)] = []
    index += 1
    skipSpace()
    if take("}") { return members }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw malformed("a name is missing") }
      let name = try parseString()
      skipSpace()
      if !take(":") { throw malformed("':' is missing") }
      members.append((name, try parse(depth: depth + 1)))
      skipSpace()
    } while take(",")
    if !take("}") { throw malformed("'}' is missing") }
    return members
  }

  private mutating func parseArray(_ depth: Int) throws(MalformedLine) -> [JSONValue] {
    var elements: [JSONValue] = []
    index += 1
    skipSpace()
    if take("]") { return elements }
    repeat {
      elements.append(try parse(depth: depth + 1))
      skipSpace()
    } while take(",")
    if !take("]") { throw malformed("']' is missing") }
    return elements
  }

  private mutating func parseWord(_ word: String, _ value: JSONValue) throws(MalformedLine) -> JSONValue {
    guard bytes[index...].starts(with: word.utf8) else { throw malformed("no value") }
    index += word.utf8.count
    return value
  }

  private mutating func parseNumber() throws(MalformedLine) -> String {
    let start = index
    _ = take("-")
    let hasLeadingZero = peek == UInt8(ascii: "0")
    let whole = takeDigits()
    if whole == 0 { throw malformed("no value") }
    if hasLeadingZero, whole > 1 { throw malformed("a number begins with 0") }
    if take("."), takeDigits() == 0 { throw malformed("digits are missing") }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      if takeDigits() == 0 { throw malformed("digits are missing") }
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func parseString() throws(MalformedLine) -> [UInt8] {
    var text: [UInt8] = []
    index += 1
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return text
      case UInt8(ascii: "\\"):
        index += 1
        try parseEscape(into: &text)
      case 0..<0x20: throw malformed("a control character in a text")
      default:
        text.append(byte)
        index += 1
      }
    }
    throw malformed("a text has no end")
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(MalformedLine) {
    guard let letter = peek else { throw malformed("ends early") }
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var value = try parseFourDigits()
      if (0xD800...0xDBFF).contains(value), take("\\"), take("u") {
        let low = try parseFourDigits()
        if (0xDC00...0xDFFF).contains(low) { value = 0x1_0000 + (value - 0xD800) << 10 + (low - 0xDC00) }
      }
      guard let scalar = Unicode.Scalar(value) else { throw malformed("half of a surrogate pair") }
      text += Array(String(Character(scalar)).utf8)
    default: throw malformed("no such escape")
    }
  }

  private mutating func parseFourDigits() throws(MalformedLine) -> UInt32 {
    guard index + 4 <= bytes.count else { throw malformed("ends early") }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Hexadecimal.value(bytes[index]) else { throw malformed("no hex digit") }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ character: Character) -> Bool {
    guard peek == character.asciiValue else { return false }
    index += 1
    return true
  }
  private mutating func takeDigits() -> Int {
    let start = index
    while let digit = peek, (48...57).contains(digit) { index += 1 }
    return index - start
  }
  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
  }
  private func malformed(_ reason: String) -> MalformedLine { MalformedLine("column \(index + 1): \(reason)") }
}
