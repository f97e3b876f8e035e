import RawMemory
import StorageIO

/// A write: lock, catch up, build, seal, write, publish, unlock, sync.
extension LogHandle {
  /// Runs `build` on the newest state, under the file's lock, and appends what it adds: all of it or nothing.
  @inline(__always)
  func writing<R>(_ build: (OpenLog, LogAddition) throws(LogError) -> R) throws(LogError) -> R {
    try state.checkWritable()
    if isReadOnly { throw .readOnly }
    try acquire()
    var (written, syncedEnd): (OpenLog?, UInt64) = (nil, 0)
    let result: R
    do throws(LogError) {
      try state.checkWritable()
      result = try locked { log throws(LogError) in
        let addition = addition(isSealed: log.segment.isSealedFile)
        let result = try build(log, addition)
        if addition.frames.recordCount > 0 {
          syncedEnd = try place(addition, in: log)
          written = log
          // The change is there: what fails from here on is tried again by a later write.
          if isIndexDue(log) { try? index(log) }
        }
        return result
      }
    } catch {
      release()
      throw error
    }
    if let written { try end(written, syncedEnd) } else { release() }
    return result
  }

  /// After a write, with the handle's lock, which is released here: what it promises, and what the file needs.
  private func end(_ log: OpenLog, _ syncedEnd: UInt64) throws(LogError) {
    let isGrown = isCompactionWorthwhile(log)
    let end = log.knownEnd
    if isGrown { compactsFrom = end * 2 }
    release()
    if isDurable { try synchronize(log, to: end, from: syncedEnd) }
    if isGrown { _ = try? compact() }
  }

  /// Runs `body` with the current file locked, caught up, and fit to be written to.
  @inline(__always)
  func locked<R>(_ body: (OpenLog) throws(LogError) -> R) throws(LogError) -> R {
    let log = try lockCurrent()
    defer { unlock(log) }
    return try body(log)
  }

  /// - Returns: the file under the path, locked and caught up.
  func lockCurrent() throws(LogError) -> OpenLog {
    var waited: UInt64 = 0
    while true {
      let log = try current()
      let file = log.segment.file
      if try !at(path, { () throws(SystemError) in try file.tryLock() }) { waited += try waitForLock(file) }
      context.system.reach(.lockTaken)
      lockTakenAt = context.system.monotonicNanoseconds()
      do throws(LogError) {
        // Whoever replaced the file held its lock.
        if try isStillNamed(log) {
          if !log.isTrusted { try log.takeOver() }
          try log.catchUp()
          if waited > 0 { noteWait(waited) }
          lastWait = waited
          return log
        }
      } catch {
        unlock(log)
        throw error
      }
      unlock(log)
      self.log = nil
    }
  }

  private func unlock(_ log: OpenLog) {
    log.segment.file.unlock()
    context.system.reach(.lockReleased)
    lockHoldMax = max(lockHoldMax, context.system.monotonicNanoseconds() - lockTakenAt)
  }

  /// - Returns: how long it took, in nanoseconds.
  private func waitForLock(_ file: StorageFile) throws(LogError) -> UInt64 {
    let began = context.system.monotonicNanoseconds()
    let deadline = context.deadline(context.options.lockTimeout)
    let isLocked = try at(path) { () throws(SystemError) in try file.lock(until: deadline) }
    let waited = context.system.monotonicNanoseconds() - began
    if isLocked { return max(waited, 1) }
    noteWait(waited)
    throw .busy(waited: .nanoseconds(Int64(waited)))
  }

  private func noteWait(_ nanoseconds: UInt64) {
    lockWaitMax = max(lockWaitMax, nanoseconds)
    context.report(.lockWaited, "the lock of \(path) was waited for: \(nanoseconds / 1000) us")
  }

  /// Under the file's lock. Somebody may have deleted the file under this handle: what is appended to it is lost then.
  private func isStillNamed(_ log: OpenLog) throws(LogError) -> Bool {
    guard try log.isCurrent() else { return false }
    if log.isBeingReplaced {
      // Its lock is free and the file still has its name: who was replacing it is dead.
      try at(path) { () throws(SystemError) in try log.segment.words.store(SegmentState.active.rawValue, .state) }
    }
    if log.tail.mayBeNameless(isDurable: isDurable, now: lockTakenAt) { return try log.isNamed() }
    return true
  }

  // MARK: Appending

  /// Appends frames behind what is there. - Returns: the synced end as it was.
  func place(_ addition: LogAddition, in log: OpenLog) throws(LogError) -> UInt64 {
    let segment = log.segment
    let frames = addition.frames
    var loaded = try at(path) { () throws(SystemError) in try AppendWords.load(segment, log.memory) }
    if loaded == nil {
      try log.repairWords()
      loaded = try at(path) { () throws(SystemError) in try AppendWords.load(segment, log.memory) }
    }
    guard var words = loaded else { throw .corrupted(offset: SegmentLayout.wordsStart, reason: "a word doesn't pass its check") }
    words.lastSequence = max(words.lastSequence, log.lastSequence)
    let start = words.committedEnd
    guard start + UInt64(frames.byteCount) < KeyTable.offsetLimit else { throw .noSpace }
    try makeRoom(for: start + UInt64(frames.byteCount), in: log)
    _ = words.take(frames, log.sealer, counter: &counter, context.system)
    let encoded = try at(path) { () throws(SystemError) in
      try log.tail.write(frames.buffer, byteCount: frames.byteCount, at: start, isDurable: isDurable)
      context.system.reach(.recordWritten)
      // Before the publication: a death in between leaves a number that is a little off, and nothing else.
      if addition.clears || addition.liveChange != 0 {
        let before = addition.clears ? 0 : Int64(log.liveByteCount ?? 0)
        try log.setLive(UInt64(max(0, before + addition.liveChange)))
      }
      let encoded = try words.publish(segment, log.memory)
      try? segment.words.ringIfAwaited()
      return encoded
    }
    note(addition, at: start, words, encoded, in: log)
    return words.syncedEnd
  }

  /// The record is there: what goes wrong here is only that the next call reads what this one knows.
  private func note(_ addition: LogAddition, at start: UInt64, _ words: AppendWords, _ encoded: UInt64, in log: OpenLog) {
    guard start == log.knownEnd, addition.clears || !addition.changes.isEmpty else {
      try? log.catchUp()
      return
    }
    guard (try? log.didAppend(upTo: words.committedEnd, encoded, lastSequence: words.lastSequence)) != nil else { return }
    if addition.clears { log.clear(start, words.committedEnd) }
    log.note(addition.changes, at: start)
  }

  private func makeRoom(for end: UInt64, in log: OpenLog) throws(LogError) {
    let growth = try log.tail.growth(upTo: end)
    if growth == 0 { return }
    let allocated = log.segment.allocatedEnd
    let capacity = context.options.capacity ?? .max
    guard allocated <= capacity, growth <= capacity - allocated else { throw .full(capacity: capacity) }
    try log.tail.allocate(upTo: end, growingAtMost: capacity - allocated)
  }
}
