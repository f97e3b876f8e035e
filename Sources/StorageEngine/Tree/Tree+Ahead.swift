package import RawMemory

extension Tree {
  /// The values of several keys as the pages have them; nil for one without.
  ///
  /// As if each were looked up by itself, but no search waits for the memory that the next one will read: all leaves are asked for before
  /// the first is looked into, and all entries before the first is compared.
  package func valueViews(forKeys keys: ArraySlice<[UInt8]>) throws(EngineError) -> [ByteView?] {
    try source.checkUsable()
    var views: [ByteView?] = []
    views.reserveCapacity(keys.count)
    guard root.page != 0, root.level > 0 else {
      for key in keys { views.append(try valueView(forKey: key.span.raw)) }
      return views
    }
    var parents: [(node: NodeView, index: Int)] = []
    parents.reserveCapacity(keys.count)
    for key in keys {
      var node = try rootNode()
      var index = node.childIndex(key.span.raw)
      while node.level > 1 {
        node = try child(node, index)
        index = node.childIndex(key.span.raw)
      }
      let reference = node.child(index)
      source.prefetch(reference.page, birth: reference.birth)
      parents.append((node, index))
    }
    var leaves: [NodeView] = []
    leaves.reserveCapacity(keys.count)
    for (key, parent) in zip(keys, parents) {
      let leaf = try child(parent.node, parent.index)
      leaf.prefetchEntry(key.span.raw)
      leaves.append(leaf)
    }
    for (key, leaf) in zip(keys, leaves) {
      let (index, isFound) = leaf.search(key.span.raw)
      views.append(isFound ? try value(leaf, index) : nil)
    }
    return views
  }
}
