import StorageIO

/// Finding a segment to append to, by try-lock alone: an append never waits for another process.
extension MailboxAppender {
  /// A segment over this is sealed and the next is taken. A small capacity is divided, so that dropping the oldest leaves some.
  private var segmentByteCountMax: UInt64 {
    min(8 << 20, max(LogContext.firstByteCount, (context.options.capacity ?? LogContext.capacityDefault) / 4))
  }
  /// How many of the newest segments are tried before a new one is made.
  private static let candidateCountMax = 8

  /// Claims a segment with room for `byteCount` bytes. - Returns: it, locked, and its words.
  func claim(_ byteCount: Int, _ deadline: Deadline) throws(LogError) -> (Target, AppendWords) {
    if let current, let words = try tryClaim(current, byteCount) { return (current, words) }
    while true {
      let newest = try context.newestSegment()
      var candidate = newest
      for _ in 0..<Self.candidateCountMax {
        guard let number = candidate else { break }
        candidate = try context.newestSegment(below: number)
        if current?.segment.number == number { continue }
        guard let target = try openTarget(number) else { continue }
        if let words = try tryClaim(target, byteCount) {
          current = target
          return (target, words)
        }
      }
      let next = newest?.next ?? SegmentNumber(1)
      guard next <= SegmentNumber.max else { throw .noSpace }
      try makeRoom(context.firstAllocation)
      guard let segment = try context.makeSegment(next) else {
        if deadline.hasPassed(context.system) { throw .deadlineExceeded }
        continue
      }
      let target = makeTarget(segment)
      current = target
      do throws(LogError) {
        try allocate(target, upTo: SegmentLayout.dataStart + UInt64(byteCount))
      } catch {
        segment.file.unlock()
        throw error
      }
      context.system.reach(.lockTaken)
      return (
        target, AppendWords(lastAppendTime: 0, lastSequence: 0, committedEnd: SegmentLayout.dataStart, state: .active, syncedEnd: 0)
      )
    }
  }

  /// The newest segment that can be appended to, for a handle that is being opened: it finds out about keys now.
  func findTarget() throws(LogError) -> Target? {
    var candidate = try context.newestSegment()
    if context.options.access == .readOnly {
      if let candidate { _ = try SegmentOpening.open(candidate, context, .inspect) }
      return nil
    }
    for _ in 0..<Self.candidateCountMax {
      guard let number = candidate else { break }
      if let target = try openTarget(number), target.segment.isTrusted { return target }
      candidate = try context.newestSegment(below: number)
    }
    return nil
  }

  /// nil when the segment is on its way out, damaged, another's, or can't be appended to by this build.
  private func openTarget(_ number: SegmentNumber) throws(LogError) -> Target? {
    let opening: SegmentOpening
    do throws(LogError) { opening = try SegmentOpening.open(number, context, .append) } catch {
      switch error {
      case .wrongKey, .keyRequired, .keyNotExpected:
        if context.options.keyMismatch == .ownSegment { return nil }
        throw error
      case .unsupportedVersion: return nil
      default: throw error
      }
    }
    switch opening {
    case .vanished, .blank: return nil
    case .removed(let file, _):
      context.finishRemoval(of: number, file)
      return nil
    case .damaged(let reason, _, _):
      if context.options.recovery == .fail { throw .corrupted(offset: 0, reason: reason) }
      context.report(.damageFound, "segment \(number.name): \(reason)")
      return nil
    case .segment(let segment):
      if segment.header.isReadOnlyHere { return nil }
      return makeTarget(segment)
    }
  }

  private func makeTarget(_ segment: Segment) -> Target {
    Target(
      segment: segment, tail: SegmentTail(segment, context),
      sealer: FrameSealer(segment, writer: writer, observer: context.nonceObserver))
  }

  /// - Returns: its words, with the segment locked; nil, unlocked, when it is busy or can't be appended to any more.
  private func tryClaim(_ target: Target, _ byteCount: Int) throws(LogError) -> AppendWords? {
    let segment = target.segment
    let path = segment.file.path
    if target.tail.isNameless { return nil }
    guard try at(path, { () throws(SystemError) in try segment.file.tryLock() }) else { return nil }
    var isClaimed = false
    defer { if !isClaimed { segment.file.unlock() } }
    context.system.reach(.lockTaken)
    // The words are read after the lock is there: whoever sealed or removed the segment held it.
    let claimed = try at(path) { () throws(SystemError) -> AppendWords? in
      // The first append of a handle does without a mapping, which a process that appends once never earns back.
      if target.tail.hasWritten, !isDurable, context.mapsFiles { try segment.words.map() }
      let words = try AppendWords.load(segment, target.memory)
      if words?.state == .sealed || words?.state == .removed { return nil }
      // Somebody may have deleted the mailbox under this handle: what is appended to a file without a name is lost.
      if target.tail.mayBeNameless(isDurable: isDurable, now: context.system.monotonicNanoseconds()),
        try segment.file.status().linkCount == 0
      {
        target.tail.isNameless = true
        return nil
      }
      guard let words, words.state == .active, segment.isTrusted, words.committedEnd >= SegmentLayout.dataStart,
        words.committedEnd % UInt64(SegmentLayout.alignment) == 0, words.committedEnd < segmentByteCountMax,
        words.lastSequence <= WordCoding.valueMax - UInt64(UInt32.max)
      else {
        // Full, another boot's, a copy, or with a damaged word: it is drained as it is, and no position names two entries.
        try segment.seal()
        return nil
      }
      return words
    }
    guard let claimed else { return nil }
    try allocate(target, upTo: claimed.committedEnd + UInt64(byteCount))
    isClaimed = true
    return claimed
  }
}
