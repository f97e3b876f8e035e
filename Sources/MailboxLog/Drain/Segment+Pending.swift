import RawMemory
import StorageIO

/// What of a segment waits to be drained, also where a word is damaged.
extension Segment {
  struct Bounds {
    var consumedEnd: UInt64
    var consumedSequence: UInt64
    var committedEnd: UInt64
  }

  /// From the words; a damaged committed end is found by a scan, a damaged consumed end is the beginning.
  func bounds() throws(SystemError) -> Bounds {
    // Consumed first: it never passes a committed end that is read later.
    let consumed = try words.load(.consumedEnd)
    let consumedSequence = try words.load(.consumedSequence)
    let word = try words.load(.committedEnd)
    // The file's end last: an append in between makes it larger, and a committed end that it cut off would end inside a record.
    let fileEnd = try file.status().byteCount & ~UInt64(SegmentLayout.alignment - 1)
    let committed: UInt64
    if let word, word >= SegmentLayout.dataStart { committed = min(word, fileEnd) } else { committed = try scannedEnd(fileEnd).end }
    guard let consumed, let consumedSequence, consumed >= SegmentLayout.dataStart, consumed % 8 == 0 else {
      return Bounds(consumedEnd: SegmentLayout.dataStart, consumedSequence: 0, committedEnd: committed)
    }
    return Bounds(consumedEnd: min(consumed, committed), consumedSequence: consumedSequence, committedEnd: committed)
  }

  /// The end of the last good record, and its sequence, by looking at everything.
  func scannedEnd(_ fileEnd: UInt64) throws(SystemError) -> (end: UInt64, sequence: UInt64) {
    let cursor = RecordCursor(self, from: SegmentLayout.dataStart, to: max(fileEnd, SegmentLayout.dataStart))
    var result = (end: SegmentLayout.dataStart, sequence: UInt64(0))
    while true {
      switch try cursor.next() {
      case .end: return result
      case .damage: continue
      case .record: result = (cursor.nextOffset, cursor.frame?.sequence ?? result.sequence)
      }
    }
  }

  func isAcknowledged(_ frame: RecordFrame) -> Bool { words.isMark(frame.mark, of: frame.sequence) }

  /// A damaged range after the synced end of a segment from before a loss of power isn't damage: no call had promised more.
  func isUnpromised(_ range: Range<UInt64>) throws(SystemError) -> Bool {
    guard !isTrusted, let synced = try words.load(.syncedEnd) else { return false }
    return range.lowerBound >= max(synced, SegmentLayout.dataStart)
  }

  /// Rebuilds words that fail their check, under the lock, and seals the segment, so that nothing is appended behind a guess.
  /// - Returns: whether there was something to rebuild.
  func repairWords() throws(SystemError) -> Bool {
    let needed: [SegmentLayout.Word] = [.committedEnd, .lastSequence, .consumedEnd, .consumedSequence, .state]
    var isDamaged = false
    for word in needed { if try words.load(word) == nil { isDamaged = true } }
    guard isDamaged, try file.tryLock() else { return false }
    defer { file.unlock() }
    let scanned = try scannedEnd(try file.status().byteCount & ~UInt64(SegmentLayout.alignment - 1))
    try seal()
    let consumed = try (words.load(.consumedEnd), words.load(.consumedSequence))
    if consumed.0 == nil || consumed.1 == nil {
      try words.store(0, .consumedSequence)
      try words.store(SegmentLayout.dataStart, .consumedEnd)
    }
    if try words.load(.committedEnd) == nil { try words.store(scanned.end, .committedEnd) }
    if try words.load(.lastSequence) == nil { try words.store(scanned.sequence, .lastSequence) }
    return true
  }
}
