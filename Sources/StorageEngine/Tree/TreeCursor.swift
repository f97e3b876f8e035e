import RawMemory

/// A place in one version of a tree, moved in both directions. Not for use after its transaction has changed the tree.
package struct TreeCursor {
  private struct Step {
    var node: NodeView
    var index: Int
  }

  private let tree: Tree
  private var path: [Step] = []
  /// Whether the cursor is at an entry.
  package private(set) var isAtEntry = false
  private var scratch: [UInt8] = []

  init(_ tree: Tree) { self.tree = tree }

  // MARK: Moving

  /// To the first entry at or above `key`. - Returns: whether there is one.
  @discardableResult
  package mutating func seek(to key: borrowing RawSpan) throws(EngineError) -> Bool {
    try start()
    guard tree.root.page != 0 else { return false }
    var node = try tree.rootNode()
    while !node.isLeaf {
      let index = node.childIndex(key)
      path.append(Step(node: node, index: index))
      node = try tree.child(node, index)
    }
    let index = node.search(key).index
    path.append(Step(node: node, index: index))
    return index < node.count ? atEntry() : try next()
  }

  /// To the last entry below `key`. - Returns: whether there is one.
  @discardableResult
  package mutating func seek(before key: borrowing RawSpan) throws(EngineError) -> Bool {
    if try seek(to: key) { return try previous() }
    return try last()
  }

  /// To the entry at a position, counted from 0. - Returns: whether there is one.
  @discardableResult
  package mutating func seek(toPosition position: UInt64) throws(EngineError) -> Bool {
    try start()
    guard position < tree.count, tree.root.page != 0 else { return false }
    var rest = position
    var node = try tree.rootNode()
    while !node.isLeaf {
      var index = 0
      while true {
        let count = node.child(index).count
        if rest < count { break }
        rest -= count
        index += 1
        guard index < node.count else { throw miscounted(node) }
      }
      path.append(Step(node: node, index: index))
      node = try tree.child(node, index)
    }
    guard rest < UInt64(node.count) else { throw miscounted(node) }
    path.append(Step(node: node, index: Int(rest)))
    return atEntry()
  }

  private func miscounted(_ node: NodeView) -> EngineError {
    .corrupted(page: node.body.load(UInt32.self, at: PageLayout.page), reason: "the counts of entries don't add up")
  }

  @discardableResult
  package mutating func first() throws(EngineError) -> Bool {
    try start()
    guard tree.root.page != 0 else { return false }
    try descend(from: try tree.rootNode(), toEnd: false)
    return atEntry()
  }

  @discardableResult
  package mutating func last() throws(EngineError) -> Bool {
    try start()
    guard tree.root.page != 0 else { return false }
    try descend(from: try tree.rootNode(), toEnd: true)
    return atEntry()
  }

  private mutating func start() throws(EngineError) {
    try tree.source.checkUsable()
    path.removeAll(keepingCapacity: true)
    isAtEntry = false
  }
  private mutating func atEntry() -> Bool {
    isAtEntry = path[path.count - 1].node.count > 0
    return isAtEntry
  }

  private mutating func descend(from node: NodeView, toEnd: Bool) throws(EngineError) {
    var node = node
    while true {
      let index = toEnd ? max(node.count - 1, 0) : 0
      path.append(Step(node: node, index: index))
      if node.isLeaf { return }
      node = try tree.child(node, index)
    }
  }

  /// - Returns: whether there was a further entry; if not, the cursor is at none.
  @discardableResult
  package mutating func next() throws(EngineError) -> Bool {
    guard var depth = path.indices.last else { return false }
    if path[depth].index + 1 < path[depth].node.count {
      path[depth].index += 1
      isAtEntry = true
      return true
    }
    while depth > 0 {
      depth -= 1
      if path[depth].index + 1 < path[depth].node.count {
        path[depth].index += 1
        path.removeLast(path.count - depth - 1)
        try descend(from: try tree.child(path[depth].node, path[depth].index), toEnd: false)
        return atEntry()
      }
    }
    path.removeAll(keepingCapacity: true)
    isAtEntry = false
    return false
  }

  @discardableResult
  package mutating func previous() throws(EngineError) -> Bool {
    guard var depth = path.indices.last else { return false }
    if path[depth].index > 0 {
      path[depth].index -= 1
      isAtEntry = true
      return true
    }
    while depth > 0 {
      depth -= 1
      if path[depth].index > 0 {
        path[depth].index -= 1
        path.removeLast(path.count - depth - 1)
        try descend(from: try tree.child(path[depth].node, path[depth].index), toEnd: true)
        return atEntry()
      }
    }
    path.removeAll(keepingCapacity: true)
    isAtEntry = false
    return false
  }

  // MARK: The entry

  /// The key's bytes, lent. - Precondition: the cursor is at an entry.
  package mutating func withKey<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    let step = path[path.count - 1]
    if step.node.prefixByteCount == 0 {
      let suffix = step.node.suffixRange(step.index)
      return try body(step.node.body.bytes(suffix))
    }
    scratch.removeAll(keepingCapacity: true)
    step.node.appendKey(step.index, to: &scratch)
    return try body(scratch.span.raw)
  }

  /// A copy of the key. - Precondition: the cursor is at an entry.
  package var key: [UInt8] { path[path.count - 1].node.key(path[path.count - 1].index) }

  /// The value's bytes, lent. - Precondition: the cursor is at an entry.
  package func withValue<R>(_ body: (RawSpan) throws(EngineError) -> R) throws(EngineError) -> R {
    let step = path[path.count - 1]
    let value = try tree.value(step.node, step.index)
    return try body(value.bytes(0..<value.count))
  }

  /// Key and value, lent. - Precondition: the cursor is at an entry.
  package mutating func withEntry<R>(_ body: (RawSpan, RawSpan) throws(EngineError) -> R) throws(EngineError) -> R {
    let step = path[path.count - 1]
    let value = try tree.value(step.node, step.index)
    return try withKey { key throws(EngineError) in try body(key, value.bytes(0..<value.count)) }
  }

  /// The order of the entry's key against another. - Precondition: the cursor is at an entry.
  package func compareKey(with key: borrowing RawSpan) -> Int {
    let step = path[path.count - 1]
    return step.node.compareKey(step.index, with: key)
  }

  /// How many entries are before this one. - Precondition: the cursor is at an entry.
  package var position: UInt64 {
    var position: UInt64 = 0
    for step in path.dropLast() { for left in 0..<step.index { position &+= step.node.child(left).count } }
    return position &+ UInt64(path[path.count - 1].index)
  }
}
