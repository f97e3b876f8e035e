/// Where the remembered ids are, in memory: hashes of keys, and which row of the order holds which.
///
/// It says where to look and never what is there: a key is remembered only when the row that is found has it. Entries are
/// counted from 0 as *ordinals*; 4 bytes of hash and 4 to 13 bytes of table each. Dropping is from the front alone and leaves
/// slots behind, which count as empty of anything and go when the table is made anew.
struct WindowIndex: Sendable {
  /// A row of the order: the number in its key, and the ordinal of its first entry.
  struct Row: Equatable, Sendable {
    var number: UInt64
    var ordinal: Int
  }
  /// The newest row as stored. A store that has this very row has the history that this index was made from, up to it.
  struct Tip: Equatable, Sendable {
    var number: UInt64
    var value: [UInt8]
  }

  var tip: Tip?
  /// The oldest entry that is there.
  private(set) var first = 0
  /// By ordinal, from `base` on: an ordinal stays what it is when the table is made anew.
  private var hashes: [UInt32] = []
  private var base = 0
  /// Linear probing over ordinals above `base` plus 1, 0 where there is none. An ordinal that isn't in it is void: its key came again.
  private var table: [UInt32] = Array(repeating: 0, count: 64)
  private var usedCount = 0
  private var rows: [Row] = []
  private var firstRow = 0

  /// The ordinal of the next entry.
  var end: Int { base + hashes.count }
  /// How many entries are there, void ones too.
  var count: Int { end - first }

  /// Seeded in each process, so that nobody can choose ids that clash.
  static func hash(_ entryKey: some Collection<UInt8>) -> UInt32 {
    var hasher = Hasher()
    var word: UInt64 = 1
    for byte in entryKey {
      // The leading 1 tells how full the word is, which is full when it reaches the top byte.
      word = word << 8 | UInt64(byte)
      guard word >> 48 != 0 else { continue }
      hasher.combine(word)
      word = 1
    }
    hasher.combine(word)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  /// The entries with this hash that aren't void: those whose rows say whether they are it.
  func ordinals(withHash hash: UInt32) -> [Int] {
    var found: [Int] = []
    var slot = slot(hash)
    while table[slot] != 0 {
      let ordinal = base + Int(table[slot]) - 1
      if ordinal >= first, hashes[ordinal - base] == hash { found.append(ordinal) }
      slot = (slot + 1) & (table.count - 1)
    }
    return found
  }

  /// Whether an entry's key came again.
  func isVoid(_ ordinal: Int) -> Bool { self.slot(of: ordinal) == nil }

  /// Adds the next entry, in place of an earlier one with the same key.
  mutating func append(hash: UInt32, inPlaceOf earlier: Int?) {
    if (usedCount + 1) * 8 > table.count * 5 { makeAnew() }
    hashes.append(hash)
    if let earlier, let slot = self.slot(of: earlier) {
      table[slot] = UInt32(hashes.count)
    } else {
      insert(end - 1)
    }
  }

  /// A row whose first entry is `ordinal`, behind all others.
  mutating func append(_ row: Row) { rows.append(row) }

  /// The row that holds an entry which is in one.
  func row(of ordinal: Int) -> Row {
    var low = firstRow
    var high = rows.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if rows[middle].ordinal <= ordinal { low = middle } else { high = middle }
    }
    return rows[low]
  }

  /// Drops the oldest entries, all of which are in rows. A row that loses some goes on under the number of the first that stays.
  mutating func dropFirst(_ droppedCount: Int) {
    first += droppedCount
    while firstRow < rows.count, (firstRow + 1 < rows.count ? rows[firstRow + 1].ordinal : end) <= first { firstRow += 1 }
    if firstRow < rows.count, rows[firstRow].ordinal < first {
      rows[firstRow].number += UInt64(first - rows[firstRow].ordinal)
      rows[firstRow].ordinal = first
    }
  }

  /// Drops what another process dropped: all that is older than the row with this number.
  mutating func drop(before number: UInt64) {
    while count > 0, firstRow < rows.count, rows[firstRow].number < number {
      let next = firstRow + 1 < rows.count ? rows[firstRow + 1] : Row(number: .max, ordinal: end)
      dropFirst(min(next.ordinal - first, Int(clamping: number - rows[firstRow].number)))
    }
  }

  /// Without the slots and the room of what was dropped, and with room for as much again.
  private mutating func makeAnew() {
    let live = table.filter { $0 != 0 && base + Int($0) - 1 >= first }.map { base + Int($0) - 1 }
    hashes.removeFirst(first - base)
    base = first
    rows.removeFirst(firstRow)
    firstRow = 0
    var capacity = 64
    while capacity * 3 < live.count * 8 { capacity *= 2 }
    table = Array(repeating: 0, count: capacity)
    usedCount = 0
    for ordinal in live { insert(ordinal) }
  }

  private func slot(_ hash: UInt32) -> Int { Int(hash) & (table.count - 1) }

  private func slot(of ordinal: Int) -> Int? {
    var slot = slot(hashes[ordinal - base])
    while table[slot] != 0 {
      if base + Int(table[slot]) - 1 == ordinal { return slot }
      slot = (slot + 1) & (table.count - 1)
    }
    return nil
  }

  private mutating func insert(_ ordinal: Int) {
    var slot = slot(hashes[ordinal - base])
    while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
    table[slot] = UInt32(ordinal - base + 1)
    usedCount += 1
  }
}
