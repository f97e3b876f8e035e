import RawMemory

/// Where the newest record is of each key that a handle has met: 8 bytes a slot, at most 16 a key.
///
/// Open addressing with linear probing over 25 bits of the key's keyed hash. A place is a file offset in units of 8 bytes; what a slot
/// says of a key is certain only once the record there was compared. Every record here was checked. Nothing is taken out but all: a
/// removed key's newest record is its removal.
final class KeyTable {
  /// Words of a tag above a place; 0 is free. In a buffer, whose words are loaded and stored without asking who else does.
  private var slots = ByteBuffer(count: 8)
  private var slotCount = 0
  private(set) var count = 0

  private static let placeBits: UInt64 = 39
  private static let tagBits: UInt64 = 64 - placeBits
  private static let placeMask: UInt64 = 1 << placeBits - 1
  /// The first offset that can't be held: 4 TiB.
  static let offsetLimit: UInt64 = 1 << (placeBits + 3)

  /// What of a key's hash tells slots apart.
  static func tag(_ hash: UInt64) -> UInt64 { hash >> placeBits }

  private func home(_ tag: UInt64) -> Int { Int(truncatingIfNeeded: (tag &* UInt64(slotCount)) >> Self.tagBits) }
  @inline(__always) private func word(_ slot: Int) -> UInt64 { slots.load(UInt64.self, at: slot &* 8) }

  /// The first slot with a tag; nil when there is none.
  @inline(__always) func first(_ tag: UInt64) -> Int? { slotCount == 0 ? nil : search(from: home(tag), tag) }
  /// The next one behind `slot`.
  func next(_ slot: Int, _ tag: UInt64) -> Int? { search(from: slot + 1 == slotCount ? 0 : slot + 1, tag) }

  @inline(__always) private func search(from start: Int, _ tag: UInt64) -> Int? {
    var slot = start
    while true {
      let word = word(slot)
      if word == 0 { return nil }
      if word >> Self.placeBits == tag { return slot }
      slot += 1
      if slot == slotCount { slot = 0 }
    }
  }

  @inline(__always) func offset(_ slot: Int) -> UInt64 { (word(slot) & Self.placeMask) << 3 }

  /// Lets a slot's key be at another place, whose record is checked.
  func move(_ slot: Int, to offset: UInt64) { slots.store(word(slot) & ~Self.placeMask | offset >> 3, at: slot * 8) }

  /// The slot that has this place for a key.
  private func slot(_ tag: UInt64, at offset: UInt64) -> Int? {
    var slot = first(tag)
    while let found = slot, self.offset(found) != offset { slot = next(found, tag) }
    return slot
  }

  /// Whether the newest record of a key with this tag is at a place.
  func has(_ tag: UInt64, _ offset: UInt64) -> Bool { slot(tag, at: offset) != nil }

  /// Lets the key whose record was at one offset be at another; false when there is no such slot.
  func move(_ tag: UInt64, from old: UInt64, to offset: UInt64) -> Bool {
    guard let found = slot(tag, at: old) else { return false }
    move(found, to: offset)
    return true
  }

  /// Adds a key whose record was checked.
  func insert(_ tag: UInt64, _ offset: UInt64) {
    if (count + 1) * 20 > slotCount * 17 { grow() }
    place(tag << Self.placeBits | offset >> 3)
    count += 1
  }

  private func place(_ new: UInt64) {
    var slot = home(new >> Self.placeBits)
    while word(slot) != 0 {
      slot += 1
      if slot == slotCount { slot = 0 }
    }
    slots.store(new, at: slot * 8)
  }

  private func grow() {
    let (old, oldCount) = (slots, slotCount)
    slotCount = max(64, oldCount + oldCount / 2)
    slots = ByteBuffer(count: slotCount * 8)
    for slot in 0..<oldCount {
      let word = old.load(UInt64.self, at: slot * 8)
      if word != 0 { place(word) }
    }
  }

  func forEachOffset(_ body: (UInt64) -> Void) {
    for slot in 0..<slotCount where word(slot) != 0 { body(offset(slot)) }
  }

  func removeAll() { (slots, slotCount, count) = (ByteBuffer(count: 8), 0, 0) }

  /// Takes what another table holds in place of what is here.
  func copy(_ other: KeyTable) {
    (slots, slotCount, count) = (ByteBuffer(count: other.slots.count), other.slotCount, other.count)
    slots.copy(from: other.slots, 0..<slots.count, at: 0)
  }
}
