import RawMemory
import StorageIO

/// What of a segment waits to be drained, also where a word is damaged.
extension Segment {
  struct Bounds {
    var consumedEnd: UInt64
    var consumedSequence: UInt64
    var committedEnd: UInt64
    /// What the committed end promises and the file doesn't have any more, as far as it isn't consumed.
    var cutOff: Range<UInt64>?
  }

  /// From the words; a damaged committed end is found by a scan, a damaged consumed end is the beginning.
  func bounds() throws(SystemError) -> Bounds {
    // In the order opposite to the one in which they are stored: a sequence that belongs to a later end would make good records look
    // old, and a consumed end never passes a committed end that is read later.
    let consumedSequence = try words.load(.consumedSequence)
    let consumed = try words.load(.consumedEnd)
    let committedWord = try words.load(.committedEnd)
    // After the word: a file grows before a record in the new part is published.
    let fileEnd = try file.status().byteCount & ~UInt64(SegmentLayout.alignment - 1)
    let committed: UInt64
    var cutOff: Range<UInt64>?
    if let committedWord, committedWord >= SegmentLayout.dataStart {
      committed = min(committedWord, fileEnd)
      if committedWord > fileEnd, committedWord > consumed ?? 0 { cutOff = fileEnd..<committedWord }
    } else {
      committed = try scannedEnd().end
    }
    guard let consumed, let consumedSequence, consumed >= SegmentLayout.dataStart, consumed % 8 == 0 else {
      return Bounds(consumedEnd: SegmentLayout.dataStart, consumedSequence: 0, committedEnd: committed, cutOff: cutOff)
    }
    return Bounds(
      consumedEnd: min(consumed, committed), consumedSequence: consumedSequence, committedEnd: committed, cutOff: cutOff)
  }

  /// The end of the last good record, and its sequence, by looking at everything.
  func scannedEnd() throws(SystemError) -> (end: UInt64, sequence: UInt64) {
    let fileEnd = try file.status().byteCount & ~UInt64(SegmentLayout.alignment - 1)
    let cursor = RecordCursor(self, from: SegmentLayout.dataStart, to: max(fileEnd, SegmentLayout.dataStart), after: 0)
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

  /// The first of the words that a drainer needs whose check fails.
  func damagedWord() throws(SystemError) -> SegmentLayout.Word? {
    let needed: [SegmentLayout.Word] = [.lastSequence, .committedEnd, .state, .consumedEnd, .consumedSequence]
    for word in needed { if try words.load(word) == nil { return word } }
    return nil
  }

  /// Rebuilds words that fail their check, under the lock, and seals the segment, so that nothing is appended behind a guess.
  /// - Returns: whether there was something to rebuild.
  func repairWords() throws(SystemError) -> Bool {
    guard try damagedWord() != nil, try file.tryLock() else { return false }
    defer { file.unlock() }
    // Looked at again under the lock: another may have rebuilt them, and even have marked the segment removed.
    guard try damagedWord() != nil else { return false }
    let scanned = try scannedEnd()
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
