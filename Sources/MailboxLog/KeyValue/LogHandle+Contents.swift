import RawMemory
import StorageIO

/// Looking at everything.
extension LogHandle {
  func forEachLive(_ body: (StoredRecord) throws(LogError) -> Void) throws(LogError) {
    // With a file of its own, so that `body` may call the handle, and other threads needn't wait.
    let log = try reading { _ throws(LogError) in try open() }
    try log.catchUp()
    let now = now
    try log.forEachNewest { record, _ throws(LogError) in if record.kind == .set, !record.isExpired(at: now) { try body(record) } }
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
      statistics.fileByteCount = log.knownEnd
      statistics.liveByteCount = log.liveByteCount ?? 0
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
