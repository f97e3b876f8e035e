import CSystem
import CZlib
package import RawMemory

/// CRC-32 as in zlib, gzip and PNG.
package enum Checksum {
  /// - Parameter seed: the checksum of what came before; 0 at the start.
  package static func crc32(_ buffer: ByteBuffer, _ range: Range<Int>, seed: UInt32 = 0) -> UInt32 {
    unsafe buffer.withUnsafeAddress(range) { address in unsafe crc32(UnsafeRawPointer(address), range.count, seed: seed) }
  }

  /// The checksum of eight bytes, least significant first: for seeds made of a number.
  package static func crc32(of value: UInt64, seed: UInt32 = 0) -> UInt32 {
    var bytes = value.littleEndian
    return unsafe withUnsafeBytes(of: &bytes) { raw in unsafe crc32(raw.baseAddress!, 8, seed: seed) }
  }

  /// As over a buffer.
  package static func crc32(_ bytes: borrowing RawSpan, seed: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { raw in
      guard let address = raw.baseAddress else { return seed }
      return unsafe crc32(address, raw.count, seed: seed)
    }
  }

  /// By carry-less multiplication where the processor has it, what that leaves through zlib.
  private static func crc32(_ address: UnsafeRawPointer, _ count: Int, seed: UInt32) -> UInt32 {
    var checksum = seed
    let done = unsafe anteroom_crc32(&checksum, address, count)
    if done == count { return checksum }
    let rest = unsafe (address + done).assumingMemoryBound(to: Bytef.self)
    return UInt32(truncatingIfNeeded: unsafe CZlib.crc32(uLong(checksum), rest, uInt(count - done)))
  }
}
