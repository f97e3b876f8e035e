import RawMemory

/// Records of a sealed log that were opened last, small ones only: a hard budget of 64 KiB, wiped as it goes.
final class OpenedRecords {
  private static let slotCount = 64
  static let recordByteCountMax = 1024
  private var slots: [(offset: UInt64, buffer: ByteBuffer)?] = []

  private func slot(_ offset: UInt64) -> Int {
    Int(truncatingIfNeeded: ((offset >> 3) &* 0x9E37_79B9) >> 16) & (Self.slotCount - 1)
  }

  /// The frame and its opened body, from 0 on.
  func buffer(at offset: UInt64) -> ByteBuffer? {
    guard !slots.isEmpty, let slot = slots[slot(offset)], slot.offset == offset else { return nil }
    return slot.buffer
  }

  /// A buffer for a record to be opened in: kept here where it is small.
  ///
  /// A buffer that somebody still reads isn't written over: the record then gets one of its own.
  func makeBuffer(at offset: UInt64, byteCount: Int) -> ByteBuffer {
    guard byteCount <= Self.recordByteCountMax else { return ByteBuffer(count: byteCount) }
    if slots.isEmpty { slots = Array(repeating: nil, count: Self.slotCount) }
    let index = slot(offset)
    var buffer = slots[index]?.buffer
    slots[index] = nil
    if buffer == nil || !isKnownUniquelyReferenced(&buffer!) { buffer = ByteBuffer(count: Self.recordByteCountMax) }
    slots[index] = (offset, buffer!)
    return buffer!
  }

  /// Lets go of a record that couldn't be opened.
  func forget(_ offset: UInt64) { if !slots.isEmpty { slots[slot(offset)] = nil } }

  func removeAll() {
    for slot in slots { if let slot { slot.buffer.zero(0..<slot.buffer.count) } }
    slots = []
  }
  deinit { removeAll() }
}
