/// Where the newest record is of each key of a log: under 16 bytes a key, whatever keys and values are.
///
/// Keys are told apart by 64 bits of a hash under a key that is drawn for each run: for a million keys the odds that any two are taken for
/// one are 1 in 40 million. The table is in parts that grow one by one, so that growing takes no second table of its size.
struct KeyOffsets {
  private var parts = [Part](repeating: Part(), count: 256)
  private(set) var count = 0

  /// The record's offset is the key's newest from here on. - Returns: the one before; nil for a key that is new.
  @discardableResult
  mutating func set(_ hash: UInt64, _ offset: UInt64) -> UInt64? {
    let previous = parts[Int(hash >> 56)].set(hash, offset)
    if previous == nil { count += 1 }
    return previous
  }

  func offset(_ hash: UInt64) -> UInt64? { parts[Int(hash >> 56)].offset(hash) }

  mutating func removeAll() { self = KeyOffsets() }

  /// Open addressing with linear probing, 13 bytes a slot, at most nine tenths full. An offset of 0, where no record is, is a free slot.
  private struct Part {
    private var hashes: [UInt64] = []
    /// Offsets in units of 8 bytes: 40 bits, 8 TiB.
    private var low: [UInt32] = []
    private var high: [UInt8] = []
    private var count = 0

    private func slot(_ hash: UInt64) -> Int {
      var slot = Int(truncatingIfNeeded: ((hash >> 24 & 0xFFFF_FFFF) &* UInt64(hashes.count)) >> 32)
      while !isFree(slot), hashes[slot] != hash { slot = slot + 1 == hashes.count ? 0 : slot + 1 }
      return slot
    }
    private func isFree(_ slot: Int) -> Bool { low[slot] == 0 && high[slot] == 0 }
    private func value(_ slot: Int) -> UInt64 { (UInt64(high[slot]) << 32 | UInt64(low[slot])) << 3 }

    func offset(_ hash: UInt64) -> UInt64? {
      if hashes.isEmpty { return nil }
      let slot = slot(hash)
      return isFree(slot) ? nil : value(slot)
    }

    mutating func set(_ hash: UInt64, _ offset: UInt64) -> UInt64? {
      if (count + 1) * 10 > hashes.count * 9 { grow() }
      let slot = slot(hash)
      let previous = isFree(slot) ? nil : value(slot)
      if previous == nil { count += 1 }
      hashes[slot] = hash
      low[slot] = UInt32(truncatingIfNeeded: offset >> 3)
      high[slot] = UInt8(truncatingIfNeeded: offset >> 35)
      return previous
    }

    private mutating func grow() {
      let old = self
      let slotCount = max(16, hashes.count + hashes.count / 10 + 1)
      hashes = [UInt64](repeating: 0, count: slotCount)
      low = [UInt32](repeating: 0, count: slotCount)
      high = [UInt8](repeating: 0, count: slotCount)
      count = 0
      for slot in old.hashes.indices where !old.isFree(slot) { _ = set(old.hashes[slot], old.value(slot)) }
    }
  }
}
