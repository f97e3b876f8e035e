import RawMemory

/// What a page must be before it is read: its offsets lead inside it, so that no byte of a file can make a reader trap. And its keys are
/// in order and of lengths that are possible, so that no writer traps over sharing them out to pages anew.
enum PageValidation {
  /// - Returns: what is wrong; nil for a page of a tree, as it should be.
  static func fault(_ body: ByteView, number: PageNumber, birth: TransactionID) -> String? {
    if body.load(UInt64.self, at: PageLayout.birth) != birth { return "it was written by another transaction" }
    if body.load(UInt32.self, at: PageLayout.page) != number { return "it belongs elsewhere in the file" }
    switch PageKind(rawValue: body.load(UInt8.self, at: PageLayout.kind)) {
    case .leaf:
      return body.load(UInt8.self, at: PageLayout.level) == 0 ? nodeFault(NodeView(body)) : "a leaf above the lowest level"
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
    if count == 0 { return node.isLeaf ? "a leaf without entries" : "a branch without children" }
    let fixed = node.fixedByteCount
    var sum = 0
    for index in 0..<count {
      let offset = node.entryOffset(index)
      guard offset >= node.heapStart, offset + fixed + node.suffixByteCount(index) <= heapEnd else {
        return "an entry leads outside"
      }
      guard offset + node.entryByteCount(index) <= heapEnd else { return "a value leads outside" }
      sum += node.entryByteCount(index)
      if !node.isLeaf {
        let child = node.child(index)
        if child.page == 0 { return "a branch without a child" }
      }
    }
    if sum + node.garbageByteCount != heapEnd - node.heapStart { return "its bytes don't add up" }
    return keyFault(node, count)
  }

  private static func keyFault(_ node: NodeView, _ count: Int) -> String? {
    let body = node.body
    let longest = PageGeometry.keyByteCountMax(bodyByteCount: body.count) - node.prefixByteCount
    let largest = PageGeometry.entryByteCountMax(bodyByteCount: body.count) - node.prefixByteCount
    let first = node.isLeaf ? 0 : 1
    var before: UInt32 = 0
    for index in first..<count {
      let suffix = node.suffixRange(index)
      if suffix.count > longest { return "a key is longer than any may be" }
      if node.isLeaf, !node.isLong(index), node.entryByteCount(index) > largest {
        return "a value is longer than those in pages may be"
      }
      let head = node.head(index)
      if head != keyHead(body.bytes(suffix), from: 0) { return "the head of a key is another key's" }
      if index > first, head < before || head == before && body.compare(node.suffixRange(index - 1), with: body.bytes(suffix)) >= 0
      {
        return "keys are out of order"
      }
      before = head
    }
    return nil
  }
}
