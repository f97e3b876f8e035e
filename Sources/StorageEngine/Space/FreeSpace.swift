import RawMemory

/// A page that no current version needs. It can be used again unless some live version v has `birth` <= v < `dropped`.
struct FreePage: Equatable {
  var page: PageNumber
  var birth: TransactionID
  var dropped: TransactionID
}

/// Where a transaction's pages come from and go to.
///
/// The free tree has an entry for every free page: transaction that dropped it, page, and as value its birth. Dropping appends at the end of the
/// tree and using takes from its beginning, so both touch few of its pages, however many are free. A version that is pinned leaves its
/// pages where they are, and `scanStart` skips them.
///
/// The tree is changed like any other, and so needs pages itself. So a page that is taken keeps its entry until `removeUsed`, and what wasn't
/// needed after all is still there: nothing is put back, which could split pages when there are none left to split them with. While the
/// tree changes (`isChanging`) pages come from `pool`, which is filled before, or from the end of the file, never from the tree. What a
/// change takes or drops is entered in the next round of `settle`, which ends because a page is copied once a transaction.
final class FreeSpace {
  struct State {
    var pool: [FreePage]
    var used: [FreePage]
    /// Only added to between savepoints.
    var dropCount: Int
    var root: TreeRoot
    var scanStart: [UInt8]
    var isExhausted: Bool
  }

  /// Until the transaction ends: it lets go of this then.
  private let transaction: EngineTransaction
  private let tree: TreeWriter
  /// Sorted. The versions that readers hold, and the last durable one.
  private let live: [TransactionID]
  /// Usable: found in the tree, or free since this transaction made them (`isLoose`).
  private var pool: [FreePage] = []
  /// In use by now, with entries that are still in the tree.
  private var used: [FreePage] = []
  /// Pages of older transactions that this one no longer needs.
  private var drops: [FreePage] = []
  /// What was dropped by the time `settle` was through.
  private(set) var droppedAll: [PageNumber] = []
  private var isChanging = false
  /// Everything before it is pinned by `live`.
  private var scanStart: [UInt8]
  private var isExhausted = false
  private var batchCount = 32

  init(_ transaction: EngineTransaction, root: TreeRoot, live: [TransactionID]) {
    self.transaction = transaction
    tree = TreeWriter(transaction, id: Catalog.freeTreeID, root: root)
    self.live = live
    scanStart = transaction.engine.scanHint(live)
  }

  var root: TreeRoot { tree.root }
  func flush() { tree.flush() }

  // MARK: Giving

  func drop(_ page: PageNumber, birth: TransactionID) {
    drops.append(FreePage(page: page, birth: birth, dropped: transaction.id))
  }
  /// A page that this transaction made: nobody has seen it.
  func reuse(_ page: PageNumber) { pool.append(FreePage(page: page, birth: transaction.id, dropped: transaction.id)) }

  // MARK: Taking

  func allocate() throws(EngineError) -> PageNumber {
    if pool.isEmpty { try refill() }
    guard let free = pool.popLast() else { return try extend(by: 1) }
    take(free)
    return free.page
  }

  private func take(_ free: FreePage) { if !isLoose(free) { used.append(free) } }
  /// Without an entry in the tree.
  private func isLoose(_ free: FreePage) -> Bool { free.dropped == transaction.id }

  /// Contiguous pages.
  func allocateRun(_ count: Int) throws(EngineError) -> PageNumber {
    if count == 1 { return try allocate() }
    for _ in 0..<4 {
      if let first = takeRun(count) { return first }
      let before = pool.count
      batchCount = max(batchCount, min(2 * count, 4096))
      try refill()
      if pool.count == before { break }
    }
    if let first = takeRun(count) { return first }
    return try extend(by: count)
  }

  private func takeRun(_ count: Int) -> PageNumber? {
    guard pool.count >= count else { return nil }
    pool.sort { $0.page > $1.page }
    var start = 0
    for index in pool.indices {
      if index > start, pool[index].page + 1 != pool[index - 1].page { start = index }
      if index - start + 1 == count {
        let first = pool[index].page
        for free in pool[start...index] { take(free) }
        pool.removeSubrange(start...index)
        return first
      }
    }
    return nil
  }

  private func extend(by count: Int) throws(EngineError) -> PageNumber {
    let first = transaction.pageCount
    let limit = transaction.engine.pageCountMax(usingReserve: transaction.mayUseReserve)
    guard UInt64(first) + UInt64(count) <= limit else { throw .full(limit: transaction.engine.fileByteCountMax) }
    transaction.pageCount = first + PageNumber(count)
    return first
  }

  /// Adds a batch of usable pages of the tree to the pool.
  private func refill() throws(EngineError) {
    if isChanging || isExhausted || tree.root.page == 0 { return }
    var found: [FreePage] = []
    var cursor = tree.tree.cursor()
    let start = scanStart
    var isThere = try cursor.seek(to: start.span.raw)
    var examined = 0
    var last: FreePage?
    while isThere, found.count < batchCount, examined < 65_536 {
      let free = try FreePage(cursor.key, try cursor.withValue { value throws(EngineError) in value.copied() })
      // What this transaction has entered already.
      if free.dropped >= transaction.id {
        isThere = false
        break
      }
      guard free.page >= transaction.geometry.firstPage, free.page < transaction.base.pageCount else {
        throw .corrupted(page: free.page, reason: "a page outside of the file is said to be free")
      }
      if isReusable(free) { found.append(free) }
      last = free
      examined += 1
      isThere = try cursor.next()
    }
    isExhausted = !isThere
    if let last { scanStart = last.key + [0] }
    // Small: each savepoint copies the pool.
    batchCount = min(batchCount * 2, 128)
    // From the back: the first pages of a batch, near the beginning of the file, are used first.
    pool.append(contentsOf: found.reversed())
    // Bounded, also in a transaction that uses a million pages.
    if used.count >= Self.usedCountMax { try removeUsed() }
  }

  private static var usedCountMax: Int { 4096 }

  /// Takes the entries of pages that are in use out of the tree, those too that this itself takes.
  private func removeUsed() throws(EngineError) {
    isChanging = true
    defer { isChanging = false }
    while let free = used.popLast() { _ = try tree.delete(free.key.span.raw) }
  }

  func isReusable(_ free: FreePage) -> Bool {
    var low = 0
    var high = live.count
    while low < high {
      let middle = (low + high) / 2
      if live[middle] < free.birth { low = middle + 1 } else { high = middle }
    }
    return low == live.count || live[low] >= free.dropped
  }

  // MARK: At commit

  /// Makes the tree say what is free.
  func settle() throws(EngineError) {
    // In order, they fill the tree's pages at its end.
    drops.sort { $0.page > $1.page }
    while true {
      // So many that no change runs out of them: a split of every level, and a copy of each page on the way.
      while pool.count < Self.spareCount, !isExhausted {
        let count = pool.count
        try refill()
        if pool.count == count { break }
      }
      try removeUsed()
      isChanging = true
      defer { isChanging = false }
      if let free = drops.popLast() {
        droppedAll.append(free.page)
        _ = try tree.put(free.key.span.raw, free.birthBytes.span.raw)
      } else if let index = pool.lastIndex(where: isLoose) {
        // Before it goes in, so that a page that the tree needs is another one.
        let free = pool.remove(at: index)
        _ = try tree.put(free.key.span.raw, free.birthBytes.span.raw)
      } else if used.isEmpty {
        break
      }
    }
    tree.flush()
    // What is left in the pool is free, and is found again from the first of it on.
    if let first = pool.map(\.key).min(by: { $0.span.raw.compare($1.span.raw) < 0 }),
      first.span.raw.compare(scanStart.span.raw) < 0
    {
      scanStart = first
    }
  }

  private static var spareCount: Int { 16 }

  /// For the next transaction of this handle.
  var hint: (start: [UInt8], live: [TransactionID]) { (scanStart, live) }

  // MARK: Savepoints

  var state: State {
    State(
      pool: pool, used: used, dropCount: drops.count, root: tree.root, scanStart: scanStart, isExhausted: isExhausted)
  }
  func restore(_ state: State) {
    pool = state.pool
    used = state.used
    drops.removeLast(drops.count - state.dropCount)
    scanStart = state.scanStart
    isExhausted = state.isExhausted
    isChanging = false
    tree.restore(state.root)
  }
}

extension FreePage {
  /// Transaction and page, big-endian: in the order of dropping.
  var key: [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(12)
    for shift in stride(from: 56, through: 0, by: -8) { key.append(UInt8(truncatingIfNeeded: dropped >> UInt64(shift))) }
    for shift in stride(from: 24, through: 0, by: -8) { key.append(UInt8(truncatingIfNeeded: page >> UInt32(shift))) }
    return key
  }
  var birthBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: birth >> UInt64(8 * $0)) } }

  init(_ key: [UInt8], _ value: [UInt8]) throws(EngineError) {
    guard key.count == 12, value.count == 8 else { throw .corrupted(page: 0, reason: "an entry of the free tree isn't one") }
    dropped = key[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    page = key[8...].reduce(0) { $0 << 8 | UInt32($1) }
    birth = value.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
