import RawMemory

/// Values as keys: the order of the bytes is the order of the values, every value tells where it ends, and can be read back.
///
/// | kind | bytes |
/// | --- | --- |
/// | optional | 0 for nil, else 1 and the value: nil comes first |
/// | Bool | 0 or 1 |
/// | integers | 8, big-endian; of the signed ones the sign bit is flipped |
/// | Float, Double, Date | 8, big-endian, sign bit flipped, all bits flipped for negatives; -0.0 is 0.0; every NaN is 8 times FF |
/// | Decimal | class (1 negative, 2 zero, 3 positive, 4 NaN); exponent of the first digit (2); digit pairs + 1; 0. Flipped for negatives |
/// | String | UTF-8 of the NFC form, 00 as 00 FF, then 00 01 |
/// | Data | the same with its bytes |
/// | UUID | 16 |
package enum KeyCoding {
  /// Appends a key. The caller checks the length that results.
  /// - Returns: false when the value isn't of that kind, or the kind has no order: then nothing was appended.
  @discardableResult
  package static func append(_ value: StoredValue, kind: ColumnKind, isOptional: Bool, to key: inout [UInt8]) -> Bool {
    if case .null = value {
      if isOptional { key.append(0) }
      return isOptional
    }
    let count = key.count
    if isOptional { key.append(1) }
    if append(value, kind: kind, to: &key) { return true }
    key.removeLast(key.count - count)
    return false
  }

  private static func append(_ value: StoredValue, kind: ColumnKind, to key: inout [UInt8]) -> Bool {
    switch (kind, value) {
    case (.bool, .bool(let value)): key.append(value ? 1 : 0)
    case (.int8, .int(let value)), (.int16, .int(let value)), (.int32, .int(let value)), (.int64, .int(let value)):
      append(UInt64(bitPattern: value) ^ signBit, to: &key)
    case (.uint8, .uint(let value)), (.uint16, .uint(let value)), (.uint32, .uint(let value)), (.uint64, .uint(let value)):
      append(value, to: &key)
    case (.float, .double(let value)), (.double, .double(let value)), (.date, .date(let value)): append(ordered(value), to: &key)
    case (.decimal, .decimal(let value)): append(value, to: &key)
    case (.string, .string(let value)):
      appendEscaped(normalized: value, to: &key)
      key.append(contentsOf: terminator)
    case (.data, .data(let value)):
      appendEscaped(value.span, to: &key)
      key.append(contentsOf: terminator)
    case (.uuid, .uuid(let value)): UUIDCoding.append(value, to: &key)
    default: return false
    }
    return true
  }

  static let signBit: UInt64 = 1 << 63
  static let terminator: [UInt8] = [0, 1]

  static func append(_ value: UInt64, to key: inout [UInt8]) {
    key.append(littleEndian: value.byteSwapped)
  }

  /// IEEE bits in an order of unsigned integers.
  static func ordered(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = value == 0 ? 0 : value.bitPattern
    return bits & signBit == 0 ? bits | signBit : ~bits
  }

  static func double(ordered bits: UInt64) -> Double {
    if bits == .max { return .nan }
    return Double(bitPattern: bits & signBit == 0 ? ~bits : bits & ~signBit)
  }
}
