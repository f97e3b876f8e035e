#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeyCoding {
  enum DecimalClass {
    static let negative: UInt8 = 1
    static let zero: UInt8 = 2
    static let positive: UInt8 = 3
    static let notANumber: UInt8 = 4
  }

  /// So that exponents are positive: a Decimal's first digit has one of -128...166.
  static let exponentBias = 0x4000

  /// Digits are those of the significand without zeros at its end, so that equal numbers are one key whatever their exponents.
  static func append(_ value: Decimal, to key: inout [UInt8]) {
    if value.isNaN { return key.append(DecimalClass.notANumber) }
    var digits: [UInt8] = []
    var rest = DecimalCoding.significand(of: value)
    if rest == 0 { return key.append(DecimalClass.zero) }
    while rest > 0 {
      digits.append(UInt8(rest % 10))
      rest /= 10
    }
    let exponent = value.exponent + digits.count + exponentBias
    digits.reverse()
    while digits.last == 0 { digits.removeLast() }
    if digits.count % 2 == 1 { digits.append(0) }
    let flip: UInt8 = value.isSignMinus ? 0xFF : 0
    key.append(value.isSignMinus ? DecimalClass.negative : DecimalClass.positive)
    key.append(UInt8(exponent >> 8) ^ flip)
    key.append(UInt8(exponent & 0xFF) ^ flip)
    for index in stride(from: 0, to: digits.count, by: 2) { key.append((digits[index] * 10 + digits[index + 1] + 1) ^ flip) }
    key.append(0 ^ flip)
  }
}
