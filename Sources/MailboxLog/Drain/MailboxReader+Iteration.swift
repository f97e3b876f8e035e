import RawMemory
import Sealing
import StorageIO

extension MailboxReader {
  /// The one loop behind `forEachPending`, whatever the closure throws, measured.
  func iterate<E: Error>(
    limit: Int, byteCountMax: Int, failure: (LogError) -> E, _ body: (borrowing MailboxEntry) throws(E) -> Void
  ) throws(E) -> Int {
    let context = drain.context
    guard context.options.metricsHandler != nil else {
      return try iterateReadable(limit: limit, byteCountMax: byteCountMax, failure: failure, body)
    }
    let begin = context.system.monotonicNanoseconds()
    var byteCount = 0
    do {
      let count = try iterateReadable(limit: limit, byteCountMax: byteCountMax, failure: failure) { entry throws(E) in
        byteCount += entry.byteCount
        try body(entry)
      }
      context.tell(.drain, since: begin, byteCount, succeeded: true)
      return count
    } catch {
      context.tell(.drain, since: begin, byteCount, succeeded: false)
      throw error
    }
  }

  private func iterateReadable<E: Error>(
    limit: Int, byteCountMax: Int, failure: (LogError) -> E, _ body: (borrowing MailboxEntry) throws(E) -> Void
  ) throws(E) -> Int {
    var unreadable: [MailboxPosition] = []
    let count = try iterateRecords(limit: limit, byteCountMax: byteCountMax, failure: failure) { entry throws(E) in
      if let reason = entry.openingFailure {
        unreadable.append(entry.position)
        drain.context.report(.damageFound, "entry \(entry.position.sequence): \(reason.description)")
        return false
      }
      try body(entry)
      return true
    }
    // Nobody can get their positions, so they would wait for ever.
    if !unreadable.isEmpty, drain.context.options.access == .readWrite {
      do throws(LogError) { try acknowledge(unreadable) } catch { throw failure(error) }
    }
    return count
  }

  /// Calls `body` with each pending record, also those that can't be opened. - Parameter body: whether the record counts.
  func iterateRecords<E: Error>(
    limit: Int, byteCountMax: Int, failure: (LogError) -> E, _ body: (borrowing MailboxEntry) throws(E) -> Bool
  ) throws(E) -> Int {
    let segments: [Segment]
    let pending: PendingEntries
    do throws(LogError) {
      segments = try drain.segments()
      pending = try drain.pending(segments)
    } catch { throw failure(error) }
    var count = 0
    var byteCount = 0
    while count < limit, byteCount < byteCountMax {
      let source: PendingEntries.Source
      let entry: MailboxEntry
      do throws(LogError) {
        try drain.handle.check()
        guard let next = try pending.next() else { break }
        source = next
        entry = try source.entry()
      } catch { throw failure(error) }
      byteCount += entry.byteCount
      if try body(entry) { count += 1 }
    }
    if drain.context.options.access == .readWrite {
      for source in pending.sources where !source.hasPending { drain.retireIfConsumed(source.segment) }
    }
    return count
  }

  /// As `forEachPending`, and also yields records that can't be opened (a damaged body, a tag that doesn't fit): their
  /// `openingFailure` is set, `id` is empty and there is no value. They are acknowledged by position like others.
  #if !hasFeature(Embedded)
    @discardableResult
    package func forEachPendingRecord(
      limit: Int, byteCountMax: Int, _ body: (borrowing MailboxEntry) throws -> Void
    ) throws -> Int {
      try iterateRecords(limit: limit, byteCountMax: byteCountMax, failure: { (error: LogError) -> any Error in error }) { entry in
        try body(entry)
        return true
      }
    }
  #endif

  /// Segments that are in the directory now, those on their way out included.
  /// The directory's inode: the same in every process and after every start of the system, by whatever path.
  package func directoryIdentity() throws(LogError) -> UInt64 {
    let system = drain.context.system
    return try at(directory) { () throws(SystemError) in
      var status: FileStatus?
      let result = system.status(path: directory, &status)
      guard result >= 0, let status else { throw SystemError(.status, Int32(-result)) }
      return status.inode
    }
  }

  package func segmentIDs() throws(LogError) -> [MailboxSegmentID] {
    var result: [MailboxSegmentID] = []
    for segment in try drain.segments() { result.append(segment.identifier) }
    return result + drain.leavingSegments()
  }

  /// On return, the removal of every segment that `segmentIDs` doesn't list any more survives a loss of power.
  package func synchronizeRemovals() throws(LogError) {
    try at(directory) { () throws(SystemError) in try drain.context.directory.synchronize() }
  }

  /// The last sequence in a segment; nil when the segment is gone. One below the ledger's says that the file is an older copy.
  package func lastSequence(of segment: MailboxSegmentID) throws(LogError) -> UInt64? {
    for open in try drain.segments() where open.identifier == segment {
      return try at(open.file.path) { () throws(SystemError) in try open.words.load(.lastSequence) }
    }
    return nil
  }

  /// Tells a test where promotion is: 0 promoted in a transaction, 1 committed, 2 acknowledged.
  package func reachPromotionPoint(_ index: UInt8) {
    let points: [Failpoint] = [.batchPromoted, .batchCommitted, .batchAcknowledged]
    drain.context.system.reach(points[Int(index)])
  }
}

/// A digest of 32 bytes (SHA-256), for ledger keys of long ids.
package func mailboxDigest(_ bytes: [UInt8]) -> [UInt8] { Digest.sha256(bytes.span) }
