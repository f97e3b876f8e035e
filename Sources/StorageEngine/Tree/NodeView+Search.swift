import RawMemory

/// The first four bytes behind a page's prefix as a number: most comparisons of a search end here.
@inline(__always)
func keyHead(_ key: borrowing RawSpan, from start: Int) -> UInt32 {
  let rest = key.byteCount - start
  if rest >= 4 { return key.load(UInt32.self, at: start).byteSwapped }
  var head: UInt32 = 0
  for index in 0..<max(rest, 0) { head |= UInt32(key.load(UInt8.self, at: start + index)) << UInt32(24 - 8 * index) }
  return head
}

extension NodeView {
  /// Asks for what a search reads: the header with the slots of some twenty entries, and the bytes that all keys begin with, which are the
  /// last ones. So they all come while the first is waited for.
  func prefetchForSearch() {
    body.prefetch(0..<min(192, body.count))
    body.prefetch(max(body.count - 16, 0)..<body.count)
  }

  /// Asks for the entry that a search would look at first, by what its slots say.
  func prefetchEntry(_ key: borrowing RawSpan) {
    let count = count
    let low = body.countBelow(keyHead(key, from: prefixByteCount), at: slot(0), stride: PageLayout.slotByteCount, count: count)
    guard low < count else { return }
    let offset = entryOffset(low)
    body.prefetch(offset..<min(offset + 512, body.count))
  }

  /// Where `key` is or would be. - Returns: the first index whose key isn't below it, and whether it is that key.
  func search(_ key: borrowing RawSpan, from first: Int = 0) -> (index: Int, isFound: Bool) {
    let count = self.count
    let prefixByteCount = self.prefixByteCount
    if prefixByteCount > 0 {
      let order = comparePrefix(key, prefixByteCount)
      if order != 0 { return (order < 0 ? count : first, false) }
    }
    let head = keyHead(key, from: prefixByteCount)
    var low = first + body.countBelow(head, at: slot(first), stride: PageLayout.slotByteCount, count: count - first)
    guard low < count, self.head(low) == head else { return (low, false) }
    // Of those that begin alike, mostly one.
    var high = low + 1
    if high < count, self.head(high) == head {
      high =
        head == .max ? count : low + body.countBelow(head + 1, at: slot(low), stride: PageLayout.slotByteCount, count: count - low)
    }
    while low < high {
      let middle = (low + high) / 2
      let order = compareSuffix(middle, key, from: prefixByteCount)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// As `search`, looking behind the last entry first: for keys that come in order.
  func searchFromEnd(_ key: borrowing RawSpan) -> (index: Int, isFound: Bool) {
    let count = self.count
    return count > 0 && compareKey(count - 1, with: key) < 0 ? (count, false) : search(key)
  }

  /// Whether a key begins with what all keys of the page begin with.
  func sharesPrefix(_ key: borrowing RawSpan) -> Bool {
    let prefixByteCount = self.prefixByteCount
    return prefixByteCount == 0 || comparePrefix(key, prefixByteCount) == 0
  }

  /// The child below which `key` belongs.
  func childIndex(_ key: borrowing RawSpan) -> Int {
    let (index, isFound) = search(key, from: 1)
    return isFound ? index : index - 1
  }

  /// The order of an entry's key against `key`: below, at or above 0. Not for the first entry of a branch.
  func compareKey(_ index: Int, with key: borrowing RawSpan) -> Int {
    let prefixByteCount = self.prefixByteCount
    if prefixByteCount > 0 {
      let order = comparePrefix(key, prefixByteCount)
      if order != 0 { return order }
    }
    return compareSuffix(index, key, from: prefixByteCount)
  }

  /// Whether the keys of two entries begin with the same bytes, as many as that. Not for the first entry of a branch.
  func beginsAlike(_ a: Int, _ b: Int, _ byteCount: Int) -> Bool {
    let rest = byteCount - prefixByteCount
    if rest <= 0 { return true }
    let (first, second) = (suffixRange(a), suffixRange(b))
    guard first.count >= rest, second.count >= rest else { return false }
    return body.compare(first.lowerBound..<first.lowerBound + rest, with: body.bytes(second.lowerBound..<second.lowerBound + rest))
      == 0
  }

  /// Whether what all keys begin with is below (< 0), above (> 0) or the beginning of `key` (0).
  private func comparePrefix(_ key: borrowing RawSpan, _ prefixByteCount: Int) -> Int {
    let order = body.compare(prefixRange, with: key.extracting(first: prefixByteCount))
    return order
  }

  private func compareSuffix(_ index: Int, _ key: borrowing RawSpan, from start: Int) -> Int {
    body.compare(suffixRange(index), with: key.extracting(droppingFirst: start))
  }
}
