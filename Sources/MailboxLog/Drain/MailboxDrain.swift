import RawMemory
import StorageIO

/// The reader behind `MailboxReader`: the open segments, and what is known of their damage.
final class MailboxDrain: @unchecked Sendable {
  let context: LogContext
  let handle = HandleState()
  let lock = HandleLock()
  // Guarded by `lock`.
  private var open: [Segment] = []
  private var toldFiles: [SegmentNumber] = []
  private var unreadable: [DamageReport] = []
  private var leaving: [MailboxSegmentID] = []
  /// Entries that were dropped for room, as told to the log handler.
  private var toldDropped: [(segment: MailboxSegmentID, count: UInt64)] = []
  #if !hasFeature(Embedded)
    private var signals: [WeakSignal] = []

    /// Registers an iteration that a close or a resumption has to wake.
    func add(_ signal: ArrivalSignal) {
      guard lock.acquire(until: .never, context.system) else { return }
      signals.removeAll { $0.signal == nil }
      signals.append(WeakSignal(signal: signal))
      lock.release()
    }
  #endif

  /// Lets iterations over arrivals look again.
  func wakeListeners() {
    #if !hasFeature(Embedded)
      guard lock.acquire(until: .never, context.system) else { return }
      let woken = signals
      lock.release()
      for signal in woken { signal.signal?.wake() }
    #endif
  }

  init(_ context: LogContext) throws(LogError) {
    self.context = context
    let segments = try segments()
    if context.options.recovery == .fail {
      if let file = damagedFiles().first { throw .corrupted(offset: 0, reason: "\(file.path) can't be read") }
      for report in try damage(of: segments) where !report.isEmpty {
        throw .corrupted(offset: report.badRanges[0].lowerBound, reason: "\(report.path) is damaged")
      }
    }
  }

  /// Looks at the directory and returns what is there now, oldest first. Takes no file lock but to repair and to finish removals.
  func segments() throws(LogError) -> [Segment] {
    try handle.check()
    guard lock.acquire(until: .never, context.system) else { return [] }
    defer { lock.release() }
    let isReadOnly = context.options.access == .readOnly
    let numbers = try context.segmentNumbers(cleaning: !isReadOnly)
    var found: [Segment] = []
    unreadable = []
    leaving = []
    for number in numbers {
      if let known = open.first(where: { $0.number == number }) {
        let state = try at(known.file.path) { () throws(SystemError) in try known.state() }
        if state != .removed {
          found.append(known)
          continue
        }
      }
      if let segment = try openSegment(number, isReadOnly ? .inspect : .drain) { found.append(segment) }
    }
    open = handle.isUsable ? found : []
    tellDropped(found)
    return found
  }

  /// Files in the directory that aren't segments that can be read, as of the last look.
  func damagedFiles() -> [DamageReport] {
    guard lock.acquire(until: .never, context.system) else { return [] }
    defer { lock.release() }
    return unreadable
  }

  /// Segments that are marked removed and still have their names, as of the last look.
  func leavingSegments() -> [MailboxSegmentID] {
    guard lock.acquire(until: .never, context.system) else { return [] }
    defer { lock.release() }
    return leaving
  }

  /// Tells the log handler what writers dropped for room since the last look.
  private func tellDropped(_ segments: [Segment]) {
    toldDropped.removeAll { told in !segments.contains { $0.identifier == told.segment } }
    for segment in segments {
      guard let count = try? segment.words.load(.droppedCount), count > 0 else { continue }
      let index = toldDropped.firstIndex { $0.segment == segment.identifier }
      let before = index.map { toldDropped[$0].count } ?? 0
      guard count > before else { continue }
      context.report(.oldestDropped, "\(count - before) entries were dropped for room before segment \(segment.number.name) went on")
      if let index { toldDropped[index].count = count } else { toldDropped.append((segment.identifier, count)) }
    }
  }

  private func openSegment(_ number: SegmentNumber, _ access: SegmentOpening.Access) throws(LogError) -> Segment? {
    switch try SegmentOpening.open(number, context, access) {
    case .vanished: return nil
    case .removed(let file, let identifier):
      // Until its name is gone nothing says that the mark is durable: a loss of power may bring the segment back as it was.
      if !context.finishRemoval(of: number, file) { leaving.append(identifier) }
      return nil
    case .blank(let file):
      if access == .inspect { return nil }
      let isBlank = try at(file.path) { () throws(SystemError) in try context.removeBlank(number, file) }
      if !isBlank {
        let byteCount = try at(file.path) { () throws(SystemError) in try file.status().byteCount }
        note(number, file, byteCount, "the header is blank, and the file isn't")
      }
      return nil
    case .damaged(let reason, let file, let byteCount):
      note(number, file, byteCount, reason)
      return nil
    case .segment(let segment):
      if access != .inspect, try at(segment.file.path, { () throws(SystemError) in try segment.repairWords() }) {
        context.report(.recovered, "segment \(number.name): damaged words were rebuilt from its records")
      }
      return segment
    }
  }

  /// Takes down a file that can't be read at all, and tells of it once.
  private func note(_ number: SegmentNumber, _ file: StorageFile, _ byteCount: UInt64, _ reason: String) {
    var report = DamageReport()
    report.path = file.path
    report.badRanges = [0..<max(byteCount, 1)]
    unreadable.append(report)
    if toldFiles.contains(number) { return }
    toldFiles.append(number)
    context.report(.damageFound, "segment \(number.name): \(reason)")
  }

  /// What waits now, in order. Damage on the way is told to the log handler once.
  func pending(_ segments: [Segment]) throws(LogError) -> PendingEntries {
    try PendingEntries(segments) { [context, lock] segment, range, reason in
      guard lock.acquire(until: .never, context.system) else { return }
      let isTold = range.lowerBound < segment.reportedEnd
      if !isTold { segment.reportedEnd = range.upperBound }
      lock.release()
      if isTold { return }
      let isUnpromised = (try? segment.isUnpromised(range)) ?? false
      let message = "segment \(segment.number.name), bytes \(range.lowerBound)..<\(range.upperBound): \(reason)"
      context.report(isUnpromised ? .recovered : .damageFound, message)
    }
  }

  /// One report for each segment, empty where it is whole. - Complexity: O(what is pending).
  func damage(of segments: [Segment]) throws(LogError) -> [DamageReport] {
    var reports: [DamageReport] = []
    for segment in segments {
      var report = DamageReport()
      report.path = segment.file.path
      try at(segment.file.path) { () throws(SystemError) in
        let bounds = try segment.bounds()
        let cursor = RecordCursor(segment, from: bounds.consumedEnd, to: bounds.committedEnd)
        loop: while true {
          switch try cursor.next() {
          case .end: break loop
          case .record where cursor.isBodyGood: report.goodRecordCount += 1
          case .record: report.add(cursor.frameOffset..<cursor.nextOffset)
          case .damage(let range, _): if try !segment.isUnpromised(range) { report.add(range) }
          }
        }
      }
      reports.append(report)
    }
    return reports
  }

  /// Lets go of all files within 100 ms; an iteration that is still running keeps what it uses until it ends.
  func letGo() {
    if handle.isForked { return }
    guard lock.acquire(until: Deadline(after: .milliseconds(100), context.system), context.system) else { return }
    open = []
    lock.release()
  }

  /// Forgets a segment that was removed.
  func forget(_ segment: Segment) {
    guard lock.acquire(until: .never, context.system) else { return }
    open.removeAll { $0 === segment }
    lock.release()
  }
}

#if !hasFeature(Embedded)
  /// The iteration owns its signal; the reader only wakes it.
  private struct WeakSignal {
    weak var signal: ArrivalSignal?
  }
#endif

extension DamageReport {
  /// Adds a range; one that touches the last is joined to it.
  mutating func add(_ range: Range<UInt64>) {
    if let last = badRanges.last, last.upperBound == range.lowerBound {
      badRanges[badRanges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      badRanges.append(range)
    }
  }
}
