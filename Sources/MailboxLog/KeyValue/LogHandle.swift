import RawMemory
import Sealing
import StorageIO

/// What is behind `KeyValueLog`: one file, whichever is under the path, and the locks in front of it.
///
/// A read takes the handle's lock, which threads of one process share, and none of the file's. A write takes both, for one call.
final class LogHandle: @unchecked Sendable {
  let path: String
  let name: String
  let state = HandleState()
  let lock = HandleLock()
  let writer: WriterID
  let isDurable: Bool
  let system: SystemCalls
  let directory: String
  let wakers: Wakers
  /// Whether somebody wants to know of each call: without, none is timed.
  let isMetered: Bool
  // Guarded by `lock`.
  var context: LogContext
  var log: OpenLog? { didSet { lent = Lent(log) } }
  /// The same, for a call that holds the lock and lets nobody change it meanwhile: a get counts no reference to it.
  private(set) var lent = Lent<OpenLog>(nil)
  private var reusedAddition: LogAddition?
  var counter: UInt64 = 0
  var lockWaitMax: UInt64 = 0
  var lockHoldMax: UInt64 = 0
  /// Monotonic nanoseconds.
  var lockTakenAt: UInt64 = 0
  /// How long the last write waited for the file's lock.
  var lastWait: UInt64 = 0
  /// A compaction that failed isn't tried again before the file has grown to this.
  var compactsFrom: UInt64 = 0

  init(path: String, options: LogOptions, system: SystemCalls, nonceObserver: NonceObserver?) throws(LogError) {
    self.path = path
    let parts = PathParts(path)
    name = parts.name
    if name.utf8.isEmpty { throw .notALog(path: path) }
    context = try LogContext.open(system, parts.directory, options, nonceObserver)
    isDurable = options.durability ?? .processCrash == .powerLoss
    (self.system, directory) = (system, context.directory.path)
    wakers = Wakers(state, system)
    isMetered = options.metricsHandler != nil
    let opened = context
    writer = try at(path) { () throws(SystemError) in try opened.drawWriterID() }
    log = try open()
    lent = Lent(log)
    if options.recovery == .fail { try log?.catchUp() }
  }

  var isReadOnly: Bool { context.options.access == .readOnly }

  /// The file under the path; made if there is none and that is asked for.
  func open() throws(LogError) -> OpenLog {
    for _ in 0..<100 {
      switch try SegmentOpening.open(path, SegmentNumber(0), .keyValueLog, context, isReadOnly ? .inspect : .append) {
      case .segment(let segment):
        if segment.header.isReadOnlyHere, !isReadOnly { throw .readOnly }
        return try OpenLog(segment, context, writer: writer)
      case .vanished:
        guard context.options.createIfMissing, !isReadOnly else { throw .notFound(path: path) }
        if let segment = try context.makeFile(name, SegmentNumber(0), .keyValueLog, isSynced: isDurable) {
          segment.file.unlock()
          return try OpenLog(segment, context, writer: writer)
        }
      case .blank(let file):
        // Its first bytes never became durable: it promises nothing.
        guard context.options.createIfMissing, !isReadOnly else { throw .notALog(path: path) }
        try replaceBlank(file)
      case .removed: throw .corrupted(offset: SegmentLayout.Word.state.offset, reason: "marked as removed, which no log is")
      case .damaged(let reason, _, _):
        for foreign in [SegmentOpening.notOurs, SegmentOpening.notAFile] where reason.utf8.elementsEqual(foreign.utf8) {
          throw .notALog(path: path)
        }
        throw .corrupted(offset: 0, reason: reason)
      }
    }
    throw .busy(waited: .milliseconds(10))
  }

  private func replaceBlank(_ file: StorageFile) throws(LogError) {
    let (context, name) = (context, name)
    try at(path) { () throws(SystemError) in
      // Who makes the file has it locked until it is whole.
      guard try file.tryLock() else { return context.system.sleep(nanoseconds: 100_000) }
      defer { file.unlock() }
      try context.directory.remove(name)
    }
  }

  /// The open file, which is the one under the path.
  func current() throws(LogError) -> OpenLog {
    if let log {
      if try log.isCurrent() { return log }
      self.log = nil
    }
    let opened: OpenLog
    do throws(LogError) { opened = try open() } catch {
      switch error {
      // It was this handle's key before.
      case .wrongKey, .keyRequired, .keyNotExpected: throw .keyChanged
      default: throw error
      }
    }
    log = opened
    return opened
  }

  // MARK: Reading

  /// Lends the log as it is now.
  @inline(__always)
  func reading<R>(_ body: (OpenLog) throws(LogError) -> R) throws(LogError) -> R {
    try state.check()
    try acquire()
    defer { release() }
    if !state.isUsable { try state.check() }
    let log = if let log, log.isUnchanged { log } else { try changed() }
    return try body(log)
  }

  /// The current file, after it changed.
  func changed() throws(LogError) -> OpenLog {
    let log = try current()
    try log.catchUp()
    return log
  }

  @inline(__always)
  func acquire() throws(LogError) {
    if lock.tryAcquire() { return }
    try waitForOthers()
  }
  private func waitForOthers() throws(LogError) {
    let timeout = context.options.lockTimeout
    guard lock.acquire(until: context.deadline(timeout), context.system) else { throw .busy(waited: timeout) }
  }
  @inline(__always) func release() {
    // A suspension or a close that came meanwhile couldn't let go of what this call was using.
    if !state.isUsable { log = nil }
    lock.release()
  }

  // MARK: Ends

  /// Gives up the file within 100 ms; a call that is still running does so when it ends.
  func letGo() {
    if state.isForked { return }
    guard lock.acquire(until: Deadline(after: .milliseconds(100), context.system), context.system) else { return }
    log = nil
    lock.release()
  }

  /// An empty addition, for one write.
  func addition(isSealed: Bool) -> LogAddition {
    if let reusedAddition, reusedAddition.frames.isSealed == isSealed {
      reusedAddition.reset()
      return reusedAddition
    }
    let new = LogAddition(isSealed: isSealed)
    reusedAddition = new
    return new
  }
}
