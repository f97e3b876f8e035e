import RawMemory

/// A page in the cache. It goes from thread to thread under a shard's lock.
struct CacheFrame: @unchecked Sendable {
  var page: PageNumber
  var birth: TransactionID
  var buffer: ByteBuffer
  var wasUsed = true
}

/// A part of the cache, behind one lock: frames, and a table of open addressing that finds them.
struct PageCacheShard {
  private struct Slot {
    var birth: TransactionID = 0
    var page: PageNumber = 0
    /// The frame's place and 1; 0 in an empty slot.
    var place: UInt32 = 0
  }

  private let frameCountMax: Int
  private var frames: [CacheFrame] = []
  private var slots: [Slot] = Array(repeating: Slot(), count: 16)
  private var hand = 0

  init(frameCountMax: Int) { self.frameCountMax = frameCountMax }

  var count: Int { frames.count }
  var isFull: Bool { frames.count >= frameCountMax }

  func forEach(_ body: (ByteBuffer) -> Void) { for frame in frames { body(frame.buffer) } }

  @inline(__always) private func home(_ page: PageNumber, _ birth: TransactionID) -> Int {
    Int(truncatingIfNeeded: ((UInt64(page) ^ birth &<< 20) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (slots.count - 1)
  }

  @inline(__always) private func slot(_ page: PageNumber, _ birth: TransactionID) -> Int? {
    let mask = slots.count - 1
    var index = home(page, birth)
    while slots[index].place != 0 {
      if slots[index].page == page, slots[index].birth == birth { return index }
      index = (index + 1) & mask
    }
    return nil
  }

  /// The buffer of a page that is here; it counts as used.
  @inline(__always) mutating func frame(_ page: PageNumber, _ birth: TransactionID) -> ByteBuffer? {
    guard let index = slot(page, birth) else { return nil }
    let place = Int(slots[index].place) - 1
    if !frames[place].wasUsed { frames[place].wasUsed = true }
    return frames[place].buffer
  }

  /// - Precondition: the page isn't here.
  mutating func insert(_ frame: CacheFrame) {
    frames.append(frame)
    if frames.count * 2 > slots.count {
      slots = Array(repeating: Slot(), count: slots.count * 2)
      for place in frames.indices { enter(place) }
    } else {
      enter(frames.count - 1)
    }
  }

  private mutating func enter(_ place: Int) {
    let (page, birth) = (frames[place].page, frames[place].birth)
    let mask = slots.count - 1
    var index = home(page, birth)
    while slots[index].place != 0 { index = (index + 1) & mask }
    slots[index] = Slot(birth: birth, page: page, place: UInt32(place + 1))
  }

  /// Takes the first frame that wasn't used since the hand last came by (the CLOCK algorithm). - Returns: nil when all are shown.
  mutating func evict() -> CacheFrame? {
    for _ in 0..<2 * frames.count {
      if hand >= frames.count { hand = 0 }
      let place = hand
      if frames[place].wasUsed {
        frames[place].wasUsed = false
        hand += 1
      } else if isKnownUniquelyReferenced(&frames[place].buffer) {
        return remove(place)
      } else {
        hand += 1
      }
    }
    return nil
  }

  private mutating func remove(_ place: Int) -> CacheFrame {
    let frame = frames[place]
    if let index = slot(frame.page, frame.birth) { closeGap(at: index) }
    let last = frames.removeLast()
    if place < frames.count {
      frames[place] = last
      if let index = slot(last.page, last.birth) { slots[index].place = UInt32(place + 1) }
    }
    return frame
  }

  /// Empties a slot, and moves what was displaced by it nearer to its place, so that searches needn't step over gaps.
  private mutating func closeGap(at start: Int) {
    let mask = slots.count - 1
    var gap = start
    var index = (start + 1) & mask
    slots[gap] = Slot()
    while slots[index].place != 0 {
      if (index - home(slots[index].page, slots[index].birth)) & mask >= (index - gap) & mask {
        slots[gap] = slots[index]
        slots[index] = Slot()
        gap = index
      }
      index = (index + 1) & mask
    }
  }
}
