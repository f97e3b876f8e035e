import RawMemory
import StorageIO

/// A write: lock, catch up, build, seal, write, publish, unlock, sync.
extension LogHandle {
  /// What a write adds: frames, and by how much what is live changes. Without frames nothing is written.
  struct Addition {
    var frames: FrameBuilder
    var liveChange: Int64 = 0
    /// All that was live before is dead.
    var clears = false
  }

  /// Runs `build` on the newest state, under the file's lock, and appends what it adds: all of it or nothing.
  func writing<R>(_ build: (OpenLog, inout Addition) throws(LogError) -> R) throws(LogError) -> R {
    try state.checkWritable()
    if isReadOnly { throw .readOnly }
    let deadline = context.deadline(context.options.lockTimeout)
    try acquire()
    let outcome: (result: R, synced: (OpenLog, UInt64, UInt64)?)
    do throws(LogError) {
      try state.checkWritable()
      outcome = try locked(until: deadline) { log throws(LogError) in
        var addition = Addition(frames: frames.builder(isSealed: log.segment.isSealedFile))
        let result = try build(log, &addition)
        guard addition.frames.recordCount > 0 else { return (result, nil) }
        let syncedEnd = try place(addition, in: log)
        // The change is there: what fails from here on is tried again by a later write.
        try? indexIfNeeded(log)
        return (result, (log, log.knownEnd, syncedEnd))
      }
    } catch {
      release()
      throw error
    }
    let isGrown = outcome.synced.map { isCompactionWorthwhile($0.0) } ?? false
    if isGrown { compactsFrom = (outcome.synced?.1 ?? 0) * 2 }
    release()
    if isDurable, let (log, end, syncedEnd) = outcome.synced { try synchronize(log, to: end, from: syncedEnd) }
    if isGrown, (try? compact()) == true { context.report(.compacted, "\(path) was compacted") }
    return outcome.result
  }

  /// Runs `body` with the current file locked, caught up, and fit to be written to.
  func locked<R>(until deadline: Deadline, _ body: (OpenLog) throws(LogError) -> R) throws(LogError) -> R {
    let began = context.system.monotonicNanoseconds()
    while true {
      let log = try current()
      let file = log.segment.file
      guard try at(path, { () throws(SystemError) in try file.lock(until: deadline) }) else {
        throw .busy(waited: .nanoseconds(Int64(context.system.monotonicNanoseconds() - began)))
      }
      context.system.reach(.lockTaken)
      let taken = context.system.monotonicNanoseconds()
      defer {
        file.unlock()
        context.system.reach(.lockReleased)
        lockWaitMax = max(lockWaitMax, taken - began)
        lockHoldMax = max(lockHoldMax, context.system.monotonicNanoseconds() - taken)
      }
      // Whoever replaced the file held its lock.
      guard try isStillNamed(log) else {
        self.log = nil
        continue
      }
      if !log.isTrusted { try log.takeOver() }
      try log.catchUp()
      return try body(log)
    }
  }

  /// Under the file's lock. Somebody may have deleted the file under this handle: what is appended to it is lost then.
  private func isStillNamed(_ log: OpenLog) throws(LogError) -> Bool {
    guard try log.isCurrent() else { return false }
    if log.isBeingReplaced {
      // Its lock is free and the file still has its name: who was replacing it is dead.
      try at(path) { () throws(SystemError) in try log.segment.words.store(SegmentState.active.rawValue, .state) }
    }
    if log.tail.mayBeNameless(isDurable: isDurable) { return try log.isNamed() }
    return true
  }

  /// Appends frames behind what is there. - Returns: the synced end as it was.
  func place(_ addition: Addition, in log: OpenLog) throws(LogError) -> UInt64 {
    let segment = log.segment
    let frames = addition.frames
    let loaded = try at(path) { () throws(SystemError) in try AppendWords.load(segment, log.memory) }
    guard var words = loaded else { throw .corrupted(offset: SegmentLayout.wordsStart, reason: "a word doesn't pass its check") }
    let end = words.committedEnd
    guard end + UInt64(frames.byteCount) < KeyTable.offsetLimit else { throw .noSpace }
    try makeRoom(for: end + UInt64(frames.byteCount), in: log)
    _ = words.take(frames, log.sealer, counter: &counter, context.system)
    try at(path) { () throws(SystemError) in
      try log.tail.write(frames.buffer, byteCount: frames.byteCount, at: end, isDurable: isDurable)
      context.system.reach(.recordWritten)
      try changeLive(addition, in: segment)
      try words.publish(segment, log.memory)
      try? segment.words.ringIfAwaited()
    }
    try log.catchUp()
    return words.syncedEnd
  }

  /// Before the publication: a death in between leaves a number that is a little off, and nothing else.
  private func changeLive(_ addition: Addition, in segment: Segment) throws(SystemError) {
    guard addition.clears || addition.liveChange != 0 else { return }
    let before = addition.clears ? 0 : Int64(try segment.words.load(.liveByteCount) ?? 0)
    try segment.words.store(UInt64(max(0, before + addition.liveChange)), .liveByteCount)
  }

  private func makeRoom(for end: UInt64, in log: OpenLog) throws(LogError) {
    let growth = try log.tail.growth(upTo: end)
    if growth == 0 { return }
    let allocated = log.segment.allocatedEnd
    let capacity = context.options.capacity ?? .max
    guard allocated + growth <= capacity else { throw .full(capacity: capacity) }
    try log.tail.allocate(upTo: end, growingAtMost: capacity - allocated)
  }

  // MARK: Durability

  /// On return everything appended before the call survives a loss of power. Without a lock, as for a mailbox.
  func synchronize(_ log: OpenLog, to end: UInt64, from syncedEnd: UInt64) throws(LogError) {
    do throws(SystemError) {
      try log.segment.file.synchronizeData()
      context.system.reach(.recordSynced)
      if syncedEnd == 0 { try context.synchronizeNames() }
      try log.segment.words.noteSynced(to: end, from: syncedEnd)
    } catch {
      // The kernel may have dropped what it couldn't write and show it as clean.
      state.fail()
      throw LogError(error, path: path)
    }
  }

  func synchronize() throws(LogError) {
    try state.checkWritable()
    if isReadOnly { throw .readOnly }
    try acquire()
    let log: OpenLog
    let syncedEnd: UInt64
    do throws(LogError) {
      try state.checkWritable()
      log = try current()
      try log.catchUp()
      let segment = log.segment
      syncedEnd = try at(path) { () throws(SystemError) in try segment.words.load(.syncedEnd) } ?? 0
    } catch {
      release()
      throw error
    }
    let end = log.knownEnd
    release()
    try synchronize(log, to: end, from: syncedEnd)
  }
}
