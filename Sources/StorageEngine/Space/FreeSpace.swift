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
/// The tree is changed like any other, and so needs pages itself. While it changes (`isChanging`) pages come from `pool` or the end of
/// the file, never from the tree; what it drops is entered in the next round of `settle`, which ends because a page is copied once a transaction.
final class FreeSpace {
  struct State {
    var pool: [FreePage]
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
  /// Taken out of the tree, or free since this transaction made them.
  private var pool: [FreePage] = []
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
    if let free = pool.popLast() { return free.page }
    return try extend(by: 1)
  }

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

  /// Moves a batch of usable pages from the tree to the pool.
  private func refill() throws(EngineError) {
    if isChanging || isExhausted || tree.root.page == 0 { return }
    var claimed: [FreePage] = []
    var cursor = tree.tree.cursor()
    let start = scanStart
    var isThere = try cursor.seek(to: start.span.raw)
    var examined = 0
    while isThere, claimed.count < batchCount, examined < 65_536 {
      let free = try FreePage(cursor.key, try cursor.withValue { value throws(EngineError) in value.copied() })
      guard free.page >= transaction.geometry.firstPage, free.page < transaction.base.pageCount else {
        throw .corrupted(page: free.page, reason: "a page outside of the file is said to be free")
      }
      if isReusable(free) { claimed.append(free) }
      examined += 1
      isThere = try cursor.next()
    }
    isExhausted = !isThere
    if isThere { scanStart = cursor.key } else if let last = claimed.last { scanStart = last.key + [0] }
    // Small: each savepoint copies the pool.
    batchCount = min(batchCount * 2, 128)
    // From the back: the first pages of a batch, near the beginning of the file, are used first.
    pool.append(contentsOf: claimed.reversed())
    isChanging = true
    defer { isChanging = false }
    for free in claimed { _ = try tree.delete(free.key.span.raw) }
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

  /// Enters everything that is free into the tree.
  func settle() throws(EngineError) {
    isChanging = true
    defer { isChanging = false }
    var hint = scanStart
    // In order, they fill the tree's pages at its end.
    drops.sort { $0.page > $1.page }
    while true {
      if let free = drops.popLast() {
        droppedAll.append(free.page)
        _ = try tree.put(free.key.span.raw, free.birthBytes.span.raw)
      } else if let free = pool.popLast() {
        // Before it goes in, so that a page that the tree needs comes out of the rest.
        _ = try tree.put(free.key.span.raw, free.birthBytes.span.raw)
        let key = free.key
        if key.span.raw.compare(hint.span.raw) < 0 { hint = key }
      } else {
        break
      }
    }
    tree.flush()
    scanStart = hint
  }

  /// For the next transaction of this handle.
  var hint: (start: [UInt8], live: [TransactionID]) { (scanStart, live) }

  // MARK: Savepoints

  var state: State { State(pool: pool, dropCount: drops.count, root: tree.root, scanStart: scanStart, isExhausted: isExhausted) }
  func restore(_ state: State) {
    pool = state.pool
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
