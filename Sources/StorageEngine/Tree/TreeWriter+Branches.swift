import RawMemory

extension TreeWriter {
  /// Tells the parent of a page that was split of the right part, and splits it in turn if it is full.
  ///
  /// - Parameters:
  ///   - depth: of the page that was split.
  ///   - countDelta: by how much the whole tree grew.
  func insertRight(
    of depth: Int, _ separator: [UInt8], _ right: DirtyPage, leftCount: UInt64, rightCount: UInt64, countDelta: Int64
  ) throws(EngineError) {
    leavePath()
    let left = ChildReference(page: page(depth).number, birth: transaction.id, count: leftCount)
    let reference = ChildReference(page: right.number, birth: transaction.id, count: rightCount)
    if depth == 0 {
      let top = try transaction.makePage(.branch, level: right.node.level + 1, tree: id)
      let editor = NodeEditor(top)
      editor.insertBranchEntry(at: 0, key: separator.span.raw, child: left)
      editor.insertBranchEntry(at: 1, key: separator.span.raw, child: reference)
      root = TreeRoot(page: top.number, birth: transaction.id, level: top.node.level, count: leftCount &+ rightCount)
      return
    }
    NodeEditor(page(depth - 1)).setChild(path[depth - 1].index, left)
    try insertChild(reference, separator, depth: depth - 1, at: path[depth - 1].index + 1, countDelta: countDelta)
  }

  /// Inserts a child into a branch of the path, which is split if it is full; then adds to the counts above.
  func insertChild(_ child: ChildReference, _ key: [UInt8], depth: Int, at index: Int, countDelta: Int64) throws(EngineError) {
    let page = page(depth)
    guard (index == 1 || page.node.compareKey(index - 1, with: key.span.raw) < 0),
      index == page.node.count || page.node.compareKey(index, with: key.span.raw) > 0
    else { throw .corrupted(page: page.number, reason: "keys below it are outside of their range") }
    let byteCount = PageLayout.branchFixedByteCount + key.count
    if makeRoom(page, index, key.span.raw, entryByteCount: byteCount) {
      NodeEditor(page).insertBranchEntry(at: index, key: key.span.raw, child: child)
      addToCounts(above: depth, countDelta)
      return
    }
    let isRun = index == page.node.count && path[..<depth].allSatisfy { $0.index == $0.node.count - 1 }
    let splitter = NodeSplitter(old: page, index: index, key: key, entryByteCount: byteCount, isRun: isRun)
    let right = try transaction.makePage(.branch, level: page.node.level, tree: id)
    splitter.split(into: right, scratch: transaction.scratch) { editor, place, key in
      editor.insertBranchEntry(at: place, key: key.span.raw, child: child)
    }
    try insertRight(
      of: depth, splitter.separator, right, leftCount: Self.entryCount(page.node), rightCount: Self.entryCount(right.node),
      countDelta: countDelta)
  }

  private func addToCounts(above depth: Int, _ delta: Int64) {
    if delta == 0 { return }
    for above in 0..<depth { NodeEditor(page(above)).addToCount(path[above].index, delta) }
    root.count = UInt64(bitPattern: Int64(bitPattern: root.count) &+ delta)
  }

  /// Entries at or below a page.
  static func entryCount(_ node: NodeView) -> UInt64 {
    if node.isLeaf { return UInt64(node.count) }
    var count: UInt64 = 0
    for index in 0..<node.count { count &+= node.child(index).count }
    return count
  }
}
