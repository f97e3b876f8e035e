import Foundation
import RawMemory

/// Blocks of zeros that are used again: a crash image must not pay for clearing megabytes that it never touches.
final class BufferPool: @unchecked Sendable {
  static let shared = BufferPool()
  private let lock = NSLock()
  private var free: [Int: [ByteBuffer]] = [:]

  func take(_ count: Int) -> ByteBuffer {
    lock.withLock { free[count]?.popLast() } ?? ByteBuffer(count: count)
  }

  /// - Parameter dirtyByteCount: nothing behind it was ever written.
  func give(_ buffer: ByteBuffer, dirtyByteCount: Int) {
    buffer.zero(0..<min(buffer.count, dirtyByteCount))
    lock.withLock { if free[buffer.count, default: []].count < 16 { free[buffer.count, default: []].append(buffer) } }
  }
}
