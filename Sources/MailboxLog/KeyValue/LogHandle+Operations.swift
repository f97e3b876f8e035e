import RawMemory
import Sealing
import StorageIO

/// What the calls of `KeyValueLog` do.
extension LogHandle {
  @inline(__always) func check(_ key: String) throws(LogError) {
    let byteCount = key.utf8.count
    if byteCount == 0 { throw .invalidKey }
    if byteCount > SegmentLayout.idByteCountMax { throw .keyTooLarge(byteCount: byteCount, limit: SegmentLayout.idByteCountMax) }
  }

  var now: Int64 { context.system.realtimeMicroseconds() }

  /// Lends a key's record. It holds its memory, so it is used without a lock. - Returns: false when the key has no value.
  func lend(_ key: String, _ body: (StoredRecord) throws(LogError) -> Void) throws(LogError) -> Bool {
    if isMetered { return try lendMetered(key, body) }
    try check(key)
    try state.check()
    if let record = known(key) {
      try body(record)
      return true
    }
    guard let record = try record(forKey: key) else { return false }
    try body(record)
    return true
  }

  /// What most reads find: the file as it was, and the key's value in it. nil says nothing.
  @inline(__always) private func known(_ key: String) -> StoredRecord? {
    guard lock.tryAcquire() else { return nil }
    defer { release() }
    return lent.with(orElse: nil) { $0.isUnchanged ? $0.known(key.utf8.span) : nil }
  }

  private func lendMetered(_ key: String, _ body: (StoredRecord) throws(LogError) -> Void) throws(LogError) -> Bool {
    let found = try context.measured(.read, 0) { () throws(LogError) -> StoredRecord? in try record(forKey: key) }
    if let found { try body(found) }
    return found != nil
  }

  /// A key's record; nil when it has no value.
  private func record(forKey key: String) throws(LogError) -> StoredRecord? {
    try check(key)
    return try reading { log throws(LogError) -> StoredRecord? in
      let key = key.utf8.span
      guard let record = try log.newest(key, log.hash(key)), record.isSet else { return nil }
      // The clock is asked only where it matters.
      return record.expiresAt != 0 && record.isExpired(at: now) ? nil : record
    }
  }

  /// Whether a key has a value.
  func contains(_ key: String) throws(LogError) -> Bool {
    if isMetered { return try context.measured(.read, 0) { () throws(LogError) in try unmeteredContains(key) } }
    return try unmeteredContains(key)
  }

  @inline(__always)
  private func unmeteredContains(_ key: String) throws(LogError) -> Bool {
    try check(key)
    return try reading { log throws(LogError) -> Bool in
      let key = key.utf8.span
      return try liveOffset(key, log.hash(key), in: log) != nil
    }
  }

  /// Where a key's value is.
  @inline(__always)
  private func liveOffset(_ key: Span<UInt8>, _ hash: UInt64, in log: OpenLog) throws(LogError) -> UInt64? {
    guard let offset = try log.find(key, hash) else { return nil }
    guard let stored = log.stored(offset) else { throw OpenLog.damaged(offset) }
    return !stored.isSet || stored.expiresAt != 0 && stored.isExpired(at: now) ? nil : offset
  }

  // MARK: Writing

  func set(
    _ key: String, _ type: LogValueType, byteCount: Int, expiresAfter: Duration?, _ encode: (inout OutputSpan<UInt8>) -> Void
  ) throws(LogError) {
    try check(key)
    try writingWithRoom { log, addition throws(LogError) in
      try add(key, type, byteCount: byteCount, expiresAfter, log, addition, encode)
    }
  }

  /// - Returns: whether there was something to remove.
  func remove(_ key: String) throws(LogError) -> Bool {
    try check(key)
    return try writingWithRoom { log, addition throws(LogError) in try addRemoval(key, log, addition) }
  }

  /// Writes if a key has the value of another operation; nil, if it has none.
  func write(_ operation: LogOperation, ifStored expected: LogOperation?) throws(LogError) -> Bool {
    try check(operation.key)
    return try writingWithRoom { log, addition throws(LogError) in
      let key = operation.key.utf8.span
      let offset = try liveOffset(key, log.hash(key), in: log)
      switch (offset, expected) {
      case (nil, nil): break
      case (let offset?, let expected?):
        guard let stored = log.record(at: offset) else { throw OpenLog.damaged(offset) }
        guard try stored.type() == expected.type, let value = expected.value,
          stored.buffer.withSpan(stored.valueRange, { $0.equals(value.span) })
        else { return false }
      default: return false
      }
      try add(operation, log, addition)
      return true
    }
  }

  func write(_ batch: LogBatch) throws(LogError) {
    if batch.isCancelled || batch.operations.isEmpty { return }
    for operation in batch.operations { try check(operation.key) }
    let operations = batch.operations
    try writingWithRoom { log, addition throws(LogError) in
      for index in Self.lastOfEachKey(operations, log.hash) { try add(operations[index], log, addition) }
    }
  }

  /// Of each key the last operation counts; the ones before would be dead from the beginning.
  private static func lastOfEachKey(_ operations: [LogOperation], _ hash: KeyedHash) -> [Int] {
    if operations.count == 1 { return [0] }
    var order: [(hash: UInt64, index: Int)] = []
    order.reserveCapacity(operations.count)
    for index in operations.indices { order.append((hash(operations[index].key.utf8.span), index)) }
    order.sort { $0.hash == $1.hash ? $0.index < $1.index : $0.hash < $1.hash }
    var last: [Int] = []
    last.reserveCapacity(order.count)
    for (place, entry) in order.enumerated() {
      var later = place + 1
      var isLast = true
      while isLast, later < order.count, order[later].hash == entry.hash {
        isLast = !operations[order[later].index].key.utf8.elementsEqual(operations[entry.index].key.utf8)
        later += 1
      }
      if isLast { last.append(entry.index) }
    }
    last.sort()
    return last
  }

  func removeAll() throws(LogError) {
    try writingWithRoom { log, addition throws(LogError) in
      guard log.knownEnd > SegmentLayout.dataStart else { return }
      _ = addition.frames.beginRecord(.removeAll, idByteCount: 0, valueByteCount: 0, valueType: LogValueType.bytes.rawValue)
      addition.clears = true
    }
  }

  private func add(_ operation: LogOperation, _ log: OpenLog, _ addition: LogAddition) throws(LogError) {
    guard let value = operation.value else {
      _ = try addRemoval(operation.key, log, addition)
      return
    }
    try add(operation.key, operation.type, byteCount: value.count, operation.expiresAfter, log, addition) {
      $0.append(copying: value.span)
    }
  }

  @inline(__always)
  private func add(
    _ key: String, _ type: LogValueType, byteCount: Int, _ expiresAfter: Duration?, _ log: OpenLog, _ addition: LogAddition,
    _ encode: (inout OutputSpan<UInt8>) -> Void
  ) throws(LogError) {
    let frames = addition.frames
    let start = frames.byteCount
    let at = try frames.beginRecord(
      .set, id: key, valueByteCount: byteCount, valueType: type.rawValue, byteCountMax: context.options.recordByteCountMax)
    frames.buffer.fill(at..<at + byteCount, encode)
    if let expiresAfter {
      frames.buffer.store(LogOperation.expiry(expiresAfter, now), at: start + SegmentLayout.Frame.expiresAt)
    }
    let hash = log.hash(key.utf8.span)
    let before = try log.find(key.utf8.span, hash)
    addition.change(KeyTable.tag(hash), from: before, at: start)
    addition.liveChange += Int64(frames.byteCount - start) - liveByteCount(before, in: log)
  }

  private func addRemoval(_ key: String, _ log: OpenLog, _ addition: LogAddition) throws(LogError) -> Bool {
    let hash = log.hash(key.utf8.span)
    guard let before = try log.find(key.utf8.span, hash), let stored = log.stored(before), stored.isSet else { return false }
    addition.change(KeyTable.tag(hash), from: before, at: addition.frames.byteCount)
    _ = try addition.frames.beginRecord(
      .remove, id: key, valueByteCount: 0, valueType: LogValueType.bytes.rawValue, byteCountMax: .max)
    addition.liveChange -= Int64(stored.totalByteCount)
    // One that has expired was gone before.
    return stored.expiresAt == 0 || !stored.isExpired(at: now)
  }

  @inline(__always)
  private func liveByteCount(_ offset: UInt64?, in log: OpenLog) -> Int64 {
    guard let offset, let stored = log.stored(offset), stored.isSet else { return 0 }
    return Int64(stored.totalByteCount)
  }

  /// As `writing`; where the capacity is used up, once more after a compaction.
  @inline(__always) @discardableResult
  private func writingWithRoom<R>(_ build: (OpenLog, LogAddition) throws(LogError) -> R) throws(LogError) -> R {
    if isMetered { return try metered(build) }
    do throws(LogError) { return try writing(build) } catch {
      guard case .full(let capacity) = error else { throw error }
      try compactForRoom(capacity)
      return try writing(build)
    }
  }

  private func metered<R>(_ build: (OpenLog, LogAddition) throws(LogError) -> R) throws(LogError) -> R {
    let begin = system.monotonicNanoseconds()
    var (waited, byteCount): (UInt64, Int) = (0, 0)
    // Under the handle's lock, while they are this call's.
    let told: (OpenLog, LogAddition) throws(LogError) -> R = { log, addition throws(LogError) in
      let result = try build(log, addition)
      (waited, byteCount) = (self.lastWait, addition.frames.byteCount)
      return result
    }
    do throws(LogError) {
      let result: R
      do throws(LogError) { result = try writing(told) } catch {
        guard case .full(let capacity) = error else { throw error }
        try compactForRoom(capacity)
        result = try writing(told)
      }
      context.tell(.append, since: begin, byteCount, lockWait: .nanoseconds(Int64(waited)), succeeded: true)
      return result
    } catch {
      context.tell(.append, since: begin, byteCount, lockWait: .nanoseconds(Int64(waited)), succeeded: false)
      throw error
    }
  }

  private func compactForRoom(_ capacity: UInt64) throws(LogError) {
    var compaction = Compaction()
    if context.options.overflow == .dropOldest { compaction.byteCountMax = capacity / 2 }
    try compact(compaction)
  }
}
