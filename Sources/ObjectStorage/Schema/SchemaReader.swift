import RawMemory

/// Reads a stored schema part by part; what isn't there throws.
struct SchemaReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func number<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) throws(RowError) -> T {
    var value: T = 0
    for (index, byte) in try take(MemoryLayout<T>.size).enumerated() { value |= T(truncatingIfNeeded: byte) << T(8 * index) }
    return value
  }

  /// With its byte count (u32) in front.
  mutating func block() throws(RowError) -> [UInt8] { Array(try take(Int(try number(UInt32.self)))) }

  /// With its byte count (u16) in front.
  mutating func text() throws(RowError) -> String {
    let bytes = try take(Int(try number(UInt16.self)))
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .damaged(reason: .value) }
    return text
  }

  private mutating func take(_ byteCount: Int) throws(RowError) -> ArraySlice<UInt8> {
    guard byteCount <= bytes.count - offset else { throw .damaged(reason: .tooShort) }
    defer { offset += byteCount }
    return bytes[offset..<offset + byteCount]
  }
}

extension [UInt8] {
  /// What ``SchemaReader/block()`` reads.
  mutating func append(block: [UInt8]) {
    append(littleEndian: UInt32(clamping: block.count))
    append(contentsOf: block)
  }

  /// What ``SchemaReader/text()`` reads; what is longer than its count can say is cut.
  mutating func append(text: String) {
    let bytes = text.utf8.prefix(Int(UInt16.max))
    append(littleEndian: UInt16(bytes.count))
    append(contentsOf: bytes)
  }
}
