import RawMemory

/// What a page must be before it is read: its offsets lead inside it, so that no byte of a file can make a reader trap.
enum PageValidation {
  /// - Returns: what is wrong; nil for a page of a tree, as it should be.
  static func fault(_ body: ByteView, number: PageNumber, birth: TransactionID) -> String? {
    if body.load(UInt64.self, at: PageLayout.birth) != birth { return "it was written by another transaction" }
    if body.load(UInt32.self, at: PageLayout.page) != number { return "it belongs elsewhere in the file" }
    switch PageKind(rawValue: body.load(UInt8.self, at: PageLayout.kind)) {
    case .leaf: return body.load(UInt8.self, at: PageLayout.level) == 0 ? nodeFault(NodeView(body)) : "a leaf above the lowest level"
    case .branch:
      let level = body.load(UInt8.self, at: PageLayout.level)
      return level > 0 && level <= PageLayout.levelMax ? nodeFault(NodeView(body)) : "a branch at an impossible level"
    case .longValue, .none: return "it isn't a page of a tree"
    }
  }

  private static func nodeFault(_ node: NodeView) -> String? {
    let count = node.count
    let slotsEnd = PageLayout.slots + count * PageLayout.slotByteCount
    let heapEnd = node.body.count - node.prefixByteCount
    guard node.heapStart >= slotsEnd, node.heapStart <= heapEnd else { return "its parts overlap" }
    if count == 0 { return node.isLeaf ? nil : "a branch without children" }
    let fixed = node.fixedByteCount
    var sum = 0
    for index in 0..<count {
      let offset = node.entryOffset(index)
      guard offset >= node.heapStart, offset + fixed + node.suffixByteCount(index) <= heapEnd else { return "an entry leads outside" }
      guard offset + node.entryByteCount(index) <= heapEnd else { return "a value leads outside" }
      sum += node.entryByteCount(index)
      if !node.isLeaf {
        let child = node.child(index)
        if child.page == 0 { return "a branch without a child" }
      }
    }
    return sum + node.garbageByteCount == heapEnd - node.heapStart ? nil : "its bytes don't add up"
  }
}
