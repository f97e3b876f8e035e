import RawMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeyCoding {
  /// Reads one value of a key. Strings come back in their NFC form, floating-point numbers without the sign of zero.
  /// - Parameter offset: of the value; afterwards behind it.
  package static func decode(
    kind: ColumnKind, isOptional: Bool, from key: RawSpan, at offset: inout Int
  ) throws(RowError) -> StoredValue {
    if isOptional, try byte(key, &offset) == 0 { return .null }
    switch kind {
    case .bool: return .bool(try byte(key, &offset) != 0)
    case .int8, .int16, .int32, .int64: return .int(Int64(bitPattern: try word(key, &offset) ^ signBit))
    case .uint8, .uint16, .uint32, .uint64: return .uint(try word(key, &offset))
    case .float, .double: return .double(double(ordered: try word(key, &offset)))
    case .date: return .date(double(ordered: try word(key, &offset)))
    case .decimal: return .decimal(try decimal(key, &offset))
    case .string:
      let bytes = try unescaped(key, &offset)
      return .string(bytes.span.decodedString())
    case .data: return .data(try unescaped(key, &offset))
    case .uuid:
      guard offset + 16 <= key.byteCount else { throw .damaged(reason: .tooShort) }
      defer { offset += 16 }
      return .uuid(UUIDCoding.decode(key, at: offset))
    case .embedded, .list, .set, .map, .link: throw .damaged(reason: .value)
    }
  }

  private static func byte(_ key: RawSpan, _ offset: inout Int) throws(RowError) -> UInt8 {
    guard offset < key.byteCount else { throw .damaged(reason: .tooShort) }
    defer { offset += 1 }
    return key.load(UInt8.self, at: offset)
  }

  private static func word(_ key: RawSpan, _ offset: inout Int) throws(RowError) -> UInt64 {
    guard offset + 8 <= key.byteCount else { throw .damaged(reason: .tooShort) }
    defer { offset += 8 }
    return UInt64(bigEndian: key.load(UInt64.self, at: offset).littleEndian)
  }

  private static func unescaped(_ key: RawSpan, _ offset: inout Int) throws(RowError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let next = try byte(key, &offset)
      if next == 0 {
        switch try byte(key, &offset) {
        case 1: return bytes
        case 0xFF: break
        default: throw .damaged(reason: .value)
        }
      }
      bytes.append(next)
    }
  }

  private static func decimal(_ key: RawSpan, _ offset: inout Int) throws(RowError) -> Decimal {
    let first = try byte(key, &offset)
    switch first {
    case DecimalClass.zero: return 0
    case DecimalClass.notANumber: return .nan
    case DecimalClass.negative, DecimalClass.positive: break
    default: throw .damaged(reason: .value)
    }
    let flip: UInt8 = first == DecimalClass.negative ? 0xFF : 0
    var exponent = Int(try byte(key, &offset) ^ flip) << 8
    exponent += Int(try byte(key, &offset) ^ flip) - exponentBias
    var significand: UInt128 = 0
    while true {
      let pair = try byte(key, &offset) ^ flip
      if pair == 0 { break }
      exponent -= 2
      var digits = UInt128(pair - 1)
      guard digits < 100 else { throw .damaged(reason: .value) }
      // The last pair may have a zero of its own, which needn't fit: 39 digits are the most.
      let isLast = offset < key.byteCount && key.load(UInt8.self, at: offset) == flip
      var scale: UInt128 = 100
      if isLast && digits % 10 == 0 {
        digits /= 10
        scale = 10
        exponent += 1
      }
      let (product, tooLarge) = significand.multipliedReportingOverflow(by: scale)
      let (sum, carry) = product.addingReportingOverflow(digits)
      if tooLarge || carry { throw .damaged(reason: .value) }
      significand = sum
    }
    // Zeros at the end of the significand, which the key leaves out, may be what keeps the exponent in its range.
    while exponent > Int(Int8.max) {
      let (product, tooLarge) = significand.multipliedReportingOverflow(by: 10)
      if tooLarge { throw .damaged(reason: .value) }
      significand = product
      exponent -= 1
    }
    guard exponent >= Int(Int8.min) else { throw .damaged(reason: .value) }
    return DecimalCoding.decimal(isNegative: flip != 0, exponent: exponent, significand: significand)
  }
}
