import RawMemory
import Sealing
import StorageIO

/// The writer behind `MailboxWriter`: one append is claim, complete, write, publish, unlock, sync.
final class MailboxAppender: @unchecked Sendable {
  /// A segment that this handle appends to, with what it takes.
  struct Target {
    let segment: Segment
    let tail: SegmentTail
    let sealer: FrameSealer
    let memory = AppendMemory()
  }
  struct Appended {
    let segment: MailboxSegmentID
    let firstSequence: UInt64
    let count: UInt32
  }

  let context: LogContext
  let handle = HandleState()
  let lock = HandleLock()
  let writer: WriterID
  let isDurable: Bool
  // Guarded by `lock`.
  var current: Target?
  private let frames: FrameBuilder
  private var counter: UInt64 = 0
  /// Segments with appends of this handle that no sync has followed.
  private var unsynced = UnsyncedSegments()
  /// Entries that this handle dropped for room and hasn't told of in a segment.
  var droppedCount: UInt64 = 0

  init(_ context: LogContext) throws(LogError) {
    self.context = context
    isDurable = context.options.durability ?? .powerLoss == .powerLoss
    frames = FrameBuilder(isSealed: context.options.isSealed)
    writer = try at(context.directory.path) { () throws(SystemError) in try context.drawWriterID() }
    current = try findTarget()
  }

  /// Appends what `build` adds to the frames: all of it or nothing.
  func append(timeout: Duration?, _ build: (FrameBuilder) throws(LogError) -> Void) throws(LogError) -> Appended {
    try append(timeout: timeout) { () throws(LogError) in
      frames.reset()
      try build(frames)
      return frames
    }
  }

  /// As `append`, for frames that were built outside the lock.
  func append(_ frames: FrameBuilder, timeout: Duration?) throws(LogError) -> Appended {
    try append(timeout: timeout) { () throws(LogError) in frames }
  }

  private func append(timeout: Duration?, frames: () throws(LogError) -> FrameBuilder) throws(LogError) -> Appended {
    try handle.checkWritable()
    if context.options.access == .readOnly { throw .readOnly }
    let deadline = context.deadline(timeout)
    guard lock.acquire(until: deadline, context.system) else { throw .deadlineExceeded }
    let placed: Placed
    do throws(LogError) {
      // A suspension that came while this call waited has returned by now, and promised that no lock is taken.
      try handle.checkWritable()
      placed = try place(try frames(), deadline)
    } catch {
      endAppend()
      throw error
    }
    endAppend()
    if isDurable { try synchronize(placed.segment, to: placed.end, from: placed.syncedEnd) }
    return Appended(segment: placed.segment.identifier, firstSequence: placed.firstSequence, count: placed.count)
  }

  private func endAppend() {
    // A suspension or a close that came meanwhile couldn't let go of what this append was using.
    if !handle.isUsable { current = nil }
    lock.release()
  }

  /// An append that is published and may have to be synced.
  private struct Placed {
    let segment: Segment
    let firstSequence: UInt64
    let count: UInt32
    let end: UInt64
    let syncedEnd: UInt64
  }

  /// Under the handle's lock; holds the segment's lock from claim to publication, and no longer.
  private func place(_ frames: FrameBuilder, _ deadline: Deadline) throws(LogError) -> Placed {
    let (target, claimed) = try claim(frames.byteCount, deadline)
    let segment = target.segment
    defer {
      segment.file.unlock()
      context.system.reach(.lockReleased)
    }
    var words = claimed
    let (end, sequence) = words.take(frames, target.sealer, counter: &counter, context.system)
    if deadline.hasPassed(context.system) { throw .deadlineExceeded }
    try at(segment.file.path) { () throws(SystemError) in
      try target.tail.write(frames.buffer, byteCount: frames.byteCount, at: end, isDurable: isDurable)
      context.system.reach(.recordWritten)
      try words.publish(segment, target.memory)
      // Stored, then looked: a reader sets the flag, then looks at the committed end. One of the two sees the other.
      // The entry is there by now, so nothing that goes wrong from here on fails the append.
      try? segment.words.ringIfAwaited()
    }
    if !isDurable { unsynced.note(segment.number) }
    noteDropped(in: segment)
    return Placed(
      segment: segment, firstSequence: sequence, count: frames.recordCount, end: words.committedEnd, syncedEnd: words.syncedEnd)
  }

  /// On return everything appended to the segment before the call survives a loss of power.
  ///
  /// Without a lock: appends of others go on meanwhile, and a process that is stopped here holds nobody up.
  /// - Parameters:
  ///   - end: a committed end that was read, or published, before.
  ///   - syncedEnd: the synced end that was read before; 0 when nobody has made the segment's name durable yet.
  private func synchronize(_ segment: Segment, to end: UInt64, from syncedEnd: UInt64) throws(LogError) {
    do throws(SystemError) {
      try segment.file.synchronizeData()
      context.system.reach(.recordSynced)
      if syncedEnd == 0 { try context.synchronizeNames() }
      try segment.words.noteSynced(to: end, from: syncedEnd)
    } catch {
      // The kernel may have dropped what it couldn't write and show it as clean: nothing is appended behind it any more.
      handle.fail()
      _ = try? segment.words.exchange(SegmentState.active.rawValue, SegmentState.sealed.rawValue, .state)
      throw LogError(error, path: segment.file.path)
    }
  }

  /// On return everything that this handle appended before the call survives a loss of power.
  ///
  /// Segments are opened anew by their numbers: a handle that is used by several threads shares no words outside its lock, and one that
  /// fills many segments holds none of them open.
  func synchronize() throws(LogError) {
    try handle.checkWritable()
    guard lock.acquire(until: .never, context.system) else { return }
    let waiting = unsynced.all
    lock.release()
    for append in waiting {
      // A segment that is gone was promoted, durably.
      if case .segment(let segment) = try SegmentOpening.open(append.segment, context, .append) {
        let ends = try at(segment.file.path) { () throws(SystemError) in
          try (committed: segment.words.load(.committedEnd), synced: segment.words.load(.syncedEnd))
        }
        try synchronize(segment, to: ends.committed ?? 0, from: ends.synced ?? 0)
      }
      // Only now: a call that fails, and another thread's that comes meanwhile, must not find it done.
      guard lock.acquire(until: .never, context.system) else { return }
      unsynced.remove(append)
      lock.release()
    }
  }

  /// Adds what was dropped for room to the segment's counter, from where the reader reports it.
  private func noteDropped(in segment: Segment) {
    guard droppedCount > 0, let before = try? segment.words.load(.droppedCount) else { return }
    if (try? segment.words.store(before + droppedCount, .droppedCount)) != nil { droppedCount = 0 }
  }

  /// Ends appends and lets go of the file within 100 ms; an append that is still running lets go when it ends.
  func letGo() {
    if handle.isForked { return }
    guard lock.acquire(until: Deadline(after: .milliseconds(100), context.system), context.system) else { return }
    current = nil
    lock.release()
  }
}
