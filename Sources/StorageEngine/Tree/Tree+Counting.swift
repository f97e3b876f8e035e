import RawMemory

extension Tree {
  /// How many keys are below `key`: the position that it has or would have.
  package func position(of key: borrowing RawSpan) throws(EngineError) -> UInt64 {
    try source.checkUsable()
    if root.page == 0 || key.byteCount == 0 { return 0 }
    return try position(of: key, below: try rootNode())
  }

  private func position(of key: borrowing RawSpan, below start: NodeView) throws(EngineError) -> UInt64 {
    var node = start
    var position: UInt64 = 0
    while !node.isLeaf {
      let index = node.childIndex(key)
      position &+= node.countBelow(0..<index)
      node = try child(node, index)
    }
    return position &+ UInt64(node.search(key).index)
  }

  /// How many keys are at or above `lower` and below `upper`; nil is no bound.
  ///
  /// - Complexity: O(log *n*); for neighbouring bounds little more than one search.
  package func count(from lower: [UInt8]?, to upper: [UInt8]?) throws(EngineError) -> UInt64 {
    guard let lower, !lower.isEmpty, let upper else {
      let end = if let upper { try position(of: upper.span.raw) } else { count }
      let start = if let lower { try position(of: lower.span.raw) } else { UInt64(0) }
      return end > start ? end - start : 0
    }
    try source.checkUsable()
    if root.page == 0 { return 0 }
    var node = try rootNode()
    while !node.isLeaf {
      let (first, last) = (node.childIndex(lower.span.raw), node.childIndex(upper.span.raw))
      if first > last { return 0 }
      if first < last {
        let start = try position(of: lower.span.raw, below: try child(node, first))
        let end = try position(of: upper.span.raw, below: try child(node, last)) &+ node.countBelow(first..<last)
        return end > start ? end - start : 0
      }
      node = try child(node, first)
    }
    let (start, end) = (node.search(lower.span.raw).index, node.search(upper.span.raw).index)
    return end > start ? UInt64(end - start) : 0
  }
}

extension NodeView {
  /// How many entries are below some of a branch's children.
  fileprivate func countBelow(_ children: Range<Int>) -> UInt64 {
    var count: UInt64 = 0
    for index in children { count &+= childCount(index) }
    return count
  }
}
