/// Where the newest record is of each key that a handle has met: 9 bytes a slot, at most 16 a key.
///
/// Open addressing with linear probing over 32 bits of the key's keyed hash. A place is a file offset in units of 8 bytes; what a slot
/// says of a key is certain only once the record there was compared. Nothing is taken out but all: a removed key's newest record is its
/// removal.
struct KeyTable {
  private var tags: [UInt32] = []
  private var lowPlaces: [UInt32] = []
  /// The upper 7 bits of the place, and whether the record was checked.
  private var highPlaces: [UInt8] = []
  private(set) var count = 0

  private static let checkedBit: UInt8 = 0x80
  /// The first offset that can't be held: 4 TiB.
  static let offsetLimit: UInt64 = 1 << 42

  private func home(_ tag: UInt32) -> Int { Int(truncatingIfNeeded: (UInt64(tag) &* UInt64(tags.count)) >> 32) }
  private func isFree(_ slot: Int) -> Bool { lowPlaces[slot] == 0 && highPlaces[slot] & ~Self.checkedBit == 0 }

  /// The first slot with a tag; nil when there is none.
  func first(_ tag: UInt32) -> Int? { tags.isEmpty ? nil : search(from: home(tag), tag) }
  /// The next one behind `slot`.
  func next(_ slot: Int, _ tag: UInt32) -> Int? { search(from: slot + 1 == tags.count ? 0 : slot + 1, tag) }

  private func search(from start: Int, _ tag: UInt32) -> Int? {
    var slot = start
    while !isFree(slot) {
      if tags[slot] == tag { return slot }
      slot += 1
      if slot == tags.count { slot = 0 }
    }
    return nil
  }

  func offset(_ slot: Int) -> UInt64 {
    (UInt64(highPlaces[slot] & ~Self.checkedBit) << 32 | UInt64(lowPlaces[slot])) << 3
  }
  func isChecked(_ slot: Int) -> Bool { highPlaces[slot] & Self.checkedBit != 0 }
  mutating func setChecked(_ slot: Int) { highPlaces[slot] |= Self.checkedBit }

  /// Lets a slot's key be at another place, whose record is checked.
  mutating func move(_ slot: Int, to offset: UInt64) {
    lowPlaces[slot] = UInt32(truncatingIfNeeded: offset >> 3)
    highPlaces[slot] = UInt8(truncatingIfNeeded: offset >> 35) & ~Self.checkedBit | Self.checkedBit
  }

  /// Adds a key whose record was checked.
  mutating func insert(_ tag: UInt32, _ offset: UInt64) {
    if (count + 1) * 20 > tags.count * 17 { grow() }
    place(tag, offset)
    count += 1
  }

  private mutating func place(_ tag: UInt32, _ offset: UInt64) {
    var slot = home(tag)
    while !isFree(slot) {
      slot += 1
      if slot == tags.count { slot = 0 }
    }
    tags[slot] = tag
    move(slot, to: offset)
  }

  private mutating func grow() {
    let old = self
    let slotCount = max(64, tags.count + tags.count / 2)
    tags = [UInt32](repeating: 0, count: slotCount)
    lowPlaces = [UInt32](repeating: 0, count: slotCount)
    highPlaces = [UInt8](repeating: 0, count: slotCount)
    old.forEach { tag, offset in place(tag, offset) }
  }

  func forEach(_ body: (_ tag: UInt32, _ offset: UInt64) -> Void) {
    for slot in tags.indices where !isFree(slot) { body(tags[slot], offset(slot)) }
  }

  mutating func removeAll() { self = KeyTable() }
}
