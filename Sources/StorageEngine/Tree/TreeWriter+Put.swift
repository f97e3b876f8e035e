import RawMemory

extension TreeWriter {
  /// Sets the value of a key.
  ///
  /// - Returns: whether the key is new.
  /// - Throws: `keyTooLarge`, `valueTooLarge`, `full`, `noSpace`, what reading a page throws. A transaction goes on after the first two only.
  @discardableResult
  func put(_ key: borrowing RawSpan, _ value: borrowing RawSpan) throws(EngineError) -> Bool {
    guard key.byteCount <= geometry.keyByteCountMax else {
      throw .keyTooLarge(byteCount: key.byteCount, limit: geometry.keyByteCountMax)
    }
    guard value.byteCount <= PageLayout.valueByteCountMax else {
      throw .valueTooLarge(byteCount: value.byteCount, limit: PageLayout.valueByteCountMax)
    }
    if PageLayout.leafFixedByteCount + key.byteCount + value.byteCount > geometry.entryByteCountMax {
      let reference = try transaction.writeLongValue(value, tree: id)
      return try put(key, PageLayout.longValueMark, reference.bytes.span.raw)
    }
    return try put(key, UInt16(value.byteCount), value)
  }

  private func put(_ key: borrowing RawSpan, _ mark: UInt16, _ inline: borrowing RawSpan) throws(EngineError) -> Bool {
    if root.page == 0 {
      let page = try transaction.makePage(.leaf, level: 0, tree: id)
      NodeEditor(page).insertLeafEntry(at: 0, key: key, mark: mark, value: inline)
      root = TreeRoot(page: page.number, birth: transaction.id, level: 0, count: 1)
      leavePath()
      return true
    }
    try locate(key)
    try touchPath()
    let page = page(path.count - 1)
    let isRun = page.lastInsertion >= 0 && page.lastInsertion == page.node.count - 1
    let (index, isFound) = isRun ? page.node.searchFromEnd(key) : page.node.search(key)
    if !isFound {
      try insert(at: index, key, mark, inline, countDelta: 1)
      return true
    }
    if page.node.isLong(index) {
      try transaction.dropRun(page.node.longReference(index))
    } else if mark != PageLayout.longValueMark, page.node.inlineByteCount(index) == inline.byteCount {
      NodeEditor(page).overwriteValue(index, inline)
      return false
    }
    NodeEditor(page).remove(index)
    try insert(at: index, key, mark, inline, countDelta: 0)
    return false
  }

  private func insert(
    at index: Int, _ key: borrowing RawSpan, _ mark: UInt16, _ value: borrowing RawSpan, countDelta: Int64, mayShare: Bool = true
  ) throws(EngineError) {
    let page = page(path.count - 1)
    let byteCount = PageLayout.leafFixedByteCount + key.byteCount + value.byteCount
    if makeRoom(page, index, key, entryByteCount: byteCount) {
      NodeEditor(page).insertLeafEntry(at: index, key: key, mark: mark, value: value)
      page.lastInsertion = index
      addPending(countDelta)
      return
    }
    flush()
    let isRun = index == page.node.count && (page.lastInsertion == index - 1 || isRightmost)
    // Not in the middle of a replacement: the leaf has an entry less than the branches say.
    if !isRun, mayShare, countDelta == 1, try shareWithNeighbour(entryByteCount: byteCount) {
      try locate(key)
      try touchPath()
      return try insert(at: leaf.node.search(key).index, key, mark, value, countDelta: countDelta, mayShare: false)
    }
    let splitter = NodeSplitter(old: page, index: index, key: key.copied(), entryByteCount: byteCount, isRun: isRun)
    let right = try transaction.makePage(.leaf, level: 0, tree: id)
    splitter.split(into: right, scratch: transaction.scratch) { editor, place, key in
      editor.insertLeafEntry(at: place, key: key.span.raw, mark: mark, value: value)
    }
    right.lastInsertion = right.node.count == 1 ? 0 : -1
    try insertRight(
      of: path.count - 1, splitter.separator, right, leftCount: UInt64(page.node.count), rightCount: UInt64(right.node.count),
      countDelta: countDelta)
    if isRun { try transaction.writeBehind(page) }
  }

  private var isRightmost: Bool { path.dropLast().allSatisfy { $0.index == $0.node.count - 1 } }

  /// Whether an entry fits into the page, after putting the page in order if that is what it takes.
  ///
  /// - Parameter entryByteCount: with the whole key.
  func makeRoom(_ page: DirtyPage, _ index: Int, _ key: borrowing RawSpan, entryByteCount: Int) -> Bool {
    let node = page.node
    let prefixByteCount = node.prefixByteCount
    let sharesPrefix = node.sharesPrefix(key)
    let needed = entryByteCount - prefixByteCount + PageLayout.slotByteCount
    if sharesPrefix, node.freeByteCount >= needed { return true }
    // In order, the page has no garbage, and the longest prefix that its keys and the new one have.
    let first = node.isLeaf ? 0 : 1
    guard node.count > first else {
      guard !sharesPrefix || node.garbageByteCount > 0 else { return false }
      return rebuild(page, prefixByteCount: 0, neededWithWholeKey: entryByteCount)
    }
    var prefix = node.key(first).span.raw.commonPrefixByteCount(key)
    prefix = min(prefix, node.key(node.count - 1).span.raw.commonPrefixByteCount(key))
    if prefix == prefixByteCount, node.garbageByteCount == 0 { return false }
    return rebuild(page, prefixByteCount: prefix, neededWithWholeKey: entryByteCount)
  }

  /// Writes the page anew with another prefix, if the new entry then fits. - Returns: whether it does.
  private func rebuild(_ page: DirtyPage, prefixByteCount: Int, neededWithWholeKey: Int) -> Bool {
    let node = page.node
    let first = node.isLeaf ? 0 : 1
    let keyCount = max(node.count - first, 0)
    let used = node.usedByteCount + keyCount * (node.prefixByteCount - prefixByteCount) + prefixByteCount
    let free = node.body.count - PageLayout.slots - used
    guard free >= neededWithWholeKey - prefixByteCount + PageLayout.slotByteCount else { return false }
    let prefix = keyCount > 0 ? Array(node.key(first).prefix(prefixByteCount)) : []
    let old = NodeSplitter.copy(of: page, into: transaction.scratch)
    let editor = NodeEditor(page)
    editor.reformat(like: old, prefix: prefix.span.raw)
    for index in 0..<old.count { editor.append(index, of: old) }
    return true
  }
}
