import RawMemory

/// A page in the cache. It goes from thread to thread under a shard's lock.
struct CacheFrame: @unchecked Sendable {
  var page: PageNumber
  var wasUsed = true
  var birth: TransactionID
  var buffer: ByteBuffer

  init(page: PageNumber, birth: TransactionID, buffer: ByteBuffer) {
    self.page = page
    self.birth = birth
    self.buffer = buffer
  }
}

/// A part of the cache, behind one lock: a table of open addressing, at most half full.
struct PageCacheShard {
  private let frameCountMax: Int
  private var frames: [CacheFrame?] = Array(repeating: nil, count: 16)
  private(set) var count = 0
  private var hand = 0

  init(frameCountMax: Int) { self.frameCountMax = frameCountMax }

  var isFull: Bool { count >= frameCountMax }

  func forEach(_ body: (ByteBuffer) -> Void) { for frame in frames { if let frame { body(frame.buffer) } } }

  @inline(__always) private func home(_ page: PageNumber, _ birth: TransactionID) -> Int {
    Int(truncatingIfNeeded: ((UInt64(page) ^ birth &<< 20) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (frames.count - 1)
  }

  /// The buffer of a page that is here; it counts as used.
  @inline(__always) mutating func frame(_ page: PageNumber, _ birth: TransactionID) -> ByteBuffer? {
    let mask = frames.count - 1
    var index = home(page, birth)
    while frames[index] != nil {
      if frames[index]!.page == page, frames[index]!.birth == birth {
        if !frames[index]!.wasUsed { frames[index]!.wasUsed = true }
        return frames[index]!.buffer
      }
      index = (index + 1) & mask
    }
    return nil
  }

  /// - Precondition: the page isn't here.
  mutating func insert(_ frame: CacheFrame) {
    count += 1
    if count * 2 > frames.count {
      let old = frames
      frames = Array(repeating: nil, count: old.count * 2)
      for frame in old { if let frame { enter(frame) } }
      hand = 0
    }
    enter(frame)
  }

  private mutating func enter(_ frame: CacheFrame) {
    let mask = frames.count - 1
    var index = home(frame.page, frame.birth)
    while frames[index] != nil { index = (index + 1) & mask }
    frames[index] = frame
  }

  /// Takes the first frame that wasn't used since the hand last came by (the CLOCK algorithm). - Returns: nil when all are shown.
  mutating func evict() -> CacheFrame? {
    let mask = frames.count - 1
    for _ in 0..<2 * frames.count {
      let index = hand
      if frames[index] != nil {
        if frames[index]!.wasUsed {
          frames[index]!.wasUsed = false
        } else if isKnownUniquelyReferenced(&frames[index]!.buffer) {
          return remove(index)
        }
      }
      hand = (hand + 1) & mask
    }
    return nil
  }

  /// Takes a frame out, and moves what was displaced by it nearer to its place, so that searches needn't step over gaps.
  private mutating func remove(_ start: Int) -> CacheFrame? {
    let removed = frames[start]
    let mask = frames.count - 1
    var gap = start
    var index = (start + 1) & mask
    frames[gap] = nil
    count -= 1
    while let frame = frames[index] {
      if (index - home(frame.page, frame.birth)) & mask >= (index - gap) & mask {
        frames[gap] = frame
        frames[index] = nil
        gap = index
      }
      index = (index + 1) & mask
    }
    return removed
  }
}
