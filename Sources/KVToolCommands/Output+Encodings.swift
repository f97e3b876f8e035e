/// The encodings of text and bytes, written without a copy.
extension Output {
  func write(escaped bytes: Span<UInt8>) throws {
    try Escape.forEachPiece(of: bytes, asIs: { try write(bytes.extracting($0)) }, escape: { try write($0) })
  }
  func write(escaped text: String) throws { try write(escaped: Array(text.utf8).span) }

  func write(hex bytes: Span<UInt8>) throws {
    for index in bytes.indices {
      try write(byte: Hexadecimal.digit(bytes[index] >> 4))
      try write(byte: Hexadecimal.digit(bytes[index] & 15))
    }
  }

  func write(base64 bytes: Span<UInt8>) throws {
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var bits: UInt32 = 0
      for offset in 0..<3 { bits = bits << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0) }
      for digit in 0..<4 {
        let value = Int(bits >> UInt32(18 - 6 * digit) & 63)
        try write(byte: digit <= count ? Base64.alphabet[value] : UInt8(ascii: "="))
      }
      index += count
    }
  }

  /// A JSON string. What isn't UTF-8 becomes U+FFFD: callers that must not lose bytes ask `UTF8Scalars` first.
  func write(json bytes: Span<UInt8>) throws {
    try write(byte: UInt8(ascii: "\""))
    var index = 0
    while index < bytes.count {
      let plainEnd = UTF8Scalars.plainEnd(from: index, in: bytes)
      if plainEnd > index {
        try write(bytes.extracting(index..<plainEnd))
        index = plainEnd
        continue
      }
      let scalar = UTF8Scalars.scalar(at: index, in: bytes)
      let count = scalar?.byteCount ?? 1
      switch scalar?.value {
      case nil: try write("\u{FFFD}")
      case 0x22: try write("\\\"")
      case 0x5C: try write("\\\\")
      case 0x0A: try write("\\n")
      case 0x0D: try write("\\r")
      case 0x09: try write("\\t")
      case .some(let value) where value <= 0xFFFF && UTF8Scalars.isHidden(value):
        try write("\\u" + Hexadecimal.text(UInt64(value), digits: 4))
      default: try write(bytes.extracting(index..<index + count))
      }
      index += count
    }
    try write(byte: UInt8(ascii: "\""))
  }
  func write(json text: String) throws { try write(json: Array(text.utf8).span) }

  /// A whole number that every reader of JSON keeps exact: a string where a double would round it.
  func write(json number: UInt64) throws { try write(number <= 1 << 53 ? "\(number)" : "\"\(number)\"") }

  /// A cell of a table of comma-separated values (RFC 4180), from text that is one line already.
  func write(csvCell cell: String) throws {
    let needsQuotes = cell.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
    if !needsQuotes { return try write(cell) }
    try write(byte: UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { try write(byte: byte) }
      try write(byte: byte)
    }
    try write(byte: UInt8(ascii: "\""))
  }

  enum Color: String { case red = "31", green = "32", dim = "2" }

  /// Text that stands out on a terminal.
  func write(_ text: String, _ color: Color) throws {
    try write(usesColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text)
  }
}
