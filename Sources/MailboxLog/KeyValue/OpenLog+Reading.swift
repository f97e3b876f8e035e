import RawMemory
import Sealing
import StorageIO

/// Taking records into account, as they come.
extension OpenLog {
  /// The record at an offset whose key an append has changed.
  struct Change {
    let tag: UInt64
    /// Of the key's record before, if the table has it.
    let before: UInt64?
    /// Behind the beginning of what is appended.
    let position: Int
  }

  /// What this handle has appended at `offset`.
  func note(_ changes: [Change], at offset: UInt64) {
    for change in changes {
      unindexedCount += 1
      let place = offset + UInt64(change.position)
      if let before = change.before, table.move(change.tag, from: before, to: place) { continue }
      table.insert(change.tag, place)
    }
  }

  func clear(_ start: UInt64, _ end: UInt64) {
    clearedEnd = end
    clearedRecordStart = start
    table.removeAll()
    runs = []
  }

  /// Reads what others have added. - Parameter didRead: is told how far the reading is.
  func read(from start: UInt64, to end: UInt64, _ didRead: (UInt64) -> Void) throws(LogError) {
    try walk(from: start, to: end) { step throws(LogError) in
      switch step {
      case .damage(let range, let reason): try noteDamage(range, reason)
      case .record(let frame, let range, let isGood):
        // The record itself is known from here on.
        didRead(range.upperBound)
        if isGood, try note(frame, at: range.lowerBound) { return }
        try noteDamage(range, "the record's checksum or tag doesn't match")
      }
    }
    didRead(end)
  }

  private func noteDamage(_ range: Range<UInt64>, _ reason: String) throws(LogError) {
    if context.options.recovery == .fail { throw .corrupted(offset: range.lowerBound, reason: reason) }
    context.report(.damageFound, "\(segment.file.path): bytes \(range.lowerBound) to \(range.upperBound): \(reason)")
  }

  /// Takes a record into account. - Returns: false when its tag doesn't fit.
  private func note(_ frame: RecordFrame, at offset: UInt64) throws(LogError) -> Bool {
    lastSequence = max(lastSequence, frame.sequence)
    switch frame.kind {
    case .entry: return false
    case .index: if let run = run(at: offset) { adopt(run) }
    case .removeAll:
      guard record(at: offset) != nil else { return false }
      clear(offset, offset + UInt64(frame.totalByteCount))
    case .set, .remove:
      guard let record = record(at: offset) else { return false }
      unindexedCount += 1
      let buffer = record.buffer
      buffer.withSpan(record.keyRange) { key in
        let tag = KeyTable.tag(hash(key))
        if let slot = slot(key, tag) { table.move(slot, to: offset) } else { table.insert(tag, offset) }
      }
    }
    return true
  }

  // MARK: Runs

  /// Adopts the newest run, for what is below its end: opening doesn't depend on how much that is.
  func newestRun(before committed: UInt64) -> IndexRun? {
    guard let offset = indexWord, offset != 0, offset < committed else { return nil }
    if let run = run(at: offset), adopt(run) { return run }
    context.report(.damageFound, "the index of \(segment.file.path) is damaged: all of the log is read")
    return nil
  }

  /// A run and its record, checked as far as its first block goes.
  private func run(at offset: UInt64) -> IndexRun? {
    guard offset >= SegmentLayout.dataStart, offset % 8 == 0, offset + UInt64(SegmentLayout.Frame.body) <= UInt64(view.count) else {
      return nil
    }
    let frame = RecordFrame(
      view, at: Int(offset), fileOffset: offset, byteCountMax: UInt64(view.count) - offset, isSealed: segment.isSealedFile,
      coding: segment.checksum)
    guard let frame, frame.kind == .index,
      let block = blocks.block(at: offset + UInt64(SegmentLayout.Frame.body), writer: frame.writer, in: view)
    else { return nil }
    return IndexRun(at: offset, frame, first: block.buffer, at: block.start)
  }

  /// The run and all older ones. - Returns: false, and nothing is changed, when one of them is damaged: what is in it has to be read.
  @discardableResult
  private func adopt(_ newest: IndexRun) -> Bool {
    var chain = [newest]
    while chain[chain.count - 1].previous != 0 {
      guard let older = run(at: chain[chain.count - 1].previous) else { return false }
      chain.append(older)
    }
    guard chain[chain.count - 1].offset >= runsFrom else { return false }
    runs = chain
    if newest.clearedEnd > clearedEnd {
      clearedEnd = newest.clearedEnd
      clearedRecordStart = max(clearedRecordStart, clearedEnd)
    }
    unindexedCount = 0
    return true
  }
}
