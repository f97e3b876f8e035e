package import RawMemory

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Data {
  /// The bytes of a range of a buffer.
  package init(copying buffer: ByteBuffer, _ range: Range<Int>) {
    self.init()
    reserveCapacity(range.count)
    for index in range { append(buffer.load(UInt8.self, at: index)) }
  }

  /// Overwrites the bytes, as far as nobody else holds them.
  package mutating func wipe() { resetBytes(in: startIndex..<endIndex) }
}

extension ByteBuffer {
  /// A buffer of these bytes, and at least of one.
  package static func holding(_ data: Data) -> ByteBuffer {
    let buffer = ByteBuffer(count: Swift.max(data.count, 1))
    buffer.copy(data.span, at: 0)
    return buffer
  }
}
