import RawMemory

/// How named fields lie in a record's value, one after the other: u16 bytes of the name, u8 type, u8 zero, u32 bytes of the value,
/// the name in UTF-8, the value.
enum FieldCoding {
  static let headerByteCount = 8
  static let nameByteCountMax = Int(UInt16.max)

  struct Field {
    let type: LogValueType
    let name: Range<Int>
    let value: Range<Int>
  }

  /// The field that starts at `offset`, as ranges of the span. nil when the bytes aren't a field.
  static func field(in bytes: Span<UInt8>, at offset: Int) -> Field? {
    guard offset <= bytes.count - headerByteCount else { return nil }
    let nameByteCount = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    var valueByteCount = 0
    for i in (0..<4).reversed() { valueByteCount = valueByteCount << 8 | Int(bytes[offset + 4 + i]) }
    let name = offset + headerByteCount
    guard let type = LogValueType(rawValue: bytes[offset + 2]), bytes[offset + 3] == 0,
      nameByteCount + valueByteCount <= bytes.count - name
    else { return nil }
    let value = name + nameByteCount
    return Field(type: type, name: name..<value, value: value..<value + valueByteCount)
  }

  static func appendHeader(to output: inout [UInt8], nameByteCount: Int, type: LogValueType, valueByteCount: Int) {
    output.append(UInt8(truncatingIfNeeded: nameByteCount))
    output.append(UInt8(truncatingIfNeeded: nameByteCount >> 8))
    output.append(type.rawValue)
    output.append(0)
    for shift in 0..<4 { output.append(UInt8(truncatingIfNeeded: valueByteCount >> (8 * shift))) }
  }
}
