import RawMemory
package import Sealing
package import StorageIO

/// The helper's end: appends, and never waits for another process. Survives power loss by default.
public final class MailboxWriter: Sendable {
  /// As it was given.
  public let directory: String
  let appender: MailboxAppender

  /// Opens a mailbox, and makes its directory unless told otherwise. No segment is made before the first append.
  ///
  /// - Parameters:
  ///   - directory: `*.mailbox`; its parent has to be there.
  ///   - options: `key` (or `writeOnlyKey`), `durability`, `capacity` and so on; see ``LogOptions``.
  /// - Throws: ``LogError/notFound(path:)``, ``LogError/notALog(path:)`` when it isn't a directory, ``LogError/wrongKey``,
  ///   ``LogError/keyRequired``, ``LogError/keyNotExpected``. The files are as they were then.
  /// - Complexity: O(1) in records and bytes.
  public convenience init(directory: String, options: LogOptions = LogOptions()) throws(LogError) {
    try self.init(directory: directory, options: options, system: .live)
  }

  package convenience init(
    directory: String, options: LogOptions, system: SystemCalls, nonceObserver: NonceObserver? = nil
  ) throws(LogError) {
    try options.checkKeys(of: .mailboxSegment)
    var context = try LogContext.open(system, directory, options, nonceObserver)
    try context.agree()
    self.init(directory, try context.measured(.open, 0) { () throws(LogError) in try MailboxAppender(context) })
  }

  // Alone in the class's table: a helper that doesn't open one is linked without what opening takes.
  private init(_ directory: String, _ appender: MailboxAppender) {
    self.directory = directory
    self.appender = appender
  }

  /// Appends an entry with a payload.
  ///
  /// Guarantee: on return the entry survives the death of the process, and with `.powerLoss`, the default, a loss of power.
  /// - Parameters:
  ///   - id: 1 to 1,024 bytes of UTF-8; may come again, and promotion then takes it once.
  ///   - payload: 0 bytes to `recordByteCountMax` less the id's.
  ///   - timeout: past it ``LogError/deadlineExceeded``, and nothing was appended; nil, no deadline. It bounds the wait for other threads
  ///     of this handle; the sync that follows the publication is not cut short.
  /// - Returns: where the entry is.
  /// - Throws: ``LogError/invalidKey``, ``LogError/keyTooLarge(byteCount:limit:)``, ``LogError/recordTooLarge(byteCount:limit:)``,
  ///   ``LogError/full(capacity:)``, ``LogError/noSpace``: nothing was appended. A sync that fails throws
  ///   ``LogError/system(call:errno:path:)``: the entry is there and may not survive a loss of power, and the handle then throws
  ///   ``LogError/failedEarlier``.
  /// - Complexity: O(bytes); one sync with `.powerLoss`.
  /// - Concurrency: safe from any thread and any number of processes; waits for no other process.
  @discardableResult
  public func append(id: String, payload: [UInt8], timeout: Duration? = nil) throws(LogError) -> MailboxPosition {
    try append(id: id, payload: payload.span, timeout: timeout)
  }

  /// Appends an entry with a payload; see the form for arrays.
  @discardableResult
  public func append(id: String, payload: Span<UInt8>, timeout: Duration? = nil) throws(LogError) -> MailboxPosition {
    try append(id: id, value: payload, valueType: LogValueType.bytes.rawValue, schemaVersion: 0, timeout: timeout)
  }

  /// Appends an entry with a payload of a version of the app's own.
  package func append(id: String, payload: [UInt8], schemaVersion: UInt32, timeout: Duration?) throws(LogError) -> MailboxPosition {
    try append(
      id: id, value: payload.span, valueType: LogValueType.bytes.rawValue, schemaVersion: schemaVersion, timeout: timeout)
  }

  /// Appends an entry of named, typed fields, which tools can show and old fields can be upcast from.
  /// - Parameters:
  ///   - id: as in the form with a payload.
  ///   - timeout: as in the form with a payload.
  ///   - schemaVersion: of the app's fields; 0 when it has none.
  ///   - fields: called once, before any lock is taken.
  /// - Throws: as the form with a payload, and what is wrong with a field.
  @discardableResult
  public func append(
    id: String, schemaVersion: UInt32 = 0, timeout: Duration? = nil, fields: (inout MailboxFields) -> Void
  ) throws(LogError) -> MailboxPosition {
    var builder = MailboxFields()
    fields(&builder)
    if let fault = builder.fault { throw fault }
    return try append(
      id: id, value: builder.encodedValue.span, valueType: SegmentLayout.valueTypeFields, schemaVersion: schemaVersion,
      timeout: timeout)
  }

  /// Appends all of the batch or nothing, in one segment, in this order, with one sync.
  /// - Parameters:
  ///   - timeout: as for `append`.
  ///   - body: called once, before any lock is taken. An empty batch appends nothing.
  /// - Returns: the positions, in the order of the batch.
  /// - Throws: as `append`.
  @discardableResult
  public func appendBatch(timeout: Duration? = nil, _ body: (inout MailboxBatch) -> Void) throws(LogError) -> [MailboxPosition] {
    var batch = MailboxBatch(appender.context.options)
    body(&batch)
    if let fault = batch.fault { throw fault }
    if batch.frames.recordCount == 0 { return [] }
    let frames = batch.frames
    let appended = try appender.context.measured(.append, frames.byteCount) { () throws(LogError) in
      try appender.append(frames, timeout: timeout)
    }
    return (0..<UInt64(appended.count)).map {
      MailboxPosition(segment: appended.segment, sequence: appended.firstSequence + $0)
    }
  }

  private func append(
    id: String, value: Span<UInt8>, valueType: UInt8, schemaVersion: UInt32, timeout: Duration?
  ) throws(LogError) -> MailboxPosition {
    let appended: MailboxAppender.Appended
    let limit = appender.context.options.recordByteCountMax
    if appender.context.options.metricsHandler == nil {
      appended = try appender.append(timeout: timeout) { frames throws(LogError) in
        try frames.add(id: id, value: value, valueType: valueType, schemaVersion: schemaVersion, byteCountMax: limit)
      }
    } else {
      let frames = FrameBuilder(isSealed: appender.context.options.isSealed)
      try frames.add(id: id, value: value, valueType: valueType, schemaVersion: schemaVersion, byteCountMax: limit)
      appended = try appender.context.measured(.append, frames.byteCount) { () throws(LogError) in
        try appender.append(frames, timeout: timeout)
      }
    }
    return MailboxPosition(segment: appended.segment, sequence: appended.firstSequence)
  }

  /// What was appended by this handle before the call survives a loss of power from here on.
  /// - Throws: ``LogError/system(call:errno:path:)``; the handle then throws ``LogError/failedEarlier``.
  public func synchronize() throws(LogError) {
    try appender.context.measured(.synchronize, 0) { () throws(LogError) in try appender.synchronize() }
  }

  /// Closes all files within 100 ms; calls throw ``LogError/suspended`` until `resume`. Safe at any time, from any thread.
  public func suspend() {
    appender.handle.suspend()
    appender.letGo()
  }

  /// Ends a suspension; the next append opens what it needs. - Throws: ``LogError/closed``, ``LogError/forkedHandle``.
  public func resume() throws(LogError) { try appender.handle.resume() }

  /// Closes all files. Idempotent; every later call but this throws ``LogError/closed``.
  public func close() {
    appender.handle.close()
    appender.letGo()
  }

  deinit { appender.handle.close() }
}
