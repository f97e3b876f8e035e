/// Reads one JSON object from bytes, front to back, and makes nothing but the values asked for.
///
/// Strict where it matters (control characters, lone surrogates, invalid UTF-8 and text behind the object are errors), and
/// bounded: values that are passed over may nest ``depthMax`` deep.
struct JSONScanner {
  static let depthMax = 16

  let bytes: [UInt8]
  var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at the offset; 0, which JSON doesn't have outside of strings, at the end.
  var current: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  func failure(_ reason: String) -> PushError { .malformed(offset: offset, reason: reason) }

  mutating func skipSpace() {
    while current == 0x20 || current == 0x09 || current == 0x0A || current == 0x0D { offset += 1 }
  }

  /// Takes one byte of structure, with white space on both sides.
  mutating func take(_ character: Unicode.Scalar) throws(PushError) {
    skipSpace()
    guard current == UInt8(ascii: character) else { throw failure("expected \(character)") }
    offset += 1
    skipSpace()
  }

  mutating func takeIfPresent(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard current == UInt8(ascii: character) else { return false }
    offset += 1
    skipSpace()
    return true
  }

  /// Reads an object and calls `field` with each name, at the start of its value, which `field` has to read.
  mutating func scanObject(
    _ field: (_ name: String, _ scanner: inout JSONScanner) throws(PushError) -> Void
  ) throws(PushError) {
    try take("{")
    if takeIfPresent("}") { return }
    repeat {
      let name = try scanString()
      try take(":")
      try field(name, &self)
    } while takeIfPresent(",")
    try take("}")
  }

  /// Accepts the end and nothing else.
  mutating func scanEnd() throws(PushError) {
    skipSpace()
    guard offset == bytes.count else { throw failure("text behind the object") }
  }

  /// Reads an integer that fits `Int`; a fraction or an exponent is an error.
  mutating func scanInteger() throws(PushError) -> Int {
    let start = offset
    if current == UInt8(ascii: "-") { offset += 1 }
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(current) { offset += 1 }
    let digits = bytes[start..<offset]
    let isPadded = digits.count > 1 && digits.first == UInt8(ascii: "0") || digits.starts(with: Array("-0".utf8))
    let isReal = [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(current)
    guard !isPadded, !isReal, let value = Int(String(decoding: digits, as: UTF8.self)) else {
      throw failure("expected an integer")
    }
    return value
  }

  /// Passes over a value of any kind.
  mutating func skipValue(depth: Int = 0) throws(PushError) {
    guard depth < Self.depthMax else { throw failure("nested too deep") }
    switch current {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "{"):
      try scanObject { _, scanner throws(PushError) in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "["):
      try take("[")
      if takeIfPresent("]") { return }
      repeat { try skipValue(depth: depth + 1) } while takeIfPresent(",")
      try take("]")
    default: try skipWord()
    }
  }

  /// Passes over `true`, `false`, `null` or a number.
  private mutating func skipWord() throws(PushError) {
    let start = offset
    while !isDelimiter(current) { offset += 1 }
    let word = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard ["true", "false", "null"].contains(word) || Double(word) != nil && word.utf8.allSatisfy(isOfNumber) else {
      offset = start
      throw failure("expected a value")
    }
  }

  private func isDelimiter(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  private func isOfNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}
