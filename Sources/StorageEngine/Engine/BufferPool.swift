import RawMemory

/// Page buffers of one size, kept for the next page: all that a transaction gives back while it goes on, a few after its end. Used under
/// the writer's lock only.
final class BufferPool {
  private let byteCount: Int
  private let slabs: BufferSlabs
  private let wipes: Bool
  private let countMax: Int
  private var free: [ByteBuffer] = []

  init(byteCount: Int, wipes: Bool, countMax: Int = 256) {
    self.byteCount = byteCount
    slabs = BufferSlabs(byteCount: byteCount, perSlabMax: 256)
    self.wipes = wipes
    self.countMax = countMax
  }

  /// What it holds is whatever was in it.
  func take() -> ByteBuffer { free.popLast() ?? slabs.make() }
  func give(_ buffer: ByteBuffer) {
    if wipes { buffer.zero(0..<byteCount) }
    free.append(buffer)
  }
  /// After a transaction.
  func trim() { if free.count > countMax { free.removeLast(free.count - countMax) } }
}
