import RawMemory

/// A page as it was when a savepoint was made.
struct SavedPage {
  let buffer: ByteBuffer
  let epoch: Int
}

/// What a transaction goes back to: roots and lists by value, pages by the copies that are made before they change.
struct Savepoint {
  let epoch: Int
  /// With their writers, which handles refer to: a tree may be removed, and another one made under its name.
  let trees: [String: (writer: TreeWriter, root: TreeRoot)]
  let catalogRoot: TreeRoot
  let space: FreeSpace.State
  let pageCount: PageNumber
  let nextTreeID: UInt32
  let writtenCount: Int
  var saved: [PageNumber: SavedPage] = [:]
  var made: Set<PageNumber> = []
}

extension EngineTransaction {
  func beginSavepoint() throws(EngineError) {
    try checkUsable()
    if isBroken { throw .transactionEnded }
    flushTrees()
    let current = trees.mapValues { (writer: $0, root: $0.root) }
    epoch += 1
    savepoints.append(
      Savepoint(
        epoch: epoch, trees: current, catalogRoot: catalog.root, space: space.state, pageCount: pageCount, nextTreeID: nextTreeID,
        writtenCount: written.count))
  }

  /// Keeps what was done; the savepoint around it, if there is one, can still undo it.
  func releaseSavepoint() {
    guard !hasEnded, let inner = savepoints.popLast() else { return }
    guard let last = savepoints.indices.last else {
      for saved in inner.saved.values { engine.buffers.give(saved.buffer) }
      return
    }
    for (number, saved) in inner.saved {
      let isOlder = saved.epoch < savepoints[last].epoch && !savepoints[last].made.contains(number)
      if isOlder, savepoints[last].saved[number] == nil {
        savepoints[last].saved[number] = saved
      } else {
        engine.buffers.give(saved.buffer)
      }
    }
    savepoints[last].made.formUnion(inner.made)
  }

  /// Undoes what was done since the savepoint, which is gone then.
  func rollBack() {
    guard !hasEnded, let savepoint = savepoints.popLast() else { return }
    for number in savepoint.made { if let page = dirty.remove(number) { engine.buffers.give(page.buffer) } }
    for (number, saved) in savepoint.saved {
      if let page = dirty.remove(number) { engine.buffers.give(page.buffer) }
      dirty.insert(
        DirtyPage(number: number, buffer: saved.buffer, envelopeByteCount: geometry.envelopeByteCount, epoch: saved.epoch))
    }
    // A tree that was made since isn't any more, and one that was removed is again.
    for writer in trees.values {
      writer.restore(.empty)
      writer.isDetached = true
    }
    trees = savepoint.trees.mapValues { $0.writer }
    for (writer, root) in savepoint.trees.values {
      writer.restore(root)
      writer.isDetached = false
    }
    catalog.restore(savepoint.catalogRoot)
    space.restore(savepoint.space)
    pageCount = savepoint.pageCount
    nextTreeID = savepoint.nextTreeID
    if written.count != savepoint.writtenCount || !written.isEmpty { needsEarlySync = true }
    structureTick += 1
    isBroken = false
    epoch += 1
  }

  func flushTrees() {
    for writer in trees.values { writer.flush() }
    catalog.flush()
    space.flush()
  }
}
