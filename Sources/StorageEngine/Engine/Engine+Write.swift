import RawMemory
package import StorageIO
import Synchronization

extension Engine {
  /// Begins a write transaction, alone among all processes until it commits, aborts, or is let go.
  ///
  /// - Throws: `busy` or `compacting` when the deadline passed, `readOnly`, `suspended`, `failedEarlier`, `storeReplaced`.
  package func begin(until deadline: Deadline? = nil) throws(EngineError) -> EngineWriter {
    try checkWritable()
    let start = system.monotonicNanoseconds()
    let deadline = deadline ?? Deadline(after: options.lockTimeout, system)
    guard writerLock.acquire(until: deadline, system) else { throw busy(since: start) }
    do throws(EngineError) {
      try checkGeneration()
      var file = state.withLock { $0.pages.file }
      while true {
        guard try lock(file, until: deadline) else { throw busy(since: start) }
        do throws(EngineError) { try checkGeneration() } catch {
          file.unlock()
          throw error
        }
        let now = state.withLock { $0.pages.file }
        if now === file { break }
        // A compaction swapped the file while this one was waited for.
        file.unlock()
        file = now
      }
      do throws(EngineError) {
        try checkPaths(file)
        // Who set these died: the path leads to this file, and nobody else has its lock.
        for word in [Self.supersedingWord, Self.compactingWord] where lockFile.extraWord(word) != 0 {
          lockFile.setExtraWord(word, 0)
        }
        return EngineWriter(try transaction())
      } catch {
        file.unlock()
        throw error
      }
    } catch {
      writerLock.release()
      throw error
    }
  }

  func checkWritable() throws(EngineError) {
    try checkProcess()
    if isReadOnly { throw .readOnly }
    if isPoisoned { throw .failedEarlier }
    if isSuspended { throw .suspended }
  }

  /// Under the writer's lock: whether others who open the store find this file, and this lock file.
  ///
  /// Each would keep its writers apart, and two of them would not know of each other: one's commits would be built on a version without the
  /// other's. So who works by a file that isn't the one any more writes nothing. New tables of the lock file begin under the writer's lock.
  private func checkPaths(_ file: StorageFile) throws(EngineError) {
    if file.isInMemory { return }
    let isKnown = try naming(path) { () throws(SystemError) in try lockFile.isCurrent() }
    guard isKnown, try isNamed(file) else { throw .storeReplaced(path: path) }
  }

  private func lock(_ file: StorageFile, until deadline: Deadline) throws(EngineError) -> Bool {
    try naming(path) { () throws(SystemError) in try file.lock(until: deadline) }
  }
  private func busy(since start: UInt64) -> EngineError {
    let waited = Duration.nanoseconds(Int64(clamping: system.monotonicNanoseconds() - start))
    return lockFile.extraWord(Self.compactingWord) == 0 ? .busy(waited: waited) : .compacting(waited: waited)
  }

  private func transaction() throws(EngineError) -> EngineTransaction {
    let published = lockFile.published
    let (base, pages) = try state.withLock { state throws(EngineError) in
      if state.newest.id != published, try !refresh(&state, published) {
        throw .corrupted(page: 0, reason: "the meta page of the current version can't be read")
      }
      return (state.newest, state.pages)
    }
    var live = try naming(path) { () throws(SystemError) in try lockFile.pinned(reclaimingDead: true).map(\.version) }
    live.append(lockFile.durable)
    return EngineTransaction(self, id: lockFile.takeTransactionID(), base: base, pages: pages, live: Array(Set(live)).sorted())
  }

  /// Gives the locks back; called once by each transaction.
  func endTransaction(_ transaction: EngineTransaction) {
    // A forked child has a copy of the transaction, and none of its locks.
    if !isOwnProcess { return }
    transaction.pages.file.unlock()
    writerLock.release()
  }

  /// Makes the file long enough for so many pages, in steps: a file that grows in every commit costs every sync more.
  func ensureAllocated(pageCount: PageNumber, base: MetaPage) throws(EngineError) {
    let needed = UInt64(pageCount) * UInt64(header.pageByteCount)
    if needed <= allocatedByteCount { return }
    let file = state.withLock { $0.pages.file }
    let status = try naming(path) { () throws(SystemError) in try file.status() }
    allocatedByteCount = status.byteCount
    // What may be missing at the end of a file are free pages.
    let missing = UInt64(base.pageCount) * UInt64(header.pageByteCount)
    guard missing <= status.byteCount + base.free.count &* UInt64(header.pageByteCount) else {
      throw .corrupted(page: PageNumber(status.byteCount / UInt64(header.pageByteCount)), reason: "the file ends before it does")
    }
    if needed <= allocatedByteCount { return }
    let step = min(max(needed / 32, 64 << 10), 1 << 20)
    let pageByteCount = UInt64(header.pageByteCount)
    let target = min((needed + step) / pageByteCount * pageByteCount, max(fileByteCountMax / pageByteCount * pageByteCount, needed))
    do throws(SystemError) {
      try file.allocate(allocatedByteCount..<target)
      allocatedByteCount = target
    } catch {
      if error.code == ErrorNumber.notSupported { return }
      // Perhaps what is needed fits without the step.
      try naming(path) { () throws(SystemError) in try file.allocate(allocatedByteCount..<needed) }
      allocatedByteCount = needed
    }
  }
}
