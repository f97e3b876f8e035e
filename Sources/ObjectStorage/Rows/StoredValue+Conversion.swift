#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoredValue {
  /// An integer, if it is one in the range of `T`.
  func integer<T: FixedWidthInteger>() -> T? {
    switch self {
    case .int(let value): T(exactly: value)
    case .uint(let value): T(exactly: value)
    default: nil
    }
  }

  /// A floating-point number, or an integer that one holds exactly.
  var number: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(exactly: value)
    case .uint(let value): Double(exactly: value)
    default: nil
    }
  }
}

extension Float {
  /// As a Double: exactly, the bits of a NaN too, which a conversion would change.
  var widened: Double {
    guard isNaN else { return Double(self) }
    let sign = UInt64(bitPattern >> 31) << 63
    return Double(bitPattern: sign | 0x7FF0_0000_0000_0000 | UInt64(bitPattern & 0x007F_FFFF) << 29)
  }

  /// The inverse; nil for a number that a Float can't hold.
  init?(narrowing value: Double) {
    guard value.isNaN else {
      self.init(exactly: value)
      return
    }
    let fraction = UInt32(truncatingIfNeeded: value.bitPattern >> 29) & 0x007F_FFFF
    // What a Float has no room for mustn't make an infinity of a NaN.
    self.init(bitPattern: UInt32(value.bitPattern >> 63) << 31 | 0x7F80_0000 | (fraction == 0 ? 0x0040_0000 : fraction))
  }
}

extension ColumnKind {
  /// Values that differ, and that the usual functions of one value don't leave as they are.
  var samples: [StoredValue] {
    switch self {
    case .bool: [.bool(true), .bool(false)]
    case .int8, .int16, .int32, .int64: [.int(-71), .int(9)]
    case .uint8, .uint16, .uint32, .uint64: [.uint(71), .uint(9)]
    case .float, .double: [.double(-71.625), .double(9.375)]
    case .decimal: [.decimal(-71), .decimal(9)]
    case .string: [.string(" aZ\u{E9}9 "), .string("qR/7\n")]
    case .data: [.data([0xFF, 0, 71]), .data([9])]
    case .date: [.date(-71.625), .date(9.375)]
    case .uuid: [.uuid(UUID()), .uuid(UUID())]
    case .embedded, .list, .set, .map, .link: []
    }
  }
}
