import CZlib
package import RawMemory

/// CRC-32 as in zlib, gzip and PNG.
package enum Checksum {
  /// - Parameter seed: the checksum of what came before; 0 at the start.
  package static func crc32(_ buffer: ByteBuffer, _ range: Range<Int>, seed: UInt32 = 0) -> UInt32 {
    unsafe buffer.withUnsafeAddress(range) { address in
      UInt32(truncatingIfNeeded: unsafe CZlib.crc32(uLong(seed), address.assumingMemoryBound(to: Bytef.self), uInt(range.count)))
    }
  }

  /// The checksum of eight bytes, least significant first: for seeds made of a number.
  package static func crc32(of value: UInt64, seed: UInt32 = 0) -> UInt32 {
    var bytes = value.littleEndian
    return unsafe withUnsafeBytes(of: &bytes) { raw in
      UInt32(truncatingIfNeeded: unsafe CZlib.crc32(uLong(seed), raw.baseAddress!.assumingMemoryBound(to: Bytef.self), 8))
    }
  }
}

extension Checksum {
  /// As over a buffer.
  package static func crc32(_ bytes: borrowing RawSpan, seed: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { raw in
      guard let address = raw.baseAddress else { return seed }
      return UInt32(
        truncatingIfNeeded: unsafe CZlib.crc32(uLong(seed), address.assumingMemoryBound(to: Bytef.self), uInt(raw.count)))
    }
  }
}
