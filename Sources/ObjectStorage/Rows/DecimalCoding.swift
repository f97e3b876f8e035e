import RawMemory

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A decimal in a row: flags (1 byte: 1 negative, 2 not a number), exponent (1, signed), significand (16, little-endian).
package enum DecimalCoding {
  package static let byteCount = 18

  static let negative: UInt8 = 1
  static let notANumber: UInt8 = 2

  /// The significand as a number; exact, a Decimal has at most 128 bits of it.
  package static func significand(of value: Decimal) -> UInt128 { UInt128(value.significand.description) ?? 0 }

  /// `significand` times ten to the `exponent`.
  package static func decimal(isNegative: Bool, exponent: Int, significand: UInt128) -> Decimal {
    let low = Decimal(UInt64(truncatingIfNeeded: significand))
    let high = UInt64(truncatingIfNeeded: significand >> 64)
    let whole = high == 0 ? low : Decimal(high) * (Decimal(UInt64.max) + 1) + low
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: whole)
  }

  package static func append(_ value: Decimal, to bytes: inout [UInt8]) {
    if value.isNaN {
      bytes.append(notANumber)
      for _ in 1..<byteCount { bytes.append(0) }
      return
    }
    bytes.append(value.isSignMinus ? negative : 0)
    bytes.append(UInt8(bitPattern: Int8(clamping: value.exponent)))
    var rest = significand(of: value)
    for _ in 2..<byteCount {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// - Parameter offset: of `byteCount` bytes that are there.
  package static func decode(_ bytes: RawSpan, at offset: Int) -> Decimal {
    let flags = bytes.load(UInt8.self, at: offset)
    if flags & notANumber != 0 { return .nan }
    return decimal(
      isNegative: flags & negative != 0, exponent: Int(bytes.load(Int8.self, at: offset + 1)),
      significand: UInt128(bytes.load(UInt64.self, at: offset + 10)) << 64 | UInt128(bytes.load(UInt64.self, at: offset + 2)))
  }
}
