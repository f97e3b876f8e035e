import RawMemory
import Synchronization

/// Pages in memory of our own: decrypted ones, and plain ones where nothing may be mapped. A hard budget of bytes.
///
/// Frames are found by page and birth, so what a page held before it was reused is never taken for what it holds now. A frame that some
/// view shows isn't evicted: views retain its buffer, new ones are made under the shard's lock only, so a buffer that the shard alone
/// retains is nobody's. Buffers that held a decrypted page are wiped when they go.
final class PageCache: Sendable {
  private struct Key: Hashable {
    var page: PageNumber
    var birth: TransactionID
  }
  private struct Frame {
    var key: Key
    var buffer: ByteBuffer
    var wasUsed: Bool
  }
  private struct Shard: ~Copyable {
    var places: [Key: Int] = [:]
    var frames: [Frame] = []
    var hand = 0
  }
  private final class LockedShard: @unchecked Sendable {
    let lock = Mutex<Void>(())
    var shard = Shard()
  }

  private let shards: [LockedShard]
  private let frameCountMax: Int
  private let pageByteCount: Int
  private let bodyStart: Int
  private let slabs: BufferSlabs
  private let wipes: Bool

  init(byteCountMax: Int, pageByteCount: Int, bodyStart: Int, wipes: Bool) {
    // Few shards when the budget is small: each needs room for a path.
    let pageCount = max(byteCountMax / pageByteCount, 16)
    let shardCount = pageCount >= 1024 ? 16 : pageCount >= 128 ? 4 : 1
    shards = (0..<shardCount).map { _ in LockedShard() }
    frameCountMax = pageCount / shardCount
    self.pageByteCount = pageByteCount
    slabs = BufferSlabs(byteCount: pageByteCount, perSlabMax: 64)
    self.bodyStart = bodyStart
    self.wipes = wipes
  }

  deinit {
    guard wipes else { return }
    for shard in shards { for frame in shard.shard.frames { frame.buffer.zero(0..<pageByteCount) } }
  }

  private func shard(_ page: PageNumber) -> LockedShard { shards[Int(page) & (shards.count - 1)] }

  /// The body of a page that is here.
  func page(_ page: PageNumber, _ birth: TransactionID) -> ByteView? {
    let shard = shard(page)
    return shard.lock.withLock { _ in
      guard let place = shard.shard.places[Key(page: page, birth: birth)] else { return nil }
      shard.shard.frames[place].wasUsed = true
      return shard.shard.frames[place].buffer.view(bodyStart..<pageByteCount)
    }
  }

  /// A buffer to read a page into: a free one within the budget, an evicted one, or one beyond the budget when all are in use.
  func takeBuffer(for page: PageNumber) -> ByteBuffer {
    let shard = shard(page)
    let evicted: ByteBuffer? = shard.lock.withLock { _ in
      shard.shard.frames.count < frameCountMax ? nil : evict(&shard.shard)
    }
    return evicted ?? slabs.make()
  }

  /// Makes a page that was read, or written, available. - Returns: its body.
  @discardableResult
  func insert(_ buffer: ByteBuffer, _ page: PageNumber, _ birth: TransactionID) -> ByteView {
    let shard = shard(page)
    let key = Key(page: page, birth: birth)
    return shard.lock.withLock { _ in
      if let place = shard.shard.places[key] {
        // Another thread was first.
        if wipes { buffer.zero(0..<pageByteCount) }
        return shard.shard.frames[place].buffer.view(bodyStart..<pageByteCount)
      }
      // Over the budget while many were in use: it comes down again here.
      while shard.shard.frames.count >= frameCountMax, let spare = evict(&shard.shard) {
        if wipes { spare.zero(0..<pageByteCount) }
      }
      shard.shard.places[key] = shard.shard.frames.count
      shard.shard.frames.append(Frame(key: key, buffer: buffer, wasUsed: true))
      return buffer.view(bodyStart..<pageByteCount)
    }
  }

  /// Takes the first frame that wasn't used since the hand last came by (the CLOCK algorithm). - Returns: nil when all are shown.
  private func evict(_ shard: inout Shard) -> ByteBuffer? {
    for _ in 0..<2 * shard.frames.count {
      if shard.hand >= shard.frames.count { shard.hand = 0 }
      let place = shard.hand
      if shard.frames[place].wasUsed {
        shard.frames[place].wasUsed = false
        shard.hand += 1
      } else if isKnownUniquelyReferenced(&shard.frames[place].buffer) {
        let frame = shard.frames[place]
        shard.places[frame.key] = nil
        let last = shard.frames.removeLast()
        if place < shard.frames.count {
          shard.frames[place] = last
          shard.places[last.key] = place
        }
        return frame.buffer
      } else {
        shard.hand += 1
      }
    }
    return nil
  }

  /// Bytes held now.
  var byteCount: Int {
    var count = 0
    for shard in shards { count += shard.lock.withLock { _ in shard.shard.frames.count } }
    return count * pageByteCount
  }
}
