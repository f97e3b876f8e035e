package import RawMemory

/// A place in one version of a tree, moved in both directions. Not for use after its transaction has changed the tree.
package struct TreeCursor {
  private struct Step {
    var node: NodeView
    var index: Int
  }

  private let tree: Tree
  /// The branches above the leaf.
  private var path: [Step] = []
  private var leaf = Self.nowhere
  private var index = 0
  private var count = 0
  /// Whether the cursor is at an entry.
  package private(set) var isAtEntry = false
  /// Leaves that were left behind in a row, forwards or, below zero, backwards.
  private var crossings = 0
  /// For a key whose beginning stands elsewhere in the page.
  private var scratch: ByteBuffer?

  /// Stands for the leaf before the first entry and behind the last.
  private static let nowhere = NodeView(ByteBuffer(count: PageLayout.slots).view)

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
    let isThere = enter(node, at: node.search(key).index)
    return isThere ? true : try next()
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
        let count = node.childCount(index)
        if rest < count { break }
        rest -= count
        index += 1
        guard index < node.count else { throw miscounted(node) }
      }
      path.append(Step(node: node, index: index))
      node = try tree.child(node, index)
    }
    guard rest < UInt64(node.count) else { throw miscounted(node) }
    return enter(node, at: Int(rest))
  }

  private func miscounted(_ node: NodeView) -> EngineError {
    .corrupted(page: node.body.load(UInt32.self, at: PageLayout.page), reason: "the counts of entries don't add up")
  }

  @discardableResult
  package mutating func first() throws(EngineError) -> Bool {
    try start()
    guard tree.root.page != 0 else { return false }
    return try descend(from: try tree.rootNode(), toEnd: false)
  }

  @discardableResult
  package mutating func last() throws(EngineError) -> Bool {
    try start()
    guard tree.root.page != 0 else { return false }
    return try descend(from: try tree.rootNode(), toEnd: true)
  }

  private mutating func start() throws(EngineError) {
    try tree.source.checkUsable()
    leave()
  }
  private mutating func leave() {
    path.removeAll(keepingCapacity: true)
    leaf = Self.nowhere
    (index, count) = (0, 0)
    isAtEntry = false
    crossings = 0
  }

  /// - Returns: whether there is such an entry.
  private mutating func enter(_ leaf: NodeView, at index: Int) -> Bool {
    self.leaf = leaf
    self.index = index
    count = leaf.count
    isAtEntry = index < count
    return isAtEntry
  }

  private mutating func descend(from node: NodeView, toEnd: Bool) throws(EngineError) -> Bool {
    var node = node
    while !node.isLeaf {
      let index = toEnd ? node.count - 1 : 0
      path.append(Step(node: node, index: index))
      node = try tree.child(node, index)
    }
    return enter(node, at: toEnd ? max(node.count - 1, 0) : 0)
  }

  /// - Returns: whether there was a further entry; if not, the cursor is at none.
  @discardableResult
  package mutating func next() throws(EngineError) -> Bool {
    if index + 1 < count {
      index += 1
      isAtEntry = true
      return true
    }
    var depth = path.count
    while depth > 0 {
      depth -= 1
      if path[depth].index + 1 < path[depth].node.count {
        path[depth].index += 1
        path.removeLast(path.count - depth - 1)
        try cross(by: 1)
        return try descend(from: try tree.child(path[depth].node, path[depth].index), toEnd: false)
      }
    }
    leave()
    return false
  }

  @discardableResult
  package mutating func previous() throws(EngineError) -> Bool {
    if index > 0 {
      index -= 1
      isAtEntry = true
      return true
    }
    var depth = path.count
    while depth > 0 {
      depth -= 1
      if path[depth].index > 0 {
        path[depth].index -= 1
        path.removeLast(path.count - depth - 1)
        try cross(by: -1)
        return try descend(from: try tree.child(path[depth].node, path[depth].index), toEnd: true)
      }
    }
    leave()
    return false
  }

  /// Branches of a damaged file may share their children: a few pages would look like more leaves than anybody could visit.
  private mutating func cross(by step: Int) throws(EngineError) {
    crossings = crossings.signum() == -step ? step : crossings + step
    if abs(crossings) > tree.source.pageLimit {
      throw .corrupted(page: tree.root.page, reason: "pages below it are used more than once")
    }
  }

  // MARK: The entry

  /// The key's bytes, lent. - Precondition: the cursor is at an entry.
  package mutating func withKey<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    let suffix = leaf.leafEntry(index).suffix
    let prefix = leaf.prefixRange
    if prefix.isEmpty { return try body(leaf.body.bytes(suffix)) }
    let scratch = ownScratch(prefix.count + suffix.count)
    leaf.body.copy(prefix, to: scratch, at: 0)
    leaf.body.copy(suffix, to: scratch, at: prefix.count)
    return try body(scratch.view.bytes(0..<prefix.count + suffix.count))
  }

  /// The key's bytes; good until the cursor is moved. - Precondition: the cursor is at an entry.
  package mutating func keyView() -> ByteView {
    let suffix = leaf.leafEntry(index).suffix
    let prefix = leaf.prefixRange
    if prefix.isEmpty { return leaf.body.slice(suffix) }
    let scratch = ownScratch(prefix.count + suffix.count)
    leaf.body.copy(prefix, to: scratch, at: 0)
    leaf.body.copy(suffix, to: scratch, at: prefix.count)
    return scratch.view(0..<prefix.count + suffix.count)
  }

  /// Not that of a copy of this cursor, which may have lent it.
  private mutating func ownScratch(_ byteCount: Int) -> ByteBuffer {
    if isKnownUniquelyReferenced(&scratch), let scratch, scratch.count >= byteCount { return scratch }
    let made = ByteBuffer(count: max(128, byteCount * 2))
    scratch = made
    return made
  }

  /// A copy of the key. - Precondition: the cursor is at an entry.
  package var key: [UInt8] { leaf.key(index) }

  /// The value as the page has it; good for as long as the version is pinned. - Precondition: the cursor is at an entry.
  package func valueView() throws(EngineError) -> ByteView { try tree.value(leaf, index) }

  /// The value's bytes, lent. - Precondition: the cursor is at an entry.
  package func withValue<R>(_ body: (RawSpan) throws(EngineError) -> R) throws(EngineError) -> R {
    let entry = leaf.leafEntry(index)
    if entry.isLong {
      let value = try tree.source.longValue(LongReference(leaf.body, at: entry.inline.lowerBound))
      return try body(value.bytes(0..<value.count))
    }
    return try body(leaf.body.bytes(entry.inline))
  }

  /// Lends the values from here to the end of the page, those of keys below `upper`, until `body` returns false; moves to the next page.
  ///
  /// - Returns: whether the cursor is at an entry that is yet to be lent. - Precondition: the cursor is at an entry.
  package mutating func forEachValueInLeaf(below upper: [UInt8]?, _ body: (RawSpan) -> Bool) throws(EngineError) -> Bool {
    let leaf = leaf
    var end = count
    if let upper, leaf.compareKey(end - 1, with: upper.span.raw) >= 0 { end = leaf.search(upper.span.raw).index }
    for place in index..<max(index, end) {
      let entry = leaf.leafEntry(place)
      if entry.isLong {
        let value = try tree.source.longValue(LongReference(leaf.body, at: entry.inline.lowerBound))
        if !body(value.bytes(0..<value.count)) { return false }
      } else if !body(leaf.body.bytes(entry.inline)) {
        return false
      }
    }
    if end < count { return false }
    index = count - 1
    return try next()
  }

  /// Key and value, lent. - Precondition: the cursor is at an entry.
  package mutating func withEntry<R>(_ body: (RawSpan, RawSpan) throws(EngineError) -> R) throws(EngineError) -> R {
    let value = try tree.value(leaf, index)
    return try withKey { key throws(EngineError) in try body(key, value.bytes(0..<value.count)) }
  }

  /// Whether the entry before this one begins with the first bytes of this one's key; nil where that one is in another page, and for the
  /// first of all. - Precondition: the cursor is at an entry.
  package func precedingBeginsAlike(_ byteCount: Int) -> Bool? { index > 0 ? leaf.beginsAlike(index - 1, index, byteCount) : nil }

  /// The order of the entry's key against another. - Precondition: the cursor is at an entry.
  package func compareKey(with key: borrowing RawSpan) -> Int { leaf.compareKey(index, with: key) }

  /// How many entries are before this one. - Precondition: the cursor is at an entry.
  package var position: UInt64 {
    var position: UInt64 = 0
    for step in path { for left in 0..<step.index { position &+= step.node.childCount(left) } }
    return position &+ UInt64(index)
  }
}
