import RawMemory
import StorageIO

/// Writing the log anew with what is live: the copy without any lock but the new file's, the exchange under the log's.
extension LogHandle {
  /// What a compaction is to do beside dropping what is dead.
  struct Compaction {
    /// nil keeps the key; `.some(nil)` makes the file plain.
    var key: EncryptionKey??
    /// Drops the oldest live records until the others take no more than this.
    var byteCountMax: UInt64?
    /// How long removals are kept, so that who listens to changes meets each.
    static let removalAgeMax: Int64 = 10_000_000
  }

  /// Whether dead records take more room than is good: the file stays within four times what is live, and 256 KiB.
  func isCompactionWorthwhile(_ log: OpenLog) -> Bool {
    guard let live = log.liveByteCount else { return false }
    return log.knownEnd > 4 * live + 256 << 10 && log.knownEnd >= compactsFrom
  }

  /// Compacts. - Returns: false when another compaction is at work, or somebody replaced the file meanwhile.
  ///
  /// Called without locks. Killed at any instant, the path leads to the old file or to the new one, whole.
  @discardableResult
  func compact(_ compaction: Compaction = Compaction()) throws(LogError) -> Bool {
    try state.checkWritable()
    if isReadOnly { throw .readOnly }
    let context = context
    let source = try open()
    if !source.isTrusted { return try takingOver(then: compaction) }
    try acquire()
    // Once more from the beginning would take longer than the copy.
    if let log { try? source.learn(from: log) }
    release()
    try source.catchUp()
    guard let file = try beginReplacement(of: source, context) else { return false }
    let temporary = file.path
    var isDone = false
    defer { if !isDone { _ = context.system.unlink(temporary) } }
    let key: EncryptionKey? = if let key = compaction.key { key } else { context.options.key }
    let copy = try at(temporary) { () throws(SystemError) in try LogCopy(file, context, key: key) }
    try copyLive(source, to: copy, compaction)
    try copy.synchronize()
    isDone = try exchange(source, copy, temporary, key)
    // Makers of logs and of backups may have died meanwhile; a compaction is seldom enough to look.
    try? context.removeLitter()
    if isDone { context.report(compaction.key == nil ? .compacted : .rekeyed, "\(path) was written anew") }
    return isDone
  }

  /// A file of an earlier boot is first made this one's.
  private func takingOver(then compaction: Compaction) throws(LogError) -> Bool {
    try acquire()
    do throws(LogError) {
      try locked { _ throws(LogError) in }
    } catch {
      release()
      throw error
    }
    release()
    return try compact(compaction)
  }

  /// The empty file that is going to take the log's place, locked; nil when another process is at it.
  private func beginReplacement(of source: OpenLog, _ context: LogContext) throws(LogError) -> StorageFile? {
    let temporary = context.directory.path(of: StorageDirectory.temporaryPrefix + "compact-" + name)
    return try at(temporary) { () throws(SystemError) -> StorageFile? in
      let file = try StorageFile(
        context.system, path: temporary, flags: OpenFlag.readWrite | OpenFlag.create | OpenFlag.noFollow,
        mode: context.directory.fileMode, isLockable: true)
      guard try file.tryLock() else { return nil }
      // Who had it before may have finished, and this file is the log by now; or it was taken for litter.
      guard try file.isNamed(by: temporary) else { return nil }
      try file.truncate(to: 0)
      try file.takeMode(of: source.segment.file)
      return file
    }
  }

  private func copyLive(_ source: OpenLog, to copy: LogCopy, _ compaction: Compaction) throws(LogError) {
    let now = context.system.realtimeMicroseconds()
    var surplus = try compaction.byteCountMax.map { limit throws(LogError) in try self.surplus(of: source, over: limit, now) } ?? 0
    var dropped = 0
    try copyCleared(source, to: copy, now - Compaction.removalAgeMax)
    try source.forEachNewest { record, appendedAt throws(LogError) in
      if record.kind == .set {
        if record.isExpired(at: now) { return }
        if surplus > 0 {
          surplus -= min(surplus, UInt64(record.totalByteCount))
          dropped += 1
          return
        }
      } else if appendedAt <= now - Compaction.removalAgeMax {
        return
      }
      try copy.add(record, appendedAt: appendedAt)
    }
    if dropped > 0 { context.report(.oldestDropped, "\(dropped) records of \(path) were dropped for room") }
  }

  /// Keeps, for who listens to changes, which keys there were before a record that removed all not long ago: without their values, which nobody
  /// gets any more.
  private func copyCleared(_ source: OpenLog, to copy: LogCopy, _ oldest: Int64) throws(LogError) {
    guard source.clearedEnd > SegmentLayout.dataStart else { return }
    var start = SegmentLayout.dataStart
    var isRecent = false
    try source.walk(from: start, to: source.clearedEnd, checksBodies: false) { visit throws(LogError) in
      guard case .record(let frame, let range, _) = visit, frame.kind == .removeAll else { return }
      if frame.appendedAt > oldest { isRecent = true } else { start = range.upperBound }
    }
    guard isRecent else { return }
    try source.walk(from: start, to: source.clearedEnd) { visit throws(LogError) in
      guard case .record(let frame, let range, isGood: true) = visit, frame.kind != .index,
        let record = source.record(at: range.lowerBound)
      else { return }
      try copy.add(record, appendedAt: frame.appendedAt, withoutValue: true)
    }
  }

  /// How many bytes of live records are more than a limit.
  private func surplus(of source: OpenLog, over limit: UInt64, _ now: Int64) throws(LogError) -> UInt64 {
    var live: UInt64 = 0
    try source.forEachNewest { record, _ throws(LogError) in
      if record.kind == .set, !record.isExpired(at: now) { live += UInt64(record.totalByteCount) }
    }
    return live > limit ? live - limit : 0
  }

  /// Adds what came meanwhile, and lets the path lead to the copy. - Returns: false when the file was replaced before.
  private func exchange(_ source: OpenLog, _ copy: LogCopy, _ temporary: String, _ key: EncryptionKey?) throws(LogError) -> Bool {
    try acquire()
    defer { release() }
    try state.checkWritable()
    let isDone = try locked { log throws(LogError) -> Bool in
      // The locked file has the name; the copy is of that one, or worth nothing.
      guard try source.isNamed() else { return false }
      let copiedEnd = source.knownEnd
      try source.catchUp()
      try source.forEachRecord(from: copiedEnd) { record, appendedAt throws(LogError) in
        if record.kind != .index { try copy.add(record, appendedAt: appendedAt) }
      }
      try copy.finish(above: source.lastSequenceWord, indexes: copiedEnd == source.knownEnd || source.unindexedCount < 4096)
      try replace(log, by: temporary)
      return true
    }
    guard isDone else { return false }
    log = nil
    context.options.key = key
    // What is kept for a while isn't tried again with every write.
    compactsFrom = copy.end > 4 * copy.liveByteCount + 256 << 10 ? copy.end * 2 : 0
    do throws(SystemError) { try context.synchronizeNames() } catch {
      // Which of the two files a loss of power leaves is open: nothing is written behind it by this handle.
      state.fail()
      throw LogError(error, path: path)
    }
    return true
  }

  /// Under the log's lock. The mark comes first: whoever sees it looks whether the path leads elsewhere by now.
  func replace(_ log: OpenLog, by temporary: String) throws(LogError) {
    let words = log.segment.words
    try at(path) { () throws(SystemError) in
      try words.store(SegmentState.superseding.rawValue, .state)
      context.system.reach(.logSuperseding)
      do throws(SystemError) { try context.directory.rename(from: PathParts(temporary).name, to: name) } catch {
        try? words.store(SegmentState.active.rawValue, .state)
        throw error
      }
      context.system.reach(.logReplaced)
    }
    // Who listens finds the new file.
    try? words.ringIfAwaited()
  }
}
