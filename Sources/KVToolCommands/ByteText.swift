/// Hex digits, lower case when written, both cases when read.
enum Hexadecimal {
  static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }

  static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 48...57: digit - 48
    case 65...70: digit - 55
    case 97...102: digit - 87
    default: nil
    }
  }

  static func text(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    for byte in bytes {
      output.append(digit(byte >> 4))
      output.append(digit(byte & 15))
    }
    return String(decoding: output, as: UTF8.self)
  }

  static func text(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// nil when a character isn't a digit, or one is left over.
  static func bytes(_ digits: [UInt8]) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      output.append(high << 4 | low)
    }
    return output
  }
}

/// Base64 with padding, as in RFC 4648.
enum Base64 {
  static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// nil for anything but whole groups of four with at most two `=` at the end and no bits left over.
  static func bytes(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var output: [UInt8] = []
    output.reserveCapacity(text.count / 4 * 3)
    var (bits, count): (UInt32, Int) = (0, 0)
    for character in text.dropLast(padding) {
      let value = values[Int(character)]
      guard value != 0xFF else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bits & (1 << UInt32(count) - 1) == 0 ? output : nil
  }
}
