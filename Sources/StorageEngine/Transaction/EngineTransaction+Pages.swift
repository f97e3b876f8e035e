import RawMemory

extension EngineTransaction {
  /// A page of this transaction, read back if it was spilled.
  func ownPage(_ number: PageNumber) throws(EngineError) -> DirtyPage {
    if let page = dirty[number] {
      page.lastTouch = operationCount
      return page
    }
    let buffer = engine.buffers.take()
    try pages.read(number, birth: id, into: buffer)
    let page = DirtyPage(number: number, buffer: buffer, envelopeByteCount: geometry.envelopeByteCount, epoch: -1)
    if let fault = PageValidation.fault(page.node.body, number: number, birth: id) { throw pages.corrupted(number, fault) }
    page.isWritten = true
    page.lastTouch = operationCount
    dirty.insert(page)
    return page
  }

  /// An empty page.
  func makePage(_ kind: PageKind, level: UInt8, tree: UInt32) throws(EngineError) -> DirtyPage {
    let page = try newPage()
    let none: [UInt8] = []
    NodeEditor(page).format(kind, level: level, tree: tree, page: page.number, birth: id, prefix: none.span.raw)
    return page
  }

  /// This transaction's copy of another one's page, which it no longer needs.
  func copy(_ node: NodeView, _ reference: ChildReference) throws(EngineError) -> DirtyPage {
    let page = try newPage()
    node.body.copy(0..<node.body.count, to: page.buffer, at: geometry.envelopeByteCount)
    NodeEditor(page).setBirth(id, page: page.number)
    space.drop(reference.page, birth: reference.birth)
    return page
  }

  private func newPage() throws(EngineError) -> DirtyPage {
    let number = try space.allocate()
    guard dirty[number] == nil else { throw pages.corrupted(number, "it is said to be free twice, or free and in use") }
    let page = DirtyPage(
      number: number, buffer: engine.buffers.take(), envelopeByteCount: geometry.envelopeByteCount, epoch: epoch)
    page.lastTouch = operationCount
    dirty.insert(page)
    written[number] = nil
    if !savepoints.isEmpty { savepoints[savepoints.count - 1].made.insert(number) }
    return page
  }

  /// Called before an own page changes: the savepoint in force keeps what it was.
  @inline(__always) func willChange(_ page: DirtyPage) {
    page.isWritten = false
    page.lastTouch = operationCount
    if page.epoch != epoch { save(page) }
  }
  func save(_ page: DirtyPage) {
    // One that was made since, was spilled and came back is no page that a rollback wants.
    if let last = savepoints.indices.last, savepoints[last].saved[page.number] == nil, !savepoints[last].made.contains(page.number)
    {
      let copy = engine.buffers.take()
      copy.copy(from: page.buffer, 0..<page.buffer.count, at: 0)
      savepoints[last].saved[page.number] = SavedPage(buffer: copy, epoch: page.epoch)
    }
    page.epoch = epoch
  }

  /// Gives up a page of this transaction; nobody else has seen it, so it can be used again at once.
  func dropOwn(_ page: DirtyPage) {
    if page.epoch != epoch { save(page) }
    dirty.remove(page.number)
    engine.buffers.give(page.buffer)
    written[page.number] = nil
    space.reuse(page.number)
    structureTick += 1
  }

  // MARK: Long values

  func writeLongValue(_ value: borrowing RawSpan, tree: UInt32) throws(EngineError) -> LongReference {
    let pageCount = geometry.runPageCount(value.byteCount)
    let first = try space.allocateRun(pageCount)
    try engine.ensureAllocated(pageCount: self.pageCount, base: base)
    var checksums: [(PageNumber, UInt32)] = []
    try pages.writeLongValue(value, at: first, birth: id, tree: tree) { checksums.append(($0, $1)) }
    for (page, checksum) in checksums { written[page] = checksum }
    return LongReference(page: first, byteCount: value.byteCount, birth: id)
  }

  /// Within a savepoint a run of this transaction isn't used again: it is on the disk already, and a rollback wants it back.
  func dropRun(_ reference: LongReference) throws(EngineError) {
    guard reference.page >= geometry.firstPage, reference.byteCount <= PageLayout.valueByteCountMax,
      UInt64(reference.page) + UInt64(geometry.runPageCount(reference.byteCount)) <= UInt64(pageCount)
    else { throw pages.corrupted(reference.page, "a long value that this version can't have") }
    for index in 0..<geometry.runPageCount(reference.byteCount) {
      let page = reference.page + PageNumber(index)
      if reference.birth == id, savepoints.isEmpty {
        written[page] = nil
        space.reuse(page)
      } else {
        space.drop(page, birth: reference.birth)
      }
    }
  }
}
