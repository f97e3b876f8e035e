import RawMemory
import StorageIO

extension OpenLog {
  /// The word, which may be ahead of the last record.
  var lastSequenceWord: UInt64 {
    max(lastSequence, segment.words.decode(segment.words.encoded(.lastSequence), .lastSequence) ?? 0)
  }

  /// Passes every good record that counts, in the order of the file; memory is bounded by the record.
  ///
  /// - Parameter body: is told when it was appended, in microseconds since 1970.
  func forEachRecord(from start: UInt64? = nil, _ body: (StoredRecord, Int64) throws(LogError) -> Void) throws(LogError) {
    let first = max(start ?? 0, clearedRecordStart)
    let cursor = RecordCursor(segment, from: first, to: knownEnd, window: FileWindow(segment.file, mapped: view, end: knownEnd))
    while true {
      let step = try at(segment.file.path) { () throws(SystemError) in try cursor.next() }
      switch step {
      case .end: return
      case .damage: continue
      case .record:
        guard let frame = cursor.frame, cursor.isBodyGood, frame.kind != .index,
          let record = try record(at: cursor.frameOffset, isChecked: true)
        else { continue }
        try body(record, frame.appendedAt)
      }
    }
  }

  /// What all of the file holds, dead records and indexes included.
  func recordCounts() throws(LogError) -> (good: UInt64, bad: [Range<UInt64>]) {
    let start = SegmentLayout.dataStart
    let cursor = RecordCursor(segment, from: start, to: knownEnd, window: FileWindow(segment.file, mapped: view, end: knownEnd))
    var good: UInt64 = 0
    var bad: [Range<UInt64>] = []
    while true {
      let step = try at(segment.file.path) { () throws(SystemError) in try cursor.next() }
      switch step {
      case .end: return (good, bad)
      case .damage(let range, _): bad.append(range)
      case .record:
        let isKey = cursor.frame.map { $0.kind == .set || $0.kind == .remove } ?? false
        var isGood = cursor.isBodyGood
        if isGood, isKey { isGood = try record(at: cursor.frameOffset, isChecked: true) != nil }
        if isGood {
          good += 1
        } else {
          bad.append(cursor.frameOffset..<cursor.nextOffset)
        }
      }
    }
  }

  /// Whether a record is its key's last word. - Complexity: a look-up, which leaves nothing in memory.
  func isNewest(_ record: StoredRecord) throws(LogError) -> Bool {
    guard record.offset >= clearedEnd else { return false }
    let buffer = record.buffer
    var found: UInt64?
    var failure: LogError?
    buffer.withSpan(record.keyRange) { key in
      do throws(LogError) { found = try find(key, remembers: false)?.offset } catch { failure = error }
    }
    if let failure { throw failure }
    return found == record.offset
  }

  /// Whether a record is what its key has now.
  func isLive(_ record: StoredRecord, _ now: Int64) throws(LogError) -> Bool {
    guard record.kind == .set, !record.isExpired(at: now) else { return false }
    return try isNewest(record)
  }
}

extension StoredRecord {
  /// The same moment in every process: by the clock alone.
  func isExpired(at now: Int64) -> Bool { expiresAt != 0 && expiresAt <= now }
}
