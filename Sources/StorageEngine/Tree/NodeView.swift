import RawMemory

/// Reading a page of a tree. The page was validated when it was first touched (`PageValidation`), so offsets in it are good.
struct NodeView {
  let body: ByteView

  init(_ body: ByteView) { self.body = body }

  var isLeaf: Bool { body.load(UInt8.self, at: PageLayout.kind) == PageKind.leaf.rawValue }
  var level: UInt8 { body.load(UInt8.self, at: PageLayout.level) }
  var count: Int { Int(body.load(UInt16.self, at: PageLayout.entryCount)) }
  var birth: TransactionID { body.load(UInt64.self, at: PageLayout.birth) }
  var prefixByteCount: Int { Int(body.load(UInt16.self, at: PageLayout.prefixByteCount)) }
  var heapStart: Int { Int(body.load(UInt16.self, at: PageLayout.heapStart)) }
  var garbageByteCount: Int { Int(body.load(UInt16.self, at: PageLayout.garbageByteCount)) }
  var fixedByteCount: Int { isLeaf ? PageLayout.leafFixedByteCount : PageLayout.branchFixedByteCount }

  var prefixRange: Range<Int> { body.count - prefixByteCount..<body.count }
  var freeByteCount: Int { heapStart - PageLayout.slots - count * PageLayout.slotByteCount }
  /// Bytes that entries and their slots need, without the prefix.
  var usedByteCount: Int { body.count - PageLayout.slots - prefixByteCount - freeByteCount - garbageByteCount }

  @inline(__always) func slot(_ index: Int) -> Int { PageLayout.slots + index * PageLayout.slotByteCount }
  @inline(__always) func head(_ index: Int) -> UInt32 { body.load(UInt32.self, at: slot(index)) }
  @inline(__always) func entryOffset(_ index: Int) -> Int {
    Int(body.load(UInt16.self, at: slot(index) + PageLayout.slotOffset))
  }
  @inline(__always) func suffixByteCount(_ index: Int) -> Int {
    Int(body.load(UInt16.self, at: slot(index) + PageLayout.slotKeyByteCount))
  }

  /// The key behind the prefix.
  func suffixRange(_ index: Int) -> Range<Int> {
    let start = entryOffset(index) + fixedByteCount
    return start..<start + suffixByteCount(index)
  }

  func entryByteCount(_ index: Int) -> Int {
    isLeaf
      ? PageLayout.leafFixedByteCount + suffixByteCount(index) + inlineByteCount(index)
      : PageLayout.branchFixedByteCount + suffixByteCount(index)
  }

  func keyByteCount(_ index: Int) -> Int {
    !isLeaf && index == 0 ? 0 : prefixByteCount + suffixByteCount(index)
  }

  /// Appends the whole key.
  func appendKey(_ index: Int, to key: inout [UInt8]) {
    if !isLeaf && index == 0 { return }
    body.withBytes(prefixRange) { key.append(contentsOf: $0) }
    body.withBytes(suffixRange(index)) { key.append(contentsOf: $0) }
  }
  func key(_ index: Int) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(keyByteCount(index))
    appendKey(index, to: &key)
    return key
  }

  // MARK: Leaves

  /// Where the parts of a leaf's entry are: the key behind the prefix, and what of the value stands in the page.
  @inline(__always) func leafEntry(_ index: Int) -> (suffix: Range<Int>, inline: Range<Int>, isLong: Bool) {
    let slot = body.load(UInt64.self, at: slot(index))
    let offset = Int(truncatingIfNeeded: slot >> UInt64(8 * PageLayout.slotOffset) & 0xFFFF)
    let suffixByteCount = Int(truncatingIfNeeded: slot >> UInt64(8 * PageLayout.slotKeyByteCount))
    let mark = body.load(UInt16.self, at: offset)
    let isLong = mark == PageLayout.longValueMark
    let start = offset + PageLayout.leafFixedByteCount
    let end = start + suffixByteCount
    return (start..<end, end..<end + (isLong ? PageLayout.longReferenceByteCount : Int(mark)), isLong)
  }

  @inline(__always) func valueMark(_ index: Int) -> UInt16 { body.load(UInt16.self, at: entryOffset(index)) }
  /// What of the value stands in the page: the value, or the reference to a long one.
  func inlineByteCount(_ index: Int) -> Int {
    let mark = valueMark(index)
    return mark == PageLayout.longValueMark ? PageLayout.longReferenceByteCount : Int(mark)
  }
  func inlineRange(_ index: Int) -> Range<Int> {
    let start = entryOffset(index) + PageLayout.leafFixedByteCount + suffixByteCount(index)
    return start..<start + inlineByteCount(index)
  }
  func isLong(_ index: Int) -> Bool { valueMark(index) == PageLayout.longValueMark }
  func longReference(_ index: Int) -> LongReference { LongReference(body, at: inlineRange(index).lowerBound) }

  // MARK: Branches

  /// How many entries are below a child.
  @inline(__always) func childCount(_ index: Int) -> UInt64 {
    body.load(UInt64.self, at: entryOffset(index) + PageLayout.childCount)
  }
  @inline(__always) func child(_ index: Int) -> ChildReference { ChildReference(body, at: entryOffset(index)) }
}

/// What a branch says of a child.
struct ChildReference {
  var page: PageNumber
  var birth: TransactionID
  /// Entries below it.
  var count: UInt64

  init(page: PageNumber, birth: TransactionID, count: UInt64) {
    self.page = page
    self.birth = birth
    self.count = count
  }
  init(_ body: ByteView, at offset: Int) {
    page = body.load(UInt32.self, at: offset + PageLayout.childPage)
    birth = body.load(UInt64.self, at: offset + PageLayout.childBirth)
    count = body.load(UInt64.self, at: offset + PageLayout.childCount)
  }
  func store(in buffer: ByteBuffer, at offset: Int) {
    buffer.store(page, at: offset + PageLayout.childPage)
    buffer.store(birth, at: offset + PageLayout.childBirth)
    buffer.store(count, at: offset + PageLayout.childCount)
  }
}

/// Where a long value is.
struct LongReference {
  var page: PageNumber
  var byteCount: Int
  var birth: TransactionID

  init(page: PageNumber, byteCount: Int, birth: TransactionID) {
    self.page = page
    self.byteCount = byteCount
    self.birth = birth
  }
  init(_ body: ByteView, at offset: Int) {
    page = body.load(UInt32.self, at: offset)
    byteCount = Int(body.load(UInt32.self, at: offset + 4))
    birth = body.load(UInt64.self, at: offset + 8)
  }
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: page >> UInt32(8 * shift))) }
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: byteCount >> (8 * shift))) }
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: birth >> UInt64(8 * shift))) }
    return bytes
  }
}
