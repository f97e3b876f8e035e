/// Where the newest record is of each key that a handle has met: 8 bytes a slot, at most 16 a key.
///
/// Open addressing with linear probing over 25 bits of the key's keyed hash. A place is a file offset in units of 8 bytes; what a slot
/// says of a key is certain only once the record there was compared. Every record here was checked. Nothing is taken out but all: a
/// removed key's newest record is its removal.
final class KeyTable {
  /// The tag above the place; 0 is free.
  private var slots: [UInt64] = []
  private(set) var count = 0

  private static let placeBits: UInt64 = 39
  private static let tagBits: UInt64 = 64 - placeBits
  private static let placeMask: UInt64 = 1 << placeBits - 1
  /// The first offset that can't be held: 4 TiB.
  static let offsetLimit: UInt64 = 1 << (placeBits + 3)

  /// What of a key's hash tells slots apart.
  static func tag(_ hash: UInt64) -> UInt64 { hash >> placeBits }

  private func home(_ tag: UInt64) -> Int { Int(truncatingIfNeeded: (tag &* UInt64(slots.count)) >> Self.tagBits) }

  /// The first slot with a tag; nil when there is none.
  @inline(__always) func first(_ tag: UInt64) -> Int? { slots.isEmpty ? nil : search(from: home(tag), tag) }
  /// The next one behind `slot`.
  func next(_ slot: Int, _ tag: UInt64) -> Int? { search(from: slot + 1 == slots.count ? 0 : slot + 1, tag) }

  @inline(__always) private func search(from start: Int, _ tag: UInt64) -> Int? {
    var index = start
    while true {
      let slot = slots[index]
      if slot == 0 { return nil }
      if slot >> Self.placeBits == tag { return index }
      index += 1
      if index == slots.count { index = 0 }
    }
  }

  func offset(_ slot: Int) -> UInt64 { (slots[slot] & Self.placeMask) << 3 }

  /// Lets a slot's key be at another place, whose record is checked.
  func move(_ slot: Int, to offset: UInt64) { slots[slot] = slots[slot] & ~Self.placeMask | offset >> 3 }

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
    if (count + 1) * 20 > slots.count * 17 { grow() }
    place(tag << Self.placeBits | offset >> 3)
    count += 1
  }

  private func place(_ slot: UInt64) {
    var index = home(slot >> Self.placeBits)
    while slots[index] != 0 {
      index += 1
      if index == slots.count { index = 0 }
    }
    slots[index] = slot
  }

  private func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(64, old.count + old.count / 2))
    for slot in old where slot != 0 { place(slot) }
  }

  func forEachOffset(_ body: (UInt64) -> Void) { for slot in slots where slot != 0 { body((slot & Self.placeMask) << 3) } }

  func removeAll() { (slots, count) = ([], 0) }
}
