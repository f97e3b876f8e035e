/// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Scalars {
  struct Scalar {
    let value: UInt32
    let byteCount: Int
  }

  /// The scalar that begins at an index; nil when none does.
  static func scalar(at index: Int, in bytes: Span<UInt8>) -> Scalar? {
    let first = bytes[index]
    if first < 0x80 { return Scalar(value: UInt32(first), byteCount: 1) }
    let (count, smallest, bits): (Int, UInt32, UInt8)
    switch first {
    case 0xC2...0xDF: (count, smallest, bits) = (2, 0x80, first & 0x1F)
    case 0xE0...0xEF: (count, smallest, bits) = (3, 0x800, first & 0x0F)
    case 0xF0...0xF4: (count, smallest, bits) = (4, 0x1_0000, first & 0x07)
    default: return nil
    }
    guard index <= bytes.count - count else { return nil }
    var value = UInt32(bits)
    for offset in 1..<count {
      let byte = bytes[index + offset]
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard value >= smallest, value <= 0x10_FFFF, !(0xD800...0xDFFF).contains(value) else { return nil }
    return Scalar(value: value, byteCount: count)
  }

  static func isValid(_ bytes: Span<UInt8>) -> Bool { allScalars(of: bytes) { _ in true } }

  /// UTF-8 that a person can read: of the control characters it has tabs and line ends at most.
  static func isText(_ bytes: Span<UInt8>) -> Bool {
    allScalars(of: bytes) { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }

  /// Where a run of ASCII without controls, quotes and backslashes ends that begins at an index: bytes that every form prints
  /// as they are.
  static func plainEnd(from index: Int, in bytes: Span<UInt8>) -> Int {
    var end = index
    while end < bytes.count {
      let byte = bytes[end]
      if byte < 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x5C { break }
      end += 1
    }
    return end
  }

  private static func allScalars(of bytes: Span<UInt8>, _ isFine: (UInt32) -> Bool) -> Bool {
    var index = plainEnd(from: 0, in: bytes)
    while index < bytes.count {
      guard let scalar = scalar(at: index, in: bytes), isFine(scalar.value) else { return false }
      index = plainEnd(from: index + scalar.byteCount, in: bytes)
    }
    return true
  }

  /// Controls, and what changes the direction of text or can't be seen: never sent to a terminal as they are.
  static func isHidden(_ value: UInt32) -> Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
