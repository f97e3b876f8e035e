import RawMemory

/// Page buffers of one size, kept for the next page. Used under the writer's lock only.
final class BufferPool {
  private let byteCount: Int
  private let wipes: Bool
  private let countMax: Int
  private var free: [ByteBuffer] = []

  init(byteCount: Int, wipes: Bool, countMax: Int = 256) {
    self.byteCount = byteCount
    self.wipes = wipes
    self.countMax = countMax
  }

  /// What it holds is whatever was in it.
  func take() -> ByteBuffer { free.popLast() ?? ByteBuffer(count: byteCount) }
  func give(_ buffer: ByteBuffer) {
    if wipes { buffer.zero(0..<byteCount) }
    if free.count < countMax { free.append(buffer) }
  }
}
