import RawMemory
import StorageIO

extension OpenLog {
  /// Makes a file that another boot wrote, or that was copied here, this boot's: what was never synced is looked at, and only that; an end that isn't a
  /// good record's gives way to what comes next. Under the file's lock.
  func takeOver() throws(LogError) {
    try catchUp()
    let end = try goodEnd()
    try at(segment.file.path) { () throws(SystemError) in
      let words = segment.words
      let status = try segment.file.status()
      let committed = try words.load(.committedEnd)
      let sequence = max(try words.load(.lastSequence) ?? 0, lastSequence)
      try words.store(sequence, .lastSequence)
      if try words.load(.lastAppendTime) == nil { try words.store(0, .lastAppendTime) }
      if committed != end {
        try words.store(end, .committedEnd)
        context.report(.recovered, "\(segment.file.path) ends at byte \(end): what was behind it never became durable")
      }
      try words.store(SegmentState.active.rawValue, .state)
      try words.store(Identity.file(status), .fileIdentity)
      try words.store(context.bootIdentity, .bootIdentity)
      try segment.file.synchronizeData()
    }
    isTrusted = true
    try catchUp()
  }

  /// Rebuilds the words that an append needs and that fail their check, by looking at everything. Under the file's lock.
  ///
  /// That may add a record whose append never returned, and never half a batch.
  func repairWords() throws(LogError) {
    var (end, sequence, time) = (SegmentLayout.dataStart, UInt64(0), Int64(0))
    let fileEnd = try at(segment.file.path) { () throws(SystemError) in try segment.file.status().byteCount } & ~7
    try walk(from: end, to: fileEnd) { visit throws(LogError) in
      guard case .record(let frame, let range, isGood: true) = visit else { return }
      (end, sequence, time) = (range.upperBound, max(sequence, frame.sequence), max(time, frame.appendedAt))
    }
    try at(segment.file.path) { () throws(SystemError) in
      let words = segment.words
      if try words.load(.state) == nil { try words.store(SegmentState.active.rawValue, .state) }
      if try words.load(.lastAppendTime) == nil { try words.store(UInt64(time) >> 6, .lastAppendTime) }
      if try words.load(.lastSequence) == nil { try words.store(sequence, .lastSequence) }
      if try words.load(.committedEnd) == nil { try words.store(end, .committedEnd) }
    }
    context.report(.recovered, "\(segment.file.path): words that failed their check were rebuilt")
    try catchUp()
  }

  /// The end of the last good record.
  private func goodEnd() throws(LogError) -> UInt64 {
    let synced = try at(segment.file.path) { () throws(SystemError) in try segment.words.load(.syncedEnd) } ?? 0
    // A synced end is a record's; without one everything is looked at.
    var end = min(max(synced, SegmentLayout.dataStart), knownEnd)
    if end > UInt64(view.count) { end = SegmentLayout.dataStart }
    try walk(from: end, to: knownEnd) { visit throws(LogError) in
      if case .record(_, let range, isGood: true) = visit { end = range.upperBound }
    }
    return end
  }
}
