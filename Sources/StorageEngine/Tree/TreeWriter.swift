import RawMemory

/// One page of a path.
final class PathStep {
  private(set) var node: NodeView
  /// nil as long as the page is an older transaction's.
  private(set) var page: DirtyPage?
  private(set) var reference: ChildReference
  /// The child that the path goes on with.
  var index = 0

  init(_ node: NodeView, _ page: DirtyPage?, _ reference: ChildReference) {
    self.node = node
    self.page = page
    self.reference = reference
  }

  func enter(_ node: NodeView, _ page: DirtyPage?, _ reference: ChildReference) {
    self.node = node
    self.page = page
    self.reference = reference
  }
}

/// Changes one tree within a transaction: copy on write along the path from the root to a leaf.
///
/// The path of the last operation is kept, so that neighbouring keys needn't descend again; what inserts and deletes add to the counts of
/// the branches above is added when the path is left (`flush`), not once an entry. Whoever reads the tree, ends a savepoint or commits flushes
/// first. A path is good as long as the transaction's structure (`structureTick`) is what it was when the path was made.
final class TreeWriter {
  /// Until the transaction ends: it lets go of its writers then.
  let transaction: EngineTransaction
  let id: UInt32
  var root: TreeRoot
  /// The tree was removed, or its making undone: what is put into it now would belong to nobody.
  var isDetached = false
  /// From the root to a leaf. Replaced as a whole when its length changes; the steps are objects, and change in place.
  private(set) var path: [PathStep] = []
  private var pathTick = -1
  private var pendingCount: Int64 = 0

  init(_ transaction: EngineTransaction, id: UInt32, root: TreeRoot) {
    self.transaction = transaction
    self.id = id
    self.root = root
  }

  var geometry: PageGeometry { transaction.geometry }
  var leaf: PathStep { path[path.count - 1] }

  /// The tree as it is now, for reading until the next change.
  var tree: Tree {
    flush()
    return Tree(transaction, root, id: id)
  }

  // MARK: The path

  func forgetPath() {
    flush()
    pathTick = -1
  }
  /// For a rollback: what is pending went with the pages.
  func restore(_ root: TreeRoot) {
    pendingCount = 0
    pathTick = -1
    self.root = root
  }

  /// Adds what is pending to the branches of the path.
  func flush() {
    guard pendingCount != 0 else { return }
    for step in path.dropLast() { if let page = step.page { NodeEditor(page).addToCount(step.index, pendingCount) } }
    root.count = UInt64(bitPattern: Int64(bitPattern: root.count) &+ pendingCount)
    pendingCount = 0
  }
  func addPending(_ delta: Int64) { pendingCount += delta }

  /// Makes the path to the leaf of a key. - Precondition: the tree isn't empty.
  func locate(_ key: borrowing RawSpan) throws(EngineError) {
    var isKept = pathTick == transaction.structureTick
    if isKept, covers(key) { return }
    flush()
    pathTick = -1
    if !isKept {
      try enter(ChildReference(page: root.page, birth: root.birth, count: 0), depth: 0)
      guard path[0].node.level == root.level else {
        throw .corrupted(page: root.page, reason: "the root of a tree is at another level")
      }
    }
    var depth = 0
    while true {
      let step = path[depth]
      if step.node.isLeaf { break }
      let index = step.node.childIndex(key)
      depth += 1
      // As far as the key takes the same way as the one before, the pages are known.
      if isKept, index == step.index { continue }
      isKept = false
      step.index = index
      let below = step.node.child(index)
      try enter(below, depth: depth)
      guard path[depth].node.level &+ 1 == step.node.level else {
        throw .corrupted(page: below.page, reason: "it is at another level than its parent says")
      }
    }
    if path.count > depth + 1 { path = Array(path[...depth]) }
    pathTick = transaction.structureTick
  }

  /// Puts a page into the path.
  private func enter(_ reference: ChildReference, depth: Int) throws(EngineError) {
    let (node, page) = try visit(reference)
    if depth == path.count {
      path = path + [PathStep(node, page, reference)]
    } else {
      path[depth].enter(node, page, reference)
    }
  }

  /// A copy of a key's value; nil without such a key. The path is made on the way: a change of the same key needs no descent.
  func value(_ key: borrowing RawSpan) throws(EngineError) -> [UInt8]? {
    if root.page == 0 { return nil }
    try locate(key)
    let node = leaf.node
    let (index, isFound) = node.search(key)
    guard isFound else { return nil }
    if node.isLong(index) {
      let value = try transaction.longValue(node.longReference(index))
      return value.bytes(0..<value.count).copied()
    }
    return node.body.bytes(node.inlineRange(index)).copied()
  }

  /// A page of the tree, and where it is in memory if it is the transaction's own.
  func visit(_ reference: ChildReference) throws(EngineError) -> (node: NodeView, page: DirtyPage?) {
    if reference.birth == transaction.id {
      let page = try transaction.ownPage(reference.page)
      return (page.node, page)
    }
    return (NodeView(try transaction.page(reference.page, birth: reference.birth)), nil)
  }

  /// Whether a key belongs to the leaf of the path: not below what bounds it from below, and below what bounds it from above.
  private func covers(_ key: borrowing RawSpan) -> Bool {
    var isAboveLower = false
    var isBelowUpper = false
    var depth = path.count - 2
    while depth >= 0, !(isAboveLower && isBelowUpper) {
      let (node, index) = (path[depth].node, path[depth].index)
      if !isAboveLower, index > 0 {
        if node.compareKey(index, with: key) > 0 { return false }
        isAboveLower = true
      }
      if !isBelowUpper, index + 1 < node.count {
        if node.compareKey(index + 1, with: key) <= 0 { return false }
        isBelowUpper = true
      }
      depth -= 1
    }
    return true
  }

  /// Makes every page of the path the transaction's own, from the root down, ready to be changed.
  func touchPath() throws(EngineError) {
    for depth in path.indices { try touch(path[depth], depth) }
  }

  private func touch(_ step: PathStep, _ depth: Int) throws(EngineError) {
    if let page = step.page { return transaction.willChange(page) }
    let page = try transaction.copy(step.node, step.reference)
    step.enter(page.node, page, ChildReference(page: page.number, birth: transaction.id, count: step.reference.count))
    if depth == 0 {
      root.page = page.number
      root.birth = transaction.id
    } else if let parent = path[depth - 1].page {
      let index = path[depth - 1].index
      var reference = parent.node.child(index)
      reference.page = page.number
      reference.birth = transaction.id
      NodeEditor(parent).setChild(index, reference)
    }
  }

  func page(_ depth: Int) -> DirtyPage {
    guard let page = path[depth].page else { preconditionFailure("a page of the path wasn't touched") }
    return page
  }

  /// After a change of the structure: the next operation descends anew.
  func leavePath() { pathTick = -1 }
}
