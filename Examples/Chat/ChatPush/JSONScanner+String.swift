extension JSONScanner {
  /// Reads a string and undoes its escapes; the bytes of everything else stay as they are.
  mutating func scanString() throws(PushError) -> String {
    guard current == UInt8(ascii: "\"") else { throw failure("expected a string") }
    offset += 1
    var text: [UInt8] = []
    while true {
      let run = offset
      while offset < bytes.count, bytes[offset] >= 0x20, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\") {
        offset += 1
      }
      text.append(contentsOf: bytes[run..<offset])
      guard offset < bytes.count else { throw failure("the string doesn't end") }
      let byte = bytes[offset]
      guard byte >= 0x20 else { throw failure("a control character in a string") }
      offset += 1
      if byte == UInt8(ascii: "\"") { break }
      try scanEscape(into: &text)
    }
    guard let string = String(validating: text, as: UTF8.self) else { throw failure("the string isn't UTF-8") }
    return string
  }

  /// Reads what follows a backslash.
  private mutating func scanEscape(into text: inout [UInt8]) throws(PushError) {
    let escape = current
    offset += 1
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: UTF8.encode(try scanScalar())!)
    default: throw failure("no such escape")
    }
  }

  /// Reads the digits behind `\u`, and the second half of a surrogate pair where there is one.
  private mutating func scanScalar() throws(PushError) -> Unicode.Scalar {
    let unit = try scanHexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), current == UInt8(ascii: "\\") else { throw failure("half a surrogate pair") }
    offset += 1
    guard current == UInt8(ascii: "u") else { throw failure("half a surrogate pair") }
    offset += 1
    let trail = try scanHexadecimal()
    guard UTF16.isTrailSurrogate(trail) else { throw failure("half a surrogate pair") }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func scanHexadecimal() throws(PushError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch current {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = current - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = current - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = current - UInt8(ascii: "A") + 10
      default: throw failure("expected four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      offset += 1
    }
    return value
  }
}
