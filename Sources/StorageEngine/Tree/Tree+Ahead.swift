package import RawMemory

extension Tree {
  /// The values of several keys as the pages have them; nil for one without.
  ///
  /// As if each were looked up by itself, but no search waits for the memory that the next one will read: the leaves are asked for before
  /// the first is searched, and the values before the first is returned.
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
    for (key, parent) in zip(keys, parents) {
      let leaf = try child(parent.node, parent.index)
      let (index, isFound) = leaf.search(key.span.raw)
      let view = isFound ? try value(leaf, index) : nil
      if let view { view.prefetch(0..<min(view.count, 512)) }
      views.append(view)
    }
    return views
  }
}
