import RawMemory

extension EngineTransaction {
  /// Writes pages to their final places and lets them leave memory, so that a transaction of any size stays within its budget: the half of
  /// the leaves that weren't touched for longest. Nobody reads them there before the transaction is published, and if it never is, they are
  /// free pages as before.
  func spill() throws(EngineError) {
    var leaves = dirty.sorted.filter { $0.node.isLeaf }
    if leaves.count * 2 < dirty.count { leaves = dirty.sorted }
    let touches = leaves.map(\.lastTouch).sorted()
    guard !touches.isEmpty else { return }
    let middle = touches[touches.count / 2]
    leaves.removeAll { $0.lastTouch > middle }
    try moveOut(leaves)
  }

  /// Writes those of the pages that have to be, and lets all of them leave memory.
  private func moveOut(_ pages: [DirtyPage]) throws(EngineError) {
    flushTrees()
    structureTick += 1
    try write(pages.filter { !$0.isWritten }) { page, checksum in written[page] = checksum }
    for page in pages {
      dirty.remove(page.number)
      engine.buffers.give(page.buffer)
    }
  }

  /// Writes pages that keys in order have filled, as soon as there are many: the next ones take their memory, which the caches still have.
  func writeBehind(_ page: DirtyPage) throws(EngineError) {
    filled.append(page)
    if filled.count < Self.filledCountMax { return }
    var pages: [DirtyPage] = []
    // A page may have been filled twice; its buffer is given back once.
    for page in filled.sorted(by: { $0.number < $1.number }) where pages.last !== page {
      if dirty[page.number] === page, !page.isWritten { pages.append(page) }
    }
    filled.removeAll(keepingCapacity: true)
    try moveOut(pages)
  }

  private static var filledCountMax: Int { 128 }

  /// Writes pages, in the order of their numbers, neighbours together.
  func write(_ pages: [DirtyPage], didWrite: (PageNumber, UInt32) -> Void) throws(EngineError) {
    try engine.ensureAllocated(pageCount: pageCount, base: base)
    let byteCount = geometry.pageByteCount
    let output = engine.output
    let perWrite = output.count / byteCount
    var index = 0
    while index < pages.count {
      let first = pages[index].number
      var count = 0
      while index + count < pages.count, count < perWrite, pages[index + count].number == first + PageNumber(count) {
        let page = pages[index + count]
        output.copy(from: page.buffer, 0..<byteCount, at: count * byteCount)
        didWrite(page.number, self.pages.finish(page.number, birth: id, in: output, at: count * byteCount))
        count += 1
      }
      try self.pages.write(output, 0..<count * byteCount, at: first)
      index += count
    }
  }
}
