import RawMemory
import StorageIO

/// The reader behind `MailboxReader`: the open segments, and what is known of their damage.
final class MailboxDrain: @unchecked Sendable {
  let context: LogContext
  let handle = HandleState()
  let lock = HandleLock()
  /// In front of the file locks of open segments: `flock` doesn't tell threads of one descriptor apart.
  let fileLock = HandleLock()
  // Guarded by `lock`.
  private var open: [Segment] = []
  private var toldFiles: [SegmentNumber] = []
  private var unreadable: [DamageReport] = []
  private var leaving: [MailboxSegmentID] = []
  /// Entries that were dropped for room, as told to the log handler.
  private var toldDropped: [(segment: MailboxSegmentID, count: UInt64)] = []
  let wakers: Wakers

  init(_ context: LogContext) throws(LogError) {
    self.context = context
    wakers = Wakers(handle, context.system)
    let segments = try segments(isOpening: true)
    if context.options.recovery == .fail {
      if let file = damagedFiles().first { throw .corrupted(offset: 0, reason: "\(file.path) can't be read") }
      for report in try damage(of: segments) where !report.isEmpty {
        throw .corrupted(offset: report.badRanges[0].lowerBound, reason: "\(report.path) is damaged")
      }
    }
  }

  /// Looks at the directory and returns what is there now, oldest first. Takes no file lock but to repair and to finish removals.
  /// - Parameter isOpening: whether the policy on damage at opening applies.
  func segments(isOpening: Bool = false) throws(LogError) -> [Segment] {
    try handle.check()
    guard lock.acquire(until: .never, context.system) else { return [] }
    defer { lock.release() }
    // A suspension that came meanwhile has returned by now.
    try handle.check()
    let isReadOnly = context.options.access == .readOnly
    let mayRepair = !isReadOnly && !(isOpening && context.options.recovery == .fail)
    let numbers = try context.segmentNumbers(cleaning: !isReadOnly)
    var found: [Segment] = []
    unreadable = []
    leaving = []
    for number in numbers {
      if let known = open.first(where: { $0.number == number }) {
        let isCurrent = try at(known.file.path) { () throws(SystemError) in
          let state = try known.state()
          return try context.isNamed(known.file, number) ? state != .removed : false
        }
        if isCurrent {
          if mayRepair { try repair(known) }
          found.append(known)
          continue
        }
      }
      guard let segment = try openSegment(number, isReadOnly ? .inspect : .drain) else { continue }
      if mayRepair { try repair(segment) } else if isOpening, context.options.recovery == .fail { try refuseDamagedWords(segment) }
      found.append(segment)
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
      context.report(
        .oldestDropped, "\(count - before) entries were dropped for room before segment \(segment.number.name) went on")
      if let index { toldDropped[index].count = count } else { toldDropped.append((segment.identifier, count)) }
    }
  }

  private func repair(_ segment: Segment) throws(LogError) {
    if try at(segment.file.path, { () throws(SystemError) in try segment.repairWords() }) {
      context.report(.recovered, "segment \(segment.number.name): damaged words were rebuilt from its records")
    }
  }

  private func refuseDamagedWords(_ segment: Segment) throws(LogError) {
    let path = segment.file.path
    guard let word = try at(path, { () throws(SystemError) in try segment.damagedWord() }) else { return }
    throw .corrupted(offset: word.offset, reason: "\(path): the word '\(word.name)' doesn't pass its check")
  }

  private func openSegment(_ number: SegmentNumber, _ access: SegmentOpening.Access) throws(LogError) -> Segment? {
    let opening: SegmentOpening
    do throws(LogError) { opening = try SegmentOpening.open(number, context, access) } catch {
      switch error {
      case .wrongKey, .keyRequired, .keyNotExpected:
        // Another's, who reads it with another key.
        if context.options.keyMismatch == .ownSegment { return nil }
        throw error
      default: throw error
      }
    }
    switch opening {
    case .vanished: return nil
    case .removed(let file, let identifier):
      // Until its name is gone nothing says that the mark is durable: a loss of power may bring the segment back as it was.
      if !context.finishRemoval(of: number, file) { leaving.append(identifier) }
      return nil
    case .blank(let file):
      let byteCount = try at(file.path) { () throws(SystemError) -> UInt64? in
        guard try context.isZero(file) else { return try file.status().byteCount }
        if access != .inspect { try context.removeBlank(number, file) }
        return nil
      }
      if let byteCount { noteUnreadable(number, "its first block is zero, and what follows isn't", file.path, byteCount) }
      return nil
    case .damaged(let reason, let path, let byteCount):
      noteUnreadable(number, reason, path, byteCount)
      return nil
    case .segment(let segment): return segment
    }
  }

  private func noteUnreadable(_ number: SegmentNumber, _ reason: String, _ path: String, _ byteCount: UInt64) {
    var report = DamageReport()
    report.path = path
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
          case .end:
            if let cutOff = bounds.cutOff, try !segment.isUnpromised(cutOff) { report.add(cutOff) }
            break loop
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
    let deadline = Deadline(after: .milliseconds(100), context.system)
    guard lock.acquire(until: deadline, context.system) else { return }
    open = []
    lock.release()
    // Whoever takes a file's lock from here on looks at the handle first.
    if fileLock.acquire(until: deadline, context.system) { fileLock.release() }
  }

  /// Forgets a segment that was removed.
  func forget(_ segment: Segment) {
    guard lock.acquire(until: .never, context.system) else { return }
    open.removeAll { $0 === segment }
    lock.release()
  }
}

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
