import RawMemory

/// Two neighbouring pages as one list of entries, to be shared out anew.
struct NodePair {
  let left: NodeView
  let right: NodeView
  /// What the parent says of `right`: in a branch, the key that its first entry lacks.
  let separator: [UInt8]

  var count: Int { left.count + right.count }
  private var isLeaf: Bool { left.isLeaf }

  private func key(_ place: Int) -> [UInt8] {
    if place < left.count { return left.key(place) }
    let index = place - left.count
    return !isLeaf && index == 0 ? separator : right.key(index)
  }

  private func prefix(_ places: Range<Int>) -> [UInt8] {
    let first = isLeaf ? places.lowerBound : places.lowerBound + 1
    guard first < places.upperBound - 1 else { return [] }
    let low = key(first)
    return Array(low.prefix(low.span.raw.commonPrefixByteCount(key(places.upperBound - 1).span.raw)))
  }

  /// Of an entry with its slot and whole key.
  private func byteCount(_ place: Int) -> Int {
    let (node, index) = place < left.count ? (left, place) : (right, place - left.count)
    let fixed = node.entryByteCount(index) - node.suffixByteCount(index) + PageLayout.slotByteCount
    let keyByteCount =
      !isLeaf && index == 0 ? (place == 0 ? 0 : separator.count) : node.prefixByteCount + node.suffixByteCount(index)
    return fixed + keyByteCount
  }

  /// Of all entries with their slots and whole keys: without looking at them one by one, since this is asked before each split.
  private var totalByteCount: Int {
    let first = isLeaf ? 0 : 1
    var sum = 0
    for node in [left, right] { sum += node.usedByteCount + max(node.count - first, 0) * node.prefixByteCount }
    return isLeaf || right.count == 0 ? sum : sum + separator.count
  }

  /// Whether the keys of the right page come behind those of the left one.
  var isInOrder: Bool {
    let (last, first) = (left.count - 1, isLeaf ? 0 : 1)
    // A branch with a single child has no key.
    if last >= first, left.compareKey(last, with: separator.span.raw) >= 0 { return false }
    return right.count <= first || right.compareKey(first, with: separator.span.raw) >= (isLeaf ? 0 : 1)
  }

  /// Whether a page can hold these entries. - Parameter byteCount: of all of them, with their whole keys.
  private func fits(_ places: Range<Int>, byteCount: Int) -> Bool {
    let prefixByteCount = prefix(places).count
    let keyCount = isLeaf ? places.count : places.count - 1
    return byteCount - (keyCount - 1) * prefixByteCount <= left.body.count - PageLayout.slots
  }

  /// Whether one page can hold both.
  var fitsOnePage: Bool { fits(0..<count, byteCount: totalByteCount) }

  /// How many go to the left page so that both are about as full; nil when that can't be.
  var balancedCount: Int? {
    let total = totalByteCount
    var sum = 0
    for place in 0..<count - 1 {
      sum += byteCount(place)
      if sum * 2 >= total {
        let isPossible = fits(0..<place + 1, byteCount: sum) && fits(place + 1..<count, byteCount: total - sum)
        return isPossible ? place + 1 : nil
      }
    }
    return nil
  }

  func separator(at place: Int) -> [UInt8] {
    isLeaf ? NodeSplitter.shortest(between: key(place - 1), and: key(place)) : key(place)
  }

  /// Writes a part of the list to a page, whose old content is this pair's copy.
  func fill(_ page: DirtyPage, _ places: Range<Int>) {
    let editor = NodeEditor(page)
    editor.reformat(like: left, prefix: prefix(places).span.raw)
    for place in places {
      if place < left.count {
        editor.append(place, of: left)
      } else {
        editor.append(place - left.count, of: right, keyIfFirst: separator)
      }
    }
    page.lastInsertion = -1
  }
}
