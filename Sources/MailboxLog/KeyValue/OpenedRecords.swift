import RawMemory

/// Records of a sealed log that were opened last, small ones only: a hard budget of 64 KiB. A buffer is wiped when its last reader lets go of it.
///
/// Half of it is for records of 256 bytes and less. Each record has one slot that it can be in, by its offset.
final class OpenedRecords {
  static let recordByteCountMax = 1024
  private static let smallByteCountMax = 256
  private static let smallCount = 128
  private static let slotCount = smallCount + 32
  private var offsets: [UInt64] = []
  private var buffers: [ByteBuffer?] = []

  private func slot(_ offset: UInt64, _ byteCount: Int) -> Int {
    let mixed = Int(truncatingIfNeeded: ((offset >> 3) &* 0x9E37_79B9_7F4A_7C15) >> 40)
    return byteCount <= Self.smallByteCountMax
      ? mixed % Self.smallCount : Self.smallCount + mixed % (Self.slotCount - Self.smallCount)
  }

  /// The frame and its opened body, from 0 on.
  func buffer(at offset: UInt64, byteCount: Int) -> ByteBuffer? {
    if offsets.isEmpty { return nil }
    let slot = slot(offset, byteCount)
    return offsets[slot] == offset ? buffers[slot] : nil
  }

  /// A buffer for a record to be opened in: kept here where it is small.
  ///
  /// A buffer that somebody still reads isn't written over: the record then gets one of its own.
  func makeBuffer(at offset: UInt64, byteCount: Int) -> ByteBuffer {
    guard byteCount <= Self.recordByteCountMax else { return ByteBuffer(count: byteCount, isWiped: true) }
    if offsets.isEmpty {
      offsets = Array(repeating: 0, count: Self.slotCount)
      buffers = Array(repeating: nil, count: Self.slotCount)
    }
    let slot = slot(offset, byteCount)
    offsets[slot] = offset
    if buffers[slot] != nil, isKnownUniquelyReferenced(&buffers[slot]) { return buffers[slot]! }
    let buffer = ByteBuffer(
      count: byteCount <= Self.smallByteCountMax ? Self.smallByteCountMax : Self.recordByteCountMax, isWiped: true)
    buffers[slot] = buffer
    return buffer
  }

  /// Lets go of a record that couldn't be opened.
  func forget(_ offset: UInt64, byteCount: Int) {
    if offsets.isEmpty { return }
    let slot = slot(offset, byteCount)
    if offsets[slot] == offset { offsets[slot] = 0 }
  }

  func removeAll() { (offsets, buffers) = ([], []) }
}
