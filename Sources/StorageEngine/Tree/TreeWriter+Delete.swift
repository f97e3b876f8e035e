import RawMemory

extension TreeWriter {
  /// Removes a key. - Returns: whether it was there.
  @discardableResult
  func delete(_ key: borrowing RawSpan) throws(EngineError) -> Bool {
    if root.page == 0 { return false }
    try locate(key)
    let (index, isFound) = leaf.node.search(key)
    guard isFound else { return false }
    try touchPath()
    let page = page(path.count - 1)
    if page.node.isLong(index) { try transaction.dropRun(page.node.longReference(index)) }
    NodeEditor(page).remove(index)
    page.lastInsertion = -1
    addPending(-1)
    let node = page.node
    if node.count == 0 || node.usedByteCount * 4 < node.body.count - PageLayout.slots {
      flush()
      leavePath()
      try rebalance(path.count - 1)
    }
    return true
  }

  /// Brings an underfull page of the path together with a neighbour, and its parent in turn.
  private func rebalance(_ depth: Int) throws(EngineError) {
    let page = page(depth)
    if depth == 0 { return try shrinkRoot(page) }
    let parent = self.page(depth - 1)
    let index = path[depth - 1].index
    if page.node.count == 0 {
      transaction.dropOwn(page)
      NodeEditor(parent).remove(index)
    } else if parent.node.count > 1 {
      let leftIndex = index > 0 ? index - 1 : 0
      guard try join(depth, leftIndex) == .merged else { return }
    }
    let node = parent.node
    if node.count <= 1 || node.usedByteCount * 4 < node.body.count - PageLayout.slots { try rebalance(depth - 1) }
  }

  /// A root with one child gives way to it; an empty one is nothing.
  private func shrinkRoot(_ page: DirtyPage) throws(EngineError) {
    if page.node.count == 0 {
      transaction.dropOwn(page)
      root = .empty
      return
    }
    var node = page.node
    while !node.isLeaf, node.count == 1 {
      let child = node.child(0)
      let below = try visit(child)
      guard below.node.level &+ 1 == node.level else { throw misplaced(child.page) }
      try give(up: root)
      root = TreeRoot(page: child.page, birth: child.birth, level: root.level - 1, count: root.count)
      node = below.node
    }
  }

  private func misplaced(_ page: PageNumber) -> EngineError {
    .corrupted(page: page, reason: "it is at another level than its parent says")
  }

  private func give(up root: TreeRoot) throws(EngineError) {
    if root.birth == transaction.id {
      transaction.dropOwn(try transaction.ownPage(root.page))
    } else {
      transaction.space.drop(root.page, birth: root.birth)
    }
  }

  /// Gives up every page of the tree.
  func deleteAll() throws(EngineError) {
    forgetPath()
    // Pages that are used twice could make a small tree look endless.
    var rest = transaction.pageLimit
    if root.page != 0 {
      try deleteAll(below: ChildReference(page: root.page, birth: root.birth, count: 0), level: root.level, &rest)
    }
    root = .empty
  }

  private func deleteAll(below reference: ChildReference, level: UInt8, _ rest: inout Int) throws(EngineError) {
    rest -= 1
    if rest < 0 { throw .corrupted(page: reference.page, reason: "it is used more than once") }
    let step = try visit(reference)
    let node = step.node
    guard node.level == level else { throw misplaced(reference.page) }
    for index in 0..<node.count {
      if !node.isLeaf {
        try deleteAll(below: node.child(index), level: level - 1, &rest)
      } else if node.isLong(index) {
        try transaction.dropRun(node.longReference(index))
      }
    }
    if let page = step.page {
      transaction.dropOwn(page)
    } else {
      transaction.space.drop(reference.page, birth: reference.birth)
    }
  }

  /// Before a full leaf is split: gives entries to a neighbour that has room, so that random keys fill pages to four fifths and not two thirds.
  ///
  /// - Returns: whether it did; the path is void then.
  func shareWithNeighbour(entryByteCount: Int) throws(EngineError) -> Bool {
    let depth = path.count - 1
    guard depth > 0 else { return false }
    let parent = page(depth - 1)
    let index = path[depth - 1].index
    for neighbour in [index - 1, index + 1] where neighbour >= 0 && neighbour < parent.node.count {
      // Only one that is in memory to be written anyway: reading another one costs more than the split.
      let reference = parent.node.child(neighbour)
      guard reference.birth == transaction.id, let node = transaction.dirty[reference.page]?.node else { continue }
      let room = node.body.count - PageLayout.slots - node.usedByteCount - node.prefixByteCount
      // Less would be used up by the next few entries.
      guard room >= node.body.count / 4, room > 2 * entryByteCount else { continue }
      leavePath()
      // Two that fit into one page are for deleting to bring together.
      if try join(depth, min(index, neighbour), mayMerge: false) == .shared { return true }
    }
    return false
  }

  /// Merges two neighbours below the branch at `depth - 1`, or shares their entries out evenly.
  ///
  private func join(_ depth: Int, _ leftIndex: Int, mayMerge: Bool = true) throws(EngineError) -> Joining {
    let parent = page(depth - 1)
    let (leftReference, rightReference) = (parent.node.child(leftIndex), parent.node.child(leftIndex + 1))
    let separator = parent.node.key(leftIndex + 1)
    let pair = NodePair(
      left: try visit(leftReference).node, right: try visit(rightReference).node, separator: separator)
    for (node, reference) in [(pair.left, leftReference), (pair.right, rightReference)] where node.level &+ 1 != parent.node.level {
      throw misplaced(reference.page)
    }
    guard leftReference.page != rightReference.page, pair.isInOrder else {
      throw .corrupted(page: rightReference.page, reason: "its keys are outside of their range")
    }
    let total = pair.count
    let isMerge = mayMerge && pair.fitsOnePage
    guard let leftCount = isMerge ? total : pair.balancedCount else { return .impossible }
    let left = try own(leftReference, parent, leftIndex)
    let right = try own(rightReference, parent, leftIndex + 1)
    // Read from copies: the pages themselves are written.
    let copy = NodePair(
      left: NodeSplitter.copy(of: left, into: transaction.scratch), right: NodeSplitter.copy(of: right, into: transaction.scratch2),
      separator: separator)
    copy.fill(left, 0..<leftCount)
    if isMerge {
      transaction.dropOwn(right)
      NodeEditor(parent).remove(leftIndex + 1)
    } else {
      copy.fill(right, leftCount..<total)
    }
    NodeEditor(parent).setChild(
      leftIndex, ChildReference(page: left.number, birth: transaction.id, count: Self.entryCount(left.node)))
    if isMerge { return .merged }
    NodeEditor(parent).remove(leftIndex + 1)
    try insertChild(
      ChildReference(page: right.number, birth: transaction.id, count: Self.entryCount(right.node)), copy.separator(at: leftCount),
      depth: depth - 1, at: leftIndex + 1, countDelta: 0)
    return .shared
  }

  /// What became of two neighbours; `merged`: the parent lost an entry.
  private enum Joining {
    case merged, shared, impossible
  }

  private func own(_ reference: ChildReference, _ parent: DirtyPage, _ index: Int) throws(EngineError) -> DirtyPage {
    let step = try visit(reference)
    if let page = step.page {
      transaction.willChange(page)
      return page
    }
    let page = try transaction.copy(step.node, reference)
    NodeEditor(parent).setChild(index, ChildReference(page: page.number, birth: transaction.id, count: reference.count))
    return page
  }
}
