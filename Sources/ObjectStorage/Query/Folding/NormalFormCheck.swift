import RawMemory

/// Tells text that is in its composed form for sure, so that its bytes can be compared as they are.
///
/// A scalar is inert when it is its own composed form and composes with nothing in front of it; text of inert scalars alone is
/// composed. The check may say no to composed text, never yes to another one.
enum NormalFormCheck {
  /// - Complexity: O(*n*); eight bytes at a time for text below U+0300.
  static func isComposed(_ bytes: borrowing RawSpan) -> Bool {
    guard let offset = firstAbove0300(bytes) else { return true }
    return areInert(bytes, from: offset)
  }

  /// Whether every byte is ASCII.
  static func isASCII(_ bytes: borrowing RawSpan) -> Bool {
    let count = bytes.byteCount
    var offset = 0
    while offset <= count - 8 {
      if bytes.load(UInt64.self, at: offset) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < count {
      if bytes.load(UInt8.self, at: offset) >= 0x80 { return false }
      offset += 1
    }
    return true
  }

  /// Where the first scalar from U+0300 on stands: what is below is inert. Its first byte is 0xCC or above, as no byte of a
  /// lower one is.
  private static func firstAbove0300(_ bytes: borrowing RawSpan) -> Int? {
    let count = bytes.byteCount
    var offset = 0
    while offset <= count - 8 {
      let word = bytes.load(UInt64.self, at: offset)
      // 0x34 carries into the high bit from 0x4C on.
      if word & ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x3434_3434_3434_3434) & 0x8080_8080_8080_8080 != 0 { break }
      offset += 8
    }
    while offset < count {
      if bytes.load(UInt8.self, at: offset) >= 0xCC { return offset }
      offset += 1
    }
    return nil
  }

  private static func areInert(_ bytes: borrowing RawSpan, from start: Int) -> Bool {
    let count = bytes.byteCount
    var offset = start
    while offset < count {
      let first = UInt32(bytes.load(UInt8.self, at: offset))
      if first < 0xCC {
        offset += 1
        continue
      }
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard offset <= count - length else { return false }
      if !beginsInert(first) {
        var value = first & (0xFF >> UInt32(length + 1))
        for index in 1..<length { value = value << 6 | UInt32(bytes.load(UInt8.self, at: offset + index)) & 0x3F }
        if !isInert(value) { return false }
      }
      offset += length
    }
    return true
  }

  /// Whether every scalar whose first byte this is is inert: of the Cyrillic, Han and Hangul ranges below.
  static func beginsInert(_ first: UInt32) -> Bool {
    switch first {
    case 0xD0...0xD1, 0xE5...0xE9, 0xEB...0xEC: true
    default: false
    }
  }

  /// The letters of the common scripts. A test compares the ranges with the normal forms themselves.
  static func isInert(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x300, 0x0400...0x0482, 0x048A...0x052F, 0x05D0...0x05EA, 0x0621...0x064A, 0x0671...0x06D3, 0x0904...0x0928,
      0x092A...0x0930, 0x0E01...0x0E30, 0x1E00...0x1EFF, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF, 0x3000...0x3029,
      0x3041...0x3096, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF9D,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x2A6DF:
      true
    default: false
    }
  }
}
