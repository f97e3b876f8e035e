package import RawMemory

/// 48-bit names of a boot and of a file, small enough for one word.
package enum Identity {
  /// 48 bits from two checksums over the bytes; never 0.
  package static func fold(_ buffer: ByteBuffer, _ range: Range<Int>) -> UInt64 {
    let low = Checksum.crc32(buffer, range)
    let high = Checksum.crc32(buffer, range, seed: 0x9E37_79B9)
    let folded = UInt64(low) | UInt64(high & 0xFFFF) << 32
    return folded == 0 ? 1 : folded
  }

  /// Tells a file from its copies.
  package static func file(_ status: FileStatus) -> UInt64 {
    let buffer = ByteBuffer(count: 16)
    buffer.store(status.device, at: 0)
    buffer.store(status.inode, at: 8)
    return fold(buffer, 0..<16)
  }
}

extension Identity {
  /// As over a buffer.
  package static func fold(_ bytes: borrowing RawSpan) -> UInt64 {
    let folded = UInt64(Checksum.crc32(bytes)) | UInt64(Checksum.crc32(bytes, seed: 0x9E37_79B9) & 0xFFFF) << 32
    return folded == 0 ? 1 : folded
  }
}
