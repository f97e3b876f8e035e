import RawMemory
import StorageIO

/// Moving the consumed end. Without a lock: the end is moved by compare-exchange and never back, and an entry after a gap is marked
/// in its frame.
extension MailboxDrain {
  /// Acknowledges records of one segment, in any order, also again.
  /// - Parameter sequences: ascending.
  func acknowledge(_ sequences: [UInt64], in segment: Segment) throws(LogError) {
    try withExchangeLock(segment) { () throws(SystemError) in try advance(segment, throughAll: sequences) }
    context.system.reach(.acknowledged)
    removeIfConsumed(segment)
  }

  /// Moves the end over what is acknowledged or unreadable, then removes the segment if that was all of it.
  func retireIfConsumed(_ segment: Segment) throws(LogError) {
    try withExchangeLock(segment) { () throws(SystemError) in try advance(segment, throughAll: []) }
    removeIfConsumed(segment)
  }

  /// One reader's mark and another's move may pass each other, so that neither sees the other's: who marked or moved looks again.
  private func advance(_ segment: Segment, throughAll sequences: [UInt64]) throws(SystemError) {
    var isChanged = try advance(segment, through: sequences)
    while isChanged { isChanged = try advance(segment, through: []) }
  }

  /// Best effort: what fails here is done by whoever comes next, and the acknowledgement stands.
  private func removeIfConsumed(_ segment: Segment) {
    guard fileLock.acquire(until: Deadline(after: context.options.lockTimeout, context.system), context.system) else { return }
    defer { fileLock.release() }
    if handle.isUsable, (try? context.removeIfConsumed(segment)) == true { forget(segment) }
  }

  /// One walk from the consumed end. - Returns: whether the end was moved, or a mark was set behind a gap.
  private func advance(_ segment: Segment, through sequences: [UInt64]) throws(SystemError) -> Bool {
    let bounds = try segment.bounds()
    if bounds.consumedEnd >= bounds.committedEnd { return false }
    let cursor = RecordCursor(segment, from: bounds.consumedEnd, to: bounds.committedEnd, after: bounds.consumedSequence)
    var newEnd = bounds.consumedEnd
    var newSequence = bounds.consumedSequence
    var hasGap = false
    var hasMarked = false
    var index = sequences.firstIndex { $0 > bounds.consumedSequence } ?? sequences.count
    walk: while !hasGap || index < sequences.count {
      switch try cursor.next() {
      case .end:
        if !hasGap, let cutOff = bounds.cutOff { newEnd = cutOff.upperBound }
        break walk
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
        } else if !isMarked {
          try segment.words.writeMark(of: frame.sequence, frameAt: cursor.frameOffset)
          hasMarked = true
        }
      }
    }
    var hasMoved = false
    if newEnd > bounds.consumedEnd {
      // The end first: a sequence that is behind it costs a count its exactness, one ahead of it would make records look damaged.
      hasMoved = try segment.words.raise(.consumedEnd, to: newEnd)
      try segment.words.raise(.consumedSequence, to: newSequence)
    }
    return hasMarked || hasMoved
  }

  /// Where words go through `pwrite` there is no compare-exchange: the segment's lock stands for it, with the handle's bound.
  private func withExchangeLock(_ segment: Segment, _ body: () throws(SystemError) -> Void) throws(LogError) {
    let path = segment.file.path
    guard !segment.words.isMapped else { return try at(path, body) }
    let timeout = context.options.lockTimeout
    let deadline = Deadline(after: timeout, context.system)
    guard fileLock.acquire(until: deadline, context.system) else { throw .busy(waited: timeout) }
    defer { fileLock.release() }
    try handle.check()
    guard try at(path, { () throws(SystemError) in try segment.file.lock(until: deadline) }) else { throw .busy(waited: timeout) }
    defer { segment.file.unlock() }
    // The wait may have been a long one.
    try handle.check()
    try at(path, body)
  }
}
