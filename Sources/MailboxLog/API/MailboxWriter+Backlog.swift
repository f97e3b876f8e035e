import RawMemory
import StorageIO

extension MailboxWriter {
  /// Whether an entry that waits has this id.
  /// - Throws: ``LogError/invalidKey`` for an empty id, ``LogError/keyRequired`` with a `writeOnlyKey`, and what reading throws.
  /// - Complexity: O(what waits), in constant memory; each id is opened.
  public func contains(id: String) throws(LogError) -> Bool {
    if id.utf8.isEmpty { throw .invalidKey }
    if appender.context.options.writeOnlyKey != nil { throw .keyRequired }
    let pending = try PendingEntries(waitingSegments()) { _, _, _ in }
    while let source = try pending.next() {
      let entry = try source.entry()
      if entry.openingFailure == nil, entry.hasID(id) { return true }
    }
    return false
  }

  /// Entries that wait, from the segments' words.
  ///
  /// Exact while entries are acknowledged in order; those acknowledged out of order, one for each process that died in the middle of
  /// an append, and those that a process acknowledged in whose middle it died, count until everything before them is acknowledged too.
  /// - Complexity: O(segments).
  public var pendingCount: Int { get throws(LogError) { try backlog().entryCount } }

  /// What waits: entries as `pendingCount` has them, bytes of their records, the age of the oldest. - Complexity: O(segments).
  public func backlog() throws(LogError) -> MailboxBacklog {
    var backlog = MailboxBacklog()
    let now = appender.context.system.realtimeMicroseconds()
    for segment in try waitingSegments() {
      try at(segment.file.path) { () throws(SystemError) in
        let bounds = try segment.bounds()
        guard bounds.committedEnd > bounds.consumedEnd else { return }
        let last = try segment.words.load(.lastSequence) ?? bounds.consumedSequence
        backlog.add(entryCount: Int(last - min(last, bounds.consumedSequence)), byteCount: bounds.committedEnd - bounds.consumedEnd)
        let cursor = RecordCursor(segment, from: bounds.consumedEnd, to: bounds.committedEnd)
        while true {
          switch try cursor.next() {
          case .end: return
          case .damage: continue
          case .record:
            guard let frame = cursor.frame, !segment.isAcknowledged(frame) else { continue }
            return backlog.note(appendedAt: frame.appendedAt, now: now)
          }
        }
      }
    }
    return backlog
  }

  /// The segments that are there, looked at without writing.
  private func waitingSegments() throws(LogError) -> [Segment] {
    try appender.handle.check()
    let context = appender.context
    var segments: [Segment] = []
    for number in try context.segmentNumbers(cleaning: false) {
      do throws(LogError) {
        if case .segment(let segment) = try SegmentOpening.open(number, context, .inspect) { segments.append(segment) }
      } catch {
        switch error {
        case .wrongKey, .keyRequired, .keyNotExpected:
          guard context.options.keyMismatch == .ownSegment else { throw error }
        default: throw error
        }
      }
    }
    return segments
  }
}

extension MailboxBacklog {
  mutating func add(entryCount: Int, byteCount: UInt64) {
    self.entryCount += entryCount
    self.byteCount += byteCount
  }
  mutating func note(appendedAt: Int64, now: Int64) {
    let age = Duration.microseconds(max(0, now - appendedAt))
    oldestAge = max(oldestAge ?? .zero, age)
  }
  mutating func count(_ frame: RecordFrame, now: Int64) {
    add(entryCount: 1, byteCount: UInt64(frame.totalByteCount))
    note(appendedAt: frame.appendedAt, now: now)
  }
}
