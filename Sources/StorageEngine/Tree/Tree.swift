package import RawMemory

/// Where a tree is, in one version.
struct TreeRoot: Equatable {
  /// 0 while the tree is empty.
  var page: PageNumber = 0
  var birth: TransactionID = 0
  var level: UInt8 = 0
  var count: UInt64 = 0

  static let empty = TreeRoot()
}

/// One version of a tree, for reading: ordered keys and values, counted, so that a position is found as fast as a key.
///
/// - Complexity: every call is O(log *n*) page visits unless it says otherwise.
package struct Tree {
  let source: PageSource
  let root: TreeRoot
  package let id: UInt32
  /// The root's page where it was met already: every search begins there, and threads needn't look for it side by side.
  private var kept: NodeView?

  init(_ source: PageSource, _ root: TreeRoot, id: UInt32) {
    self.source = source
    self.root = root
    self.id = id
  }

  /// With the root's page. For versions that never change.
  init(keepingRootOf source: PageSource, _ root: TreeRoot, id: UInt32) throws(EngineError) {
    self.init(source, root, id: id)
    if root.page != 0 { kept = try rootNode() }
  }

  /// How many entries. O(1).
  package var count: UInt64 { root.count }

  /// The same for as long as nothing in the tree changes.
  package var identity: TreeIdentity { TreeIdentity(page: root.page, birth: root.birth) }

  /// The root, checked.
  func rootNode() throws(EngineError) -> NodeView {
    if let kept { return kept }
    let node = NodeView(try source.page(root.page, birth: root.birth))
    guard node.level == root.level else { throw .corrupted(page: root.page, reason: "the root of a tree is at another level") }
    return node
  }

  /// A child, checked to be one level below: so every descent ends.
  func child(_ node: NodeView, _ index: Int) throws(EngineError) -> NodeView {
    let reference = node.child(index)
    let child = NodeView(try source.page(reference.page, birth: reference.birth))
    if node.level == 1 { child.prefetchForSearch() }
    guard child.level &+ 1 == node.level else {
      throw .corrupted(page: reference.page, reason: "it is at another level than its parent says")
    }
    return child
  }

  /// The leaf where a key is or would be. - Precondition: the tree isn't empty.
  private func leaf(of key: borrowing RawSpan) throws(EngineError) -> NodeView {
    var node: NodeView
    if let kept {
      if kept.isLeaf { return kept }
      node = try child(kept, kept.childIndex(key))
    } else {
      node = try rootNode()
    }
    while !node.isLeaf { node = try child(node, node.childIndex(key)) }
    return node
  }

  /// Lends the value of a key; the bytes are good inside `body` only.
  ///
  /// - Returns: what `body` returns; nil without such a key.
  package func withValue<R>(forKey key: borrowing RawSpan, _ body: (RawSpan) throws(EngineError) -> R) throws(EngineError) -> R? {
    try source.checkUsable()
    if root.page == 0 { return nil }
    let node = try leaf(of: key)
    let (index, isFound) = node.search(key)
    guard isFound else { return nil }
    let entry = node.leafEntry(index)
    if entry.isLong {
      let value = try source.longValue(LongReference(node.body, at: entry.inline.lowerBound))
      return try body(value.bytes(0..<value.count))
    }
    return try body(node.body.bytes(entry.inline))
  }

  /// A copy of the value of a key; nil without such a key.
  package func value(forKey key: borrowing RawSpan) throws(EngineError) -> [UInt8]? {
    try withValue(forKey: key) { value throws(EngineError) in value.copied() }
  }

  /// Whether there is such a key.
  package func contains(_ key: borrowing RawSpan) throws(EngineError) -> Bool {
    try source.checkUsable()
    if root.page == 0 { return false }
    return try leaf(of: key).search(key).isFound
  }

  func value(_ leaf: NodeView, _ index: Int) throws(EngineError) -> ByteView {
    leaf.isLong(index) ? try source.longValue(leaf.longReference(index)) : leaf.body.slice(leaf.inlineRange(index))
  }

  /// The value of a key as the page has it; nil without such a key. Good for as long as the version is pinned.
  package func valueView(forKey key: borrowing RawSpan) throws(EngineError) -> ByteView? {
    try source.checkUsable()
    if root.page == 0 { return nil }
    let node = try leaf(of: key)
    let (index, isFound) = node.search(key)
    return isFound ? try value(node, index) : nil
  }

  /// A cursor before the first entry. O(1).
  package func cursor() -> TreeCursor { TreeCursor(self) }
}

/// Tells two versions of a tree apart: a page and its birth name one content for ever.
package struct TreeIdentity: Hashable, Sendable {
  let page: PageNumber
  let birth: TransactionID
}
