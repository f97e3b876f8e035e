import RawMemory
import Sealing
import StorageIO

/// Looking at records one after the other.
extension OpenLog {
  enum Visit {
    /// With the bytes that it takes, and whether its body passes its checksum.
    case record(RecordFrame, Range<UInt64>, isGood: Bool)
    case damage(Range<UInt64>, reason: String)
  }

  /// Passes what is between two offsets, of which the first is a record's; memory is bounded by the record.
  /// - Parameter checksBodies: without it every record passes for good whose header is.
  func walk(
    from start: UInt64, to end: UInt64, checksBodies: Bool = true, _ body: (Visit) throws(LogError) -> Void
  ) throws(LogError) {
    let cursor = RecordCursor(segment, from: start, to: end, window: FileWindow(segment.file, mapped: view, end: end))
    cursor.checksBodies = checksBodies
    while true {
      let step = try at(segment.file.path) { () throws(SystemError) in try cursor.next() }
      switch step {
      case .end: return
      case .damage(let range, let reason): try body(.damage(range, reason: reason))
      case .record:
        guard let frame = cursor.frame else { continue }
        try body(.record(frame, cursor.frameOffset..<cursor.nextOffset, isGood: cursor.isBodyGood))
      }
    }
  }

  /// Passes every good record that counts, in the order of the file.
  ///
  /// - Parameter body: is told when it was appended, in microseconds since 1970.
  func forEachRecord(from start: UInt64? = nil, _ body: (StoredRecord, Int64) throws(LogError) -> Void) throws(LogError) {
    try walk(from: max(start ?? 0, clearedRecordStart), to: knownEnd) { visit throws(LogError) in
      guard case .record(let frame, let range, isGood: true) = visit, frame.kind != .index,
        let record = record(at: range.lowerBound)
      else { return }
      try body(record, frame.appendedAt)
    }
  }

  /// As `forEachRecord`, for those of keys that are their keys' last word. Those that are dead are neither summed nor opened.
  func forEachNewest(_ body: (StoredRecord, Int64) throws(LogError) -> Void) throws(LogError) {
    try walk(from: clearedRecordStart, to: knownEnd, checksBodies: false) { visit throws(LogError) in
      guard case .record(let frame, let range, _) = visit, frame.kind == .set || frame.kind == .remove,
        let stored = stored(range.lowerBound), try isNewest(stored),
        segment.checksum.bodyChecksum(view, at: stored.start, totalByteCount: stored.totalByteCount) == frame.bodyChecksum,
        let record = record(at: range.lowerBound)
      else { return }
      try body(record, frame.appendedAt)
    }
  }

  /// What all of the file holds, dead records and indexes included.
  func recordCounts() throws(LogError) -> (good: UInt64, bad: [Range<UInt64>]) {
    var good: UInt64 = 0
    var bad: [Range<UInt64>] = []
    try walk(from: SegmentLayout.dataStart, to: knownEnd) { visit throws(LogError) in
      switch visit {
      case .damage(let range, _): bad.append(range)
      case .record(let frame, let range, let isGood):
        if isGood, frame.kind == .index || record(at: range.lowerBound) != nil { good += 1 } else { bad.append(range) }
      }
    }
    return (good, bad)
  }
}
