import RawMemory
import StorageIO

/// What the calls of `KeyValueLog` do.
extension LogHandle {
  func check(_ key: String) throws(LogError) {
    let byteCount = key.utf8.count
    if byteCount == 0 { throw .invalidKey }
    if byteCount > SegmentLayout.idByteCountMax { throw .keyTooLarge(byteCount: byteCount, limit: SegmentLayout.idByteCountMax) }
  }

  var now: Int64 { context.system.realtimeMicroseconds() }

  /// Lends a key's record; nil when it has no value.
  func readingRecord<R>(_ key: String, _ body: (StoredRecord) throws(LogError) -> R) throws(LogError) -> R? {
    try check(key)
    return try reading { log throws(LogError) -> R? in
      guard let record = try live(key, in: log) else { return nil }
      return try body(record)
    }
  }

  private func live(_ key: String, in log: OpenLog) throws(LogError) -> StoredRecord? {
    guard let record = try log.find(key.utf8.span), record.kind == .set else { return nil }
    // The clock is asked only where it matters.
    return record.expiresAt != 0 && record.isExpired(at: now) ? nil : record
  }

  // MARK: Writing

  /// - Returns: whether a removal found something; true for a value.
  @discardableResult
  func write(_ operation: LogOperation) throws(LogError) -> Bool {
    try check(operation.key)
    return try writingWithRoom { log, addition throws(LogError) in try add(operation, log, &addition) }
  }

  /// Writes if a key has the value of another operation; nil, if it has none.
  func write(_ operation: LogOperation, ifStored expected: LogOperation?) throws(LogError) -> Bool {
    try check(operation.key)
    return try writingWithRoom { log, addition throws(LogError) in
      let stored = try live(operation.key, in: log)
      switch (stored, expected) {
      case (nil, nil): break
      case (let stored?, let expected?):
        guard try stored.type() == expected.type, let value = expected.value,
          stored.buffer.withSpan(stored.valueRange, { $0.equals(value.span) })
        else { return false }
      default: return false
      }
      _ = try add(operation, log, &addition)
      return true
    }
  }

  func write(_ batch: LogBatch) throws(LogError) {
    if batch.isCancelled || batch.operations.isEmpty { return }
    for operation in batch.operations { try check(operation.key) }
    let operations = batch.operations
    try writingWithRoom { log, addition throws(LogError) in
      // Of each key the last one counts; the ones before would be dead from the beginning.
      for (index, operation) in operations.enumerated() {
        if operations[(index + 1)...].contains(where: { $0.key.utf8.elementsEqual(operation.key.utf8) }) { continue }
        _ = try add(operation, log, &addition)
      }
    }
  }

  func removeAll() throws(LogError) {
    try writingWithRoom { log, addition throws(LogError) in
      guard log.knownEnd > SegmentLayout.dataStart else { return }
      _ = addition.frames.beginRecord(.removeAll, idByteCount: 0, valueByteCount: 0, valueType: LogValueType.bytes.rawValue)
      addition.clears = true
    }
  }

  private func add(_ operation: LogOperation, _ log: OpenLog, _ addition: inout Addition) throws(LogError) -> Bool {
    let before = try log.find(operation.key.utf8.span)
    let now = now
    let dead = before?.kind == .set ? Int64(before?.totalByteCount ?? 0) : 0
    let start = addition.frames.byteCount
    guard let value = operation.value else {
      guard let before, before.kind == .set else { return false }
      try addition.frames.add(
        id: operation.key, value: Span(), valueType: LogValueType.bytes.rawValue, schemaVersion: 0, byteCountMax: .max,
        kind: .remove)
      addition.liveChange -= dead
      // One that has expired was gone before.
      return !before.isExpired(at: now)
    }
    try addition.frames.add(
      id: operation.key, value: value.span, valueType: operation.type.rawValue, schemaVersion: 0,
      byteCountMax: context.options.recordByteCountMax, kind: .set, expiresAt: operation.expiry(now))
    addition.liveChange += Int64(addition.frames.byteCount - start) - dead
    return true
  }

  /// As `writing`; where the capacity is used up, once more after a compaction.
  @discardableResult
  private func writingWithRoom<R>(_ build: (OpenLog, inout Addition) throws(LogError) -> R) throws(LogError) -> R {
    do throws(LogError) { return try writing(build) } catch {
      guard case .full(let capacity) = error else { throw error }
      var compaction = Compaction()
      if context.options.overflow == .dropOldest { compaction.byteCountMax = capacity / 2 }
      try compact(compaction)
      return try writing(build)
    }
  }

  // MARK: Looking at everything

  func forEachLive(_ body: (StoredRecord) throws(LogError) -> Void) throws(LogError) {
    // With a file of its own, so that `body` may call the handle, and other threads needn't wait.
    let log = try reading { _ throws(LogError) in try open() }
    try log.catchUp()
    let now = now
    try log.forEachRecord { record, _ throws(LogError) in if try log.isLive(record, now) { try body(record) } }
  }

  func count() throws(LogError) -> Int {
    var count = 0
    try forEachLive { _ throws(LogError) in count += 1 }
    return count
  }

  func statistics() throws(LogError) -> LogStatistics {
    var statistics = LogStatistics()
    statistics.keyCount = try count()
    return try reading { log throws(LogError) in
      let words = log.segment.words
      statistics.fileByteCount = log.knownEnd
      statistics.liveByteCount = words.decode(words.encoded(.liveByteCount), .liveByteCount) ?? 0
      statistics.lastSequence = log.lastSequenceWord
      statistics.recordCount = try log.recordCounts().good
      statistics.lockWaitMax = .nanoseconds(Int64(lockWaitMax))
      statistics.lockHoldMax = .nanoseconds(Int64(lockHoldMax))
      return statistics
    }
  }

  func verify() throws(LogError) -> DamageReport {
    try reading { log throws(LogError) in
      var report = DamageReport()
      report.path = path
      let counts = try log.recordCounts()
      report.goodRecordCount = Int(counts.good)
      report.badRanges = counts.bad
      return report
    }
  }
}
