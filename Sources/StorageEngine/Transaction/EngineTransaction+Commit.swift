import RawMemory
import StorageIO
import Synchronization

extension EngineTransaction {
  /// Publishes what was changed; the transaction has ended then, whether it succeeds or throws.
  ///
  /// Read from top to bottom, this is how a version comes to be. Nothing that it writes can be reached from the version that is published,
  /// and the last durable one stays whole, so a death at any instant leaves one of the two.
  /// - Returns: the new version; the old one when nothing was changed.
  /// - Throws: `noSpace`, `full`, a system call's failure: the version before is current, and later transactions work. After a sync
  ///   that failed the handle takes no more writes.
  ///
  /// With `isForced` a version is made also when nothing was changed.
  func commit(_ durability: EngineDurability = .powerLoss, isForced: Bool = false) throws(EngineError) -> TransactionID {
    guard !hasEnded else { throw .transactionEnded }
    defer { end() }
    try checkUsable()
    if isBroken { throw .transactionEnded }
    while !savepoints.isEmpty { releaseSavepoint() }

    // 1. The trees' new roots go to the catalogue, what is free to the free tree. From here on no page changes.
    guard try updateCatalog() || isForced else { return base.id }
    mayUseReserve = true
    try space.settle()
    flushTrees()

    // 2. Pages go to their places, and with them the list that says what an unclean end may have lost.
    let pagesToWrite = dirty.sorted
    var list = listToContinue()
    try write(pagesToWrite.filter { !$0.isWritten }) { page, checksum in written[page] = checksum }
    list?.merge(written) { _, new in new }
    for free in space.droppedAll { list?[free] = nil }

    // 3. More than a meta page can list is synced before it.
    if needsEarlySync || (list?.count ?? .max) > MetaLayout.listCountMax {
      if durability == .processCrash {
        list = nil
      } else {
        try synchronize(list)
        list = [:]
      }
    }

    // 4. The meta page: the version as one page.
    let meta = MetaPage(
      id: id, durableID: engine.lockFile.durable, bootIdentity: engine.bootIdentity, pageCount: pageCount, catalog: catalog.root,
      free: space.root, nextTreeID: nextTreeID, commitTime: engine.system.realtimeMicroseconds(), unsynced: list,
      slot: engine.slotToWrite(current: base.id))
    try engine.write(meta, to: pages)

    // 5. One sync makes both durable.
    if durability == .powerLoss { try synchronize(list) }

    // 6. Readers and writers of all processes find it.
    engine.publish(meta, isDurable: durability == .powerLoss)
    engine.remember(space.hint)
    keepInMemory(pagesToWrite)
    return id
  }

  /// Undoes everything. Calling it again, or after a commit, does nothing.
  func abort() {
    if !hasEnded { end() }
  }

  private func end() {
    hasEnded = true
    for page in dirty.sorted { engine.buffers.give(page.buffer) }
    dirty.removeAll()
    for savepoint in savepoints { for saved in savepoint.saved.values { engine.buffers.give(saved.buffer) } }
    savepoints.removeAll()
    engine.buffers.give(scratch)
    engine.buffers.give(scratch2)
    engine.buffers.trim()
    letGo()
    engine.endTransaction(self)
  }

  /// - Returns: whether anything was changed.
  private func updateCatalog() throws(EngineError) -> Bool {
    flushTrees()
    for (name, writer) in trees.sorted(by: { $0.key < $1.key }) {
      let old = try Catalog.record(name, in: catalog.tree)
      if let old, old.root == writer.root { continue }
      _ = try catalog.put(Array(name.utf8).span.raw, Catalog.bytes(Catalog.Record(id: writer.id, root: writer.root)).span.raw)
    }
    catalog.flush()
    return catalog.root != base.catalog
  }

  /// The pages of this version that weren't synced when the transaction began; nil when they weren't listed.
  private func listToContinue() -> [PageNumber: UInt32]? { base.id == engine.lockFile.durable ? [:] : base.unsynced }

  /// What was just written will be read next: as many pages as the cache has room for, those touched last.
  private func keepInMemory(_ pages: [DirtyPage]) {
    guard let cache = self.pages.cache else {
      for page in pages { self.pages.checked.insert(page.number, id) }
      return
    }
    let surplus = pages.count - cache.pageCountMax
    let kept = surplus > 0 ? Array(pages.sorted { $0.lastTouch < $1.lastTouch }.dropFirst(surplus)) : pages
    for page in kept {
      dirty.remove(page.number)
      if let spare = cache.makeRoom(for: page.number) { engine.buffers.give(spare) }
      cache.insert(page.buffer, page.number, id)
    }
  }
}

extension Engine {
  /// The meta page that holds neither the current nor the last durable version; what was never published goes first.
  func slotToWrite(current: TransactionID) -> Int {
    let durable = lockFile.durable
    let versions = state.withLock { $0.slotVersions }
    let candidates = versions.indices.filter { versions[$0] != current && (versions[$0] == nil || versions[$0] != durable) }
    if let unpublished = candidates.first(where: { (versions[$0] ?? 0) > current }) { return unpublished }
    return candidates.min { (versions[$0] ?? 0) < (versions[$1] ?? 0) } ?? 0
  }

  func write(_ meta: MetaPage, to pages: PageFile) throws(EngineError) {
    let byteCount = meta.store(in: metaBuffer, header: header, sealer: sealer)
    let offset = UInt64(meta.slot * PageGeometry.metaStride)
    state.withLock { $0.slotVersions[meta.slot] = nil }
    try naming(path) { () throws(SystemError) in try pages.file.write(metaBuffer, 0..<byteCount, at: offset) }
  }

  func publish(_ meta: MetaPage, isDurable: Bool) {
    state.withLock { state in
      state.slotVersions[meta.slot] = meta.id
      state.newest = meta
    }
    lockFile.publish(meta.id)
    // Behind it: a version that is durable and was never published would be overwritten by the next writer.
    if isDurable { lockFile.setDurable(meta.id) }
  }
}
