import RawMemory
import StorageIO

/// Moving the consumed end. Without a lock: the end is moved by compare-exchange and never back, and an entry after a gap is marked
/// in its frame.
extension MailboxDrain {
  /// Acknowledges records of one segment, in any order, also again.
  /// - Parameter sequences: ascending.
  func acknowledge(_ sequences: [UInt64], in segment: Segment) throws(LogError) {
    try at(segment.file.path) { () throws(SystemError) in
      try withExchangeLock(segment) { () throws(SystemError) in
        let marked = try advance(segment, through: sequences, marks: true)
        // A mark that was set while another reader moved the end past its neighbours: who marks looks again.
        if marked { _ = try advance(segment, through: [], marks: false) }
      }
      context.system.reach(.acknowledged)
    }
    removeIfConsumed(segment)
  }

  /// Moves the end over what is acknowledged or unreadable, then removes the segment if that was all of it. Best effort, and without
  /// waiting: nobody asked for it, and a process that is stopped with the lock holds up no drain.
  func retireIfConsumed(_ segment: Segment) {
    let deadline = Deadline(nanoseconds: 0)
    let hasMoved: Void? = try? withExchangeLock(segment, until: deadline) { () throws(SystemError) in
      _ = try advance(segment, through: [], marks: false)
    }
    if hasMoved != nil { removeIfConsumed(segment) }
  }

  /// Best effort: what fails here is done by whoever comes next, and the acknowledgement stands.
  private func removeIfConsumed(_ segment: Segment) {
    if (try? context.removeIfConsumed(segment)) == true { forget(segment) }
  }

  /// One walk from the consumed end. - Returns: whether a mark was set behind a gap.
  private func advance(_ segment: Segment, through sequences: [UInt64], marks: Bool) throws(SystemError) -> Bool {
    let bounds = try segment.bounds()
    let cursor = RecordCursor(segment, from: bounds.consumedEnd, to: bounds.committedEnd)
    var newEnd = bounds.consumedEnd
    var newSequence = bounds.consumedSequence
    var hasGap = false
    var hasMarked = false
    var index = 0
    walk: while !hasGap || index < sequences.count {
      switch try cursor.next() {
      case .end: break walk
      case .damage:
        // Nothing that a caller could get is in there.
        if !hasGap { newEnd = cursor.nextOffset }
      case .record:
        guard let frame = cursor.frame else { continue }
        while index < sequences.count, sequences[index] < frame.sequence { index += 1 }
        let isListed = index < sequences.count && sequences[index] == frame.sequence
        let isMarked = segment.isAcknowledged(frame)
        if !hasGap, isListed || isMarked {
          newEnd = cursor.nextOffset
          newSequence = frame.sequence
        } else if !isListed {
          hasGap = hasGap || !isMarked
        } else if marks, !isMarked {
          try segment.words.writeMark(of: frame.sequence, frameAt: cursor.frameOffset)
          hasMarked = true
        }
      }
    }
    if newEnd > bounds.consumedEnd {
      try segment.words.raise(.consumedSequence, to: newSequence)
      try segment.words.raise(.consumedEnd, to: newEnd)
    }
    return hasMarked
  }

  /// Where words go through `pwrite` there is no compare-exchange: the segment's lock stands for it, with the handle's bound.
  private func withExchangeLock(
    _ segment: Segment, until deadline: Deadline? = nil, _ body: () throws(SystemError) -> Void
  ) throws(SystemError) {
    guard !segment.words.isMapped else { return try body() }
    let deadline = deadline ?? Deadline(after: context.options.lockTimeout, context.system)
    guard try segment.file.lock(until: deadline) else { throw SystemError(.lock, ErrorNumber.tryAgain) }
    defer { segment.file.unlock() }
    try body()
  }
}
