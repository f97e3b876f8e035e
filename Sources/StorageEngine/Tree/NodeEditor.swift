import RawMemory

/// Changing a page of a tree that a transaction owns. Whoever inserts has asked whether there is room.
struct NodeEditor {
  let buffer: ByteBuffer
  /// Where the body begins in the buffer.
  let base: Int
  let view: NodeView

  init(_ page: DirtyPage) {
    buffer = page.buffer
    base = page.envelopeByteCount
    view = page.node
  }

  /// Makes an empty page of the buffer.
  func format(_ kind: PageKind, level: UInt8, tree: UInt32, page: PageNumber, birth: TransactionID, prefix: borrowing RawSpan) {
    buffer.zero(base..<base + PageLayout.slots)
    buffer.store(birth, at: base + PageLayout.birth)
    buffer.store(kind.rawValue, at: base + PageLayout.kind)
    buffer.store(level, at: base + PageLayout.level)
    buffer.store(page, at: base + PageLayout.page)
    buffer.store(tree, at: base + PageLayout.tree)
    setPrefix(prefix)
  }

  /// Empties the page; it stays what it is.
  func reformat(like other: NodeView, prefix: borrowing RawSpan) {
    store(0, PageLayout.entryCount)
    store(0, PageLayout.garbageByteCount)
    buffer.store(other.body.load(UInt8.self, at: PageLayout.kind), at: base + PageLayout.kind)
    buffer.store(other.level, at: base + PageLayout.level)
    setPrefix(prefix)
  }

  /// Of a page without entries.
  private func setPrefix(_ prefix: borrowing RawSpan) {
    let start = view.body.count - prefix.byteCount
    buffer.copy(prefix, at: base + start)
    store(prefix.byteCount, PageLayout.prefixByteCount)
    store(start, PageLayout.heapStart)
  }

  private func store(_ value: Int, _ field: Int) { buffer.store(UInt16(value), at: base + field) }

  /// Takes `byteCount` bytes of the heap and a slot at `index`. - Returns: where in the body the entry is to be written.
  private func makeEntry(at index: Int, byteCount: Int, head: UInt32, suffixByteCount: Int) -> Int {
    let count = view.count
    let start = view.heapStart - byteCount
    let slot = base + view.slot(index)
    if index < count { buffer.copy(from: buffer, slot..<base + view.slot(count), at: slot + PageLayout.slotByteCount) }
    buffer.store(head, at: slot + PageLayout.slotHead)
    buffer.store(UInt16(start), at: slot + PageLayout.slotOffset)
    buffer.store(UInt16(suffixByteCount), at: slot + PageLayout.slotKeyByteCount)
    store(start, PageLayout.heapStart)
    store(count + 1, PageLayout.entryCount)
    return start
  }

  /// - Parameter mark: the value's byte count, or `PageLayout.longValueMark`. - Precondition: the key begins with the page's prefix.
  func insertLeafEntry(at index: Int, key: borrowing RawSpan, mark: UInt16, value: borrowing RawSpan) {
    let prefixByteCount = view.prefixByteCount
    let suffixByteCount = key.byteCount - prefixByteCount
    let start = makeEntry(
      at: index, byteCount: PageLayout.leafFixedByteCount + suffixByteCount + value.byteCount,
      head: keyHead(key, from: prefixByteCount),
      suffixByteCount: suffixByteCount)
    buffer.store(mark, at: base + start)
    buffer.copy(key.extracting(droppingFirst: prefixByteCount), at: base + start + PageLayout.leafFixedByteCount)
    buffer.copy(value, at: base + start + PageLayout.leafFixedByteCount + suffixByteCount)
  }

  /// The first entry of a branch takes no key.
  func insertBranchEntry(at index: Int, key: borrowing RawSpan, child: ChildReference) {
    let prefixByteCount = index == 0 ? 0 : view.prefixByteCount
    let suffixByteCount = index == 0 ? 0 : key.byteCount - prefixByteCount
    let start = makeEntry(
      at: index, byteCount: PageLayout.branchFixedByteCount + suffixByteCount,
      head: index == 0 ? 0 : keyHead(key, from: prefixByteCount),
      suffixByteCount: suffixByteCount)
    child.store(in: buffer, at: base + start)
    if index > 0 { buffer.copy(key.extracting(droppingFirst: prefixByteCount), at: base + start + PageLayout.branchFixedByteCount) }
  }

  /// Appends an entry of another page, or of this page's older content, with its whole key.
  ///
  /// - Parameter keyIfFirst: the key of a branch's first entry, which has none of its own, when it comes to stand behind others.
  func append(_ index: Int, of other: NodeView, keyIfFirst: [UInt8] = []) {
    let count = view.count
    let hasKey = other.isLeaf || count > 0 && index > 0
    if hasKey, other.prefixByteCount == view.prefixByteCount {
      // The entry is the same in every byte.
      let (offset, byteCount) = (other.entryOffset(index), other.entryByteCount(index))
      let start = makeEntry(
        at: count, byteCount: byteCount, head: other.head(index), suffixByteCount: other.suffixByteCount(index))
      other.body.copy(offset..<offset + byteCount, to: buffer, at: base + start)
    } else if other.isLeaf {
      let from = other.prefixByteCount
      let suffix = other.suffixRange(index)
      let into = view.prefixByteCount
      let valueByteCount = other.inlineByteCount(index)
      let suffixByteCount = from + suffix.count - into
      let start = makeEntry(
        at: count, byteCount: PageLayout.leafFixedByteCount + suffixByteCount + valueByteCount, head: 0,
        suffixByteCount: suffixByteCount)
      buffer.store(other.valueMark(index), at: base + start)
      let keyStart = base + start + PageLayout.leafFixedByteCount
      copySuffix(of: other, suffix, dropping: into, at: keyStart)
      other.body.copy(other.inlineRange(index), to: buffer, at: keyStart + suffixByteCount)
      setHead(count, keyStart, suffixByteCount)
    } else if !hasKey {
      insertBranchEntry(at: count, key: keyIfFirst.span.raw, child: other.child(index))
    } else {
      let from = other.prefixByteCount
      let suffix = other.suffixRange(index)
      let into = view.prefixByteCount
      let suffixByteCount = from + suffix.count - into
      let start = makeEntry(
        at: count, byteCount: PageLayout.branchFixedByteCount + suffixByteCount, head: 0, suffixByteCount: suffixByteCount)
      other.child(index).store(in: buffer, at: base + start)
      let keyStart = base + start + PageLayout.branchFixedByteCount
      copySuffix(of: other, suffix, dropping: into, at: keyStart)
      setHead(count, keyStart, suffixByteCount)
    }
  }

  /// Copies a key without its first `dropped` bytes, which this page's prefix has.
  private func copySuffix(of other: NodeView, _ suffix: Range<Int>, dropping dropped: Int, at start: Int) {
    let prefix = other.prefixRange
    if dropped < prefix.count {
      other.body.copy(prefix.lowerBound + dropped..<prefix.upperBound, to: buffer, at: start)
      other.body.copy(suffix, to: buffer, at: start + prefix.count - dropped)
    } else {
      other.body.copy(suffix.lowerBound + dropped - prefix.count..<suffix.upperBound, to: buffer, at: start)
    }
  }

  private func setHead(_ index: Int, _ keyStart: Int, _ suffixByteCount: Int) {
    let head = buffer.view(keyStart..<keyStart + suffixByteCount).withBytes(0..<suffixByteCount) { (key: RawSpan) in
      keyHead(key, from: 0)
    }
    buffer.store(head, at: base + view.slot(index) + PageLayout.slotHead)
  }

  func remove(_ index: Int) {
    let count = view.count
    let freed = view.entryByteCount(index)
    if view.entryOffset(index) == view.heapStart {
      store(view.heapStart + freed, PageLayout.heapStart)
    } else {
      store(view.garbageByteCount + freed, PageLayout.garbageByteCount)
    }
    let slot = base + view.slot(index)
    if index + 1 < count { buffer.copy(from: buffer, slot + PageLayout.slotByteCount..<base + view.slot(count), at: slot) }
    store(count - 1, PageLayout.entryCount)
  }

  /// Of the same byte count.
  func overwriteValue(_ index: Int, _ value: borrowing RawSpan) {
    buffer.copy(value, at: base + view.inlineRange(index).lowerBound)
  }

  func setChild(_ index: Int, _ child: ChildReference) { child.store(in: buffer, at: base + view.entryOffset(index)) }
  func addToCount(_ index: Int, _ delta: Int64) {
    let offset = base + view.entryOffset(index) + PageLayout.childCount
    buffer.store(UInt64(bitPattern: Int64(bitPattern: buffer.load(UInt64.self, at: offset)) &+ delta), at: offset)
  }
  func setBirth(_ birth: TransactionID, page: PageNumber) {
    buffer.store(birth, at: base + PageLayout.birth)
    buffer.store(page, at: base + PageLayout.page)
  }
}
