import RawMemory
import Synchronization

/// Pages in memory of our own: decrypted ones, and plain ones where nothing may be mapped. A hard budget of bytes.
///
/// Frames are found by page and birth, so what a page held before it was reused is never taken for what it holds now. A frame that some
/// view shows isn't evicted: views retain its buffer, new ones are made under the shard's lock only, so a buffer that the shard alone
/// retains is nobody's. Buffers that held a decrypted page are wiped when they go.
final class PageCache: Sendable {
  private let shards: [LockedShard]
  private let pageByteCount: Int
  private let bodyStart: Int
  private let slabs: BufferSlabs
  private let wipes: Bool
  let pageCountMax: Int

  private final class LockedShard: Sendable {
    let shard: Mutex<PageCacheShard>
    init(frameCountMax: Int) { shard = Mutex(PageCacheShard(frameCountMax: frameCountMax)) }
  }

  init(byteCountMax: Int, pageByteCount: Int, bodyStart: Int, wipes: Bool) {
    // Few shards when the budget is small: each needs room for a path.
    let pageCount = max(byteCountMax / pageByteCount, 16)
    pageCountMax = pageCount
    let shardCount = pageCount >= 1024 ? 16 : pageCount >= 128 ? 4 : 1
    shards = (0..<shardCount).map { _ in LockedShard(frameCountMax: pageCount / shardCount) }
    self.pageByteCount = pageByteCount
    slabs = BufferSlabs(byteCount: pageByteCount, perSlabMax: 64)
    self.bodyStart = bodyStart
    self.wipes = wipes
  }

  deinit {
    guard wipes else { return }
    for shard in shards { shard.shard.withLock { shard in shard.forEach { $0.zero(0..<pageByteCount) } } }
  }

  private func shard(_ page: PageNumber) -> LockedShard { shards[Int(page) & (shards.count - 1)] }

  /// The body of a page that is here.
  func page(_ page: PageNumber, _ birth: TransactionID) -> ByteView? {
    shard(page).shard.withLock { shard in shard.frame(page, birth)?.view(bodyStart..<pageByteCount) }
  }

  /// A buffer to read a page into: a free one within the budget, an evicted one, or one beyond the budget when all are in use.
  func takeBuffer(for page: PageNumber) -> ByteBuffer { makeRoom(for: page) ?? slabs.make() }

  /// The buffer of a page that was evicted because there is no room for another one; it isn't wiped. nil when there is room, or all are in use.
  func makeRoom(for page: PageNumber) -> ByteBuffer? {
    shard(page).shard.withLock { shard in shard.isFull ? shard.evict() : nil }?.buffer
  }

  /// Makes a page that was read, or written, available. - Returns: its body.
  @discardableResult
  func insert(_ buffer: ByteBuffer, _ page: PageNumber, _ birth: TransactionID) -> ByteView {
    let new = CacheFrame(page: page, birth: birth, buffer: buffer)
    return shard(page).shard.withLock { shard in
      if let known = shard.frame(page, birth) {
        // Another thread was first.
        if wipes { new.buffer.zero(0..<pageByteCount) }
        return known.view(bodyStart..<pageByteCount)
      }
      // Over the budget while many were in use: it comes down again here.
      while shard.isFull, let spare = shard.evict() {
        if wipes { spare.buffer.zero(0..<pageByteCount) }
      }
      shard.insert(new)
      return new.buffer.view(bodyStart..<pageByteCount)
    }
  }

  /// Bytes held now.
  var byteCount: Int {
    var count = 0
    for shard in shards { count += shard.shard.withLock { $0.count } }
    return count * pageByteCount
  }
}
