import RawMemory

/// A page that a transaction made or copied, in memory until it is written.
final class DirtyPage {
  let number: PageNumber
  let buffer: ByteBuffer
  let envelopeByteCount: Int
  /// Reads the body in place.
  let node: NodeView
  /// The savepoint in force when the page was made or last saved: before it changes under a later one, that one keeps a copy.
  var epoch: Int
  /// When an operation touched it last, for choosing what is spilled.
  var lastTouch = 0
  /// Read back after it was spilled, and not changed since: it needn't be written again.
  var isWritten = false
  /// Where the last entry was inserted: two neighbours in a row are taken for a run in key order.
  var lastInsertion = -1

  init(number: PageNumber, buffer: ByteBuffer, envelopeByteCount: Int, epoch: Int) {
    self.number = number
    self.buffer = buffer
    self.envelopeByteCount = envelopeByteCount
    self.epoch = epoch
    node = NodeView(buffer.view(envelopeByteCount..<buffer.count))
  }
}

/// The dirty pages of a transaction by number: open addressing, because every step down a tree looks here.
///
/// `slots` is taken out while it changes: then reading it needs no check that nobody is changing it.
final class DirtyPageTable {
  private var slots: [DirtyPage?] = Array(repeating: nil, count: 64)
  private(set) var count = 0

  @inline(__always) private static func home(_ number: PageNumber, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  subscript(number: PageNumber) -> DirtyPage? {
    let mask = slots.count - 1
    var index = Self.home(number, mask)
    while let page = slots[index] {
      if page.number == number { return page }
      index = (index + 1) & mask
    }
    return nil
  }

  func insert(_ page: DirtyPage) {
    var slots = take()
    if count * 2 >= slots.count {
      let old = slots
      slots = Array(repeating: nil, count: old.count * 2)
      for page in old { if let page { _ = Self.place(page, in: &slots) } }
    }
    if Self.place(page, in: &slots) { count += 1 }
    self.slots = slots
  }

  private func take() -> [DirtyPage?] {
    let slots = self.slots
    self.slots = []
    return slots
  }

  /// - Returns: whether it is a further one.
  private static func place(_ page: DirtyPage, in slots: inout [DirtyPage?]) -> Bool {
    let mask = slots.count - 1
    var index = home(page.number, mask)
    while let other = slots[index] {
      if other.number == page.number {
        slots[index] = page
        return false
      }
      index = (index + 1) & mask
    }
    slots[index] = page
    return true
  }

  @discardableResult
  func remove(_ number: PageNumber) -> DirtyPage? {
    var slots = take()
    defer { self.slots = slots }
    let mask = slots.count - 1
    var index = Self.home(number, mask)
    while let page = slots[index] {
      if page.number == number {
        slots[index] = nil
        count -= 1
        Self.closeGap(at: index, in: &slots)
        return page
      }
      index = (index + 1) & mask
    }
    return nil
  }

  /// Moves what was displaced by a removed page nearer to its place, so that searches needn't step over gaps.
  private static func closeGap(at start: Int, in slots: inout [DirtyPage?]) {
    let mask = slots.count - 1
    var gap = start
    var index = (start + 1) & mask
    while let page = slots[index] {
      if (index - home(page.number, mask)) & mask >= (index - gap) & mask {
        slots[gap] = page
        slots[index] = nil
        gap = index
      }
      index = (index + 1) & mask
    }
  }

  /// All of them, in the order of their numbers.
  var sorted: [DirtyPage] {
    var pages: [DirtyPage] = []
    pages.reserveCapacity(count)
    for page in slots { if let page { pages.append(page) } }
    pages.sort { $0.number < $1.number }
    return pages
  }

  func removeAll() {
    slots = Array(repeating: nil, count: 64)
    count = 0
  }
}
