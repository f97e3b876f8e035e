/// Bytes as one line of text that reads back: `\\`, `\n`, `\r`, `\t`, and `\xNN` for every byte that can't be shown.
enum Escape {
  /// Hands out the text in pieces: ranges of the input as they are, and escapes.
  static func forEachPiece(of bytes: Span<UInt8>, asIs: (Range<Int>) throws -> Void, escape: (String) throws -> Void) rethrows {
    var (index, plainStart) = (UTF8Scalars.plainEnd(from: 0, in: bytes), 0)
    while index < bytes.count {
      let scalar = UTF8Scalars.scalar(at: index, in: bytes)
      let count = scalar?.byteCount ?? 1
      if let scalar, !UTF8Scalars.isHidden(scalar.value), scalar.value != 0x5C {
        index = UTF8Scalars.plainEnd(from: index + count, in: bytes)
        continue
      }
      if plainStart < index { try asIs(plainStart..<index) }
      for offset in index..<index + count { try escape(text(for: bytes[offset])) }
      index += count
      plainStart = index
    }
    if plainStart < index { try asIs(plainStart..<index) }
  }

  static func text(for byte: UInt8) -> String {
    switch byte {
    case 0x5C: "\\\\"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    default: "\\x" + Hexadecimal.text([byte])
    }
  }

  static func escaped(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    forEachPiece(of: bytes.span, asIs: { output += bytes[$0] }, escape: { output += Array($0.utf8) })
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes that a text with escapes stands for; nil when one of its escapes is none.
  static func unescaped(_ text: String) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x5C else {
        output.append(byte)
        continue
      }
      switch rest.popFirst() {
      case 0x5C: output.append(0x5C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "x"):
        guard rest.count >= 2, let decoded = Hexadecimal.bytes(Array(rest.prefix(2))) else { return nil }
        output += decoded
        rest = rest.dropFirst(2)
      default: return nil
      }
    }
    return output
  }
}

/// A text from outside, safe to print in a message.
func printable(_ text: String) -> String { Escape.escaped(Array(text.utf8)) }
