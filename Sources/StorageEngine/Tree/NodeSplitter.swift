import RawMemory

/// Splits a full page while an entry is inserted: the entries with the new one among them are a list, of which the left page keeps the
/// beginning.
struct NodeSplitter {
  private let old: DirtyPage
  private let index: Int
  private let key: [UInt8]
  private let isLeaf: Bool
  private let count: Int
  /// How many of the list the left page keeps.
  private let leftCount: Int
  /// What the parent is told: the right page's keys are at or above it, the left page's below.
  let separator: [UInt8]

  /// - Parameters:
  ///   - entryByteCount: of the new entry, with its whole key.
  ///   - isRun: whether keys come in order: the left page then stays full and the new entry alone goes to the right one.
  init(old: DirtyPage, index: Int, key: [UInt8], entryByteCount: Int, isRun: Bool) {
    self.old = old
    self.index = index
    self.key = key
    let node = old.node
    isLeaf = node.isLeaf
    count = node.count + 1
    let sharesPrefix = node.sharesPrefix(key.span.raw)
    if index == count - 1, isRun || !sharesPrefix {
      leftCount = count - 1
    } else if !sharesPrefix {
      // Below everything: with the others it would make every key of its page longer, and they might not fit.
      leftCount = index + 1
    } else {
      leftCount = Self.middle(node, index, entryByteCount - node.prefixByteCount)
    }
    let first = Self.key(node, index, key, leftCount)
    separator = isLeaf ? Self.shortest(between: Self.key(node, index, key, leftCount - 1), and: first) : first
  }

  /// Where the first half of the bytes ends; at least one entry on each side.
  private static func middle(_ node: NodeView, _ index: Int, _ entryByteCount: Int) -> Int {
    let count = node.count + 1
    let total = node.usedByteCount + entryByteCount + PageLayout.slotByteCount
    var sum = 0
    for place in 0..<count {
      let size = place == index ? entryByteCount : node.entryByteCount(place < index ? place : place - 1)
      sum += size + PageLayout.slotByteCount
      if sum * 2 >= total { return min(max(place + 1, 1), count - 1) }
    }
    return count / 2
  }

  private static func key(_ node: NodeView, _ index: Int, _ key: [UInt8], _ place: Int) -> [UInt8] {
    place == index ? key : node.key(place < index ? place : place - 1)
  }

  /// The shortest key above `left` and at or below `right`.
  static func shortest(between left: [UInt8], and right: [UInt8]) -> [UInt8] {
    Array(right.prefix(left.span.raw.commonPrefixByteCount(right.span.raw) + 1))
  }

  static func copy(of page: DirtyPage, into scratch: ByteBuffer) -> NodeView {
    scratch.copy(from: page.buffer, 0..<page.buffer.count, at: 0)
    return NodeView(scratch.view(page.envelopeByteCount..<page.buffer.count))
  }

  /// - Parameter insert: inserts the new entry into a page at a place, with its key.
  func split(into right: DirtyPage, scratch: ByteBuffer, insert: (NodeEditor, Int, [UInt8]) -> Void) {
    old.lastInsertion = -1
    if index == count - 1, leftCount == index {
      let editor = NodeEditor(right)
      editor.reformat(like: old.node, prefix: RawSpan())
      return insert(editor, 0, key)
    }
    let source = Self.copy(of: old, into: scratch)
    fill(NodeEditor(old), 0..<leftCount, source, insert)
    fill(NodeEditor(right), leftCount..<count, source, insert)
  }

  private func fill(_ editor: NodeEditor, _ places: Range<Int>, _ source: NodeView, _ insert: (NodeEditor, Int, [UInt8]) -> Void) {
    editor.reformat(like: source, prefix: prefix(places, source).span.raw)
    for place in places {
      if place == index {
        insert(editor, place - places.lowerBound, key)
      } else {
        editor.append(place < index ? place : place - 1, of: source)
      }
    }
  }

  /// What the keys of a page begin with; nothing for a single one, which the next key would hardly begin with.
  private func prefix(_ places: Range<Int>, _ source: NodeView) -> [UInt8] {
    let first = isLeaf ? places.lowerBound : places.lowerBound + 1
    guard first < places.upperBound - 1 else { return [] }
    let low = Self.key(source, index, key, first)
    let high = Self.key(source, index, key, places.upperBound - 1)
    return Array(low.prefix(low.span.raw.commonPrefixByteCount(high.span.raw)))
  }
}
