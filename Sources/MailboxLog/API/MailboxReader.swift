import RawMemory
package import Sealing
package import StorageIO

/// The main process's end: drains without blocking a writer, and acknowledges by position.
///
/// In Embedded Swift closures name their error: `try inbox.forEachPending { entry throws(LogError) in … }`.
public final class MailboxReader: Sendable {
  /// As it was given.
  public let directory: String
  let drain: MailboxDrain

  /// Opens a mailbox, and makes its directory unless told otherwise.
  ///
  /// - Parameters:
  ///   - directory: `*.mailbox`; its parent has to be there.
  ///   - options: `key` as the writers have it, or the `readKey` to their `writeOnlyKey`; `access` `.readOnly` writes nothing and makes no file.
  /// - Throws: ``LogError/notFound(path:)``, ``LogError/notALog(path:)`` when it isn't a directory, ``LogError/wrongKey``,
  ///   ``LogError/keyRequired``, ``LogError/keyNotExpected``, ``LogError/unsupportedVersion(found:newest:)``; with `recovery` `.fail`
  ///   ``LogError/corrupted(offset:reason:)``. The files are as they were then.
  /// - Complexity: O(segments).
  public convenience init(directory: String, options: LogOptions = LogOptions()) throws(LogError) {
    try self.init(directory: directory, options: options, system: .live)
  }

  package convenience init(
    directory: String, options: LogOptions, system: SystemCalls, nonceObserver: NonceObserver? = nil
  ) throws(LogError) {
    try options.checkKeys(of: .mailboxSegment)
    if options.writeOnlyKey != nil { throw .keyRequired }
    let context = try LogContext.open(system, directory, options, nonceObserver)
    self.init(directory, try context.measured(.open, 0) { () throws(LogError) in try MailboxDrain(context) })
  }

  // Alone in the class's table: a helper that doesn't open one is linked without what opening takes.
  private init(_ directory: String, _ drain: MailboxDrain) {
    self.directory = directory
    self.drain = drain
  }

  /// Calls `body` with entries that aren't acknowledged: as appended within a segment, across segments by append time; stops after
  /// `limit` entries or after the entry with which their bytes reach `byteCountMax`.
  ///
  /// An entry that can't be opened is reported as damage, acknowledged, and passed over.
  /// - Parameters:
  ///   - limit: entries, at least 0.
  ///   - byteCountMax: bytes of ids and values together.
  ///   - body: borrows the entry. It may call this reader.
  /// - Returns: how many `body` saw.
  /// - Throws: what `body` throws, and what reading throws; nothing is acknowledged by it.
  /// - Complexity: O(entries seen), in memory bounded by the largest entry and 64 KiB a segment.
  /// - Concurrency: takes no lock that a writer waits for. What is appended meanwhile isn't seen.
  @discardableResult
  public func forEachPending(
    limit: Int = .max, byteCountMax: Int = .max, _ body: (borrowing MailboxEntry) throws(LogError) -> Void
  ) throws(LogError) -> Int {
    try iterate(limit: limit, byteCountMax: byteCountMax, failure: { (error: LogError) in error }, body)
  }

  /// Acknowledges entries by position, in any order, also with gaps, also twice. A newer entry under the same id stays pending.
  ///
  /// A segment of which everything is acknowledged is removed, durably, unless somebody is appending to it. After a loss of power
  /// the last acknowledgements may be gone, and their entries pending again.
  /// - Throws: ``LogError/readOnly``, or what reading throws; acknowledgements of other segments may have been made then.
  /// - Complexity: O(entries from the oldest that is pending to the newest position).
  /// - Concurrency: without a lock, by compare-exchange; two readers may acknowledge at once.
  public func acknowledge(_ positions: [MailboxPosition]) throws(LogError) {
    try drain.handle.check()
    if drain.context.options.access == .readOnly { throw .readOnly }
    if positions.isEmpty { return }
    try drain.context.measured(.acknowledge, 0) { () throws(LogError) in
      for segment in try drain.segments() {
        var sequences: [UInt64] = []
        for position in positions where position.segment == segment.identifier { sequences.append(position.sequence) }
        if sequences.isEmpty { continue }
        sequences.sort()
        try drain.acknowledge(sequences, in: segment)
      }
    }
  }

  /// Entries that wait. - Complexity: O(what waits): each is checked.
  public var pendingCount: Int {
    get throws(LogError) {
      let pending = try drain.pending(drain.segments())
      var count = 0
      while let source = try pending.next() { if source.cursor.isBodyGood { count += 1 } }
      return count
    }
  }

  /// What waits: entries, bytes of their records, the age of the oldest. - Complexity: O(what waits).
  public func backlog() throws(LogError) -> MailboxBacklog {
    let pending = try drain.pending(drain.segments())
    var backlog = MailboxBacklog()
    while let source = try pending.next() {
      guard let frame = source.frame, source.cursor.isBodyGood else { continue }
      backlog.count(frame, now: drain.context.system.realtimeMicroseconds())
    }
    return backlog
  }

  /// One report for each file with damage in what waits. - Complexity: O(what waits).
  public func damage() throws(LogError) -> [DamageReport] {
    let segments = try drain.segments()
    return try (drain.damage(of: segments) + drain.damagedFiles()).filter { !$0.isEmpty }
  }

  /// Closes all files within 100 ms; calls throw ``LogError/suspended`` until `resume`. Safe at any time, from any thread.
  public func suspend() {
    drain.handle.suspend()
    drain.letGo()
  }

  /// Ends a suspension; files are opened anew when they are needed. - Throws: ``LogError/closed``, ``LogError/forkedHandle``.
  public func resume() throws(LogError) {
    try drain.handle.resume()
    drain.wakers.wakeAll()
  }

  /// Closes all files. Idempotent; every later call but this throws ``LogError/closed``.
  public func close() {
    drain.handle.close()
    drain.letGo()
    drain.wakers.wakeAll()
  }

  deinit { drain.handle.close() }
}
