import RawMemory
import Sealing
import StorageIO

/// What a handle works with: the kernel, the directory, the options.
struct LogContext: Sendable {
  let system: SystemCalls
  let directory: StorageDirectory
  var options: LogOptions
  let nonceObserver: NonceObserver?
  /// Whether the file system keeps blocks in place, so that stores through a mapping can't run out of space.
  let mapsFiles: Bool
  /// As it was at opening; a boot later than this one has no such process.
  let bootIdentity: UInt64
  /// Of a writer's open, where the mailbox has a public key.
  var agreement: WriterAgreement?

  func report(_ kind: LogEvent.Kind, _ message: @autoclosure () -> String) {
    if let handler = options.logHandler { handler(LogEvent(kind: kind, message: message())) }
  }

  /// Calls the metrics handler with how long `body` took; without one it costs nothing.
  func measured<R>(
    _ operation: LogMetric.Operation, _ byteCount: Int, lockWait: Duration = .zero, _ body: () throws(LogError) -> R
  ) throws(LogError) -> R {
    guard options.metricsHandler != nil else { return try body() }
    let begin = system.monotonicNanoseconds()
    do {
      let result = try body()
      tell(operation, since: begin, byteCount, lockWait: lockWait, succeeded: true)
      return result
    } catch {
      tell(operation, since: begin, byteCount, lockWait: lockWait, succeeded: false)
      throw error
    }
  }

  /// - Parameter begin: monotonic nanoseconds at the call.
  func tell(_ operation: LogMetric.Operation, since begin: UInt64, _ byteCount: Int, lockWait: Duration = .zero, succeeded: Bool) {
    guard let handler = options.metricsHandler else { return }
    handler(
      LogMetric(
        operation: operation, duration: .nanoseconds(Int64(system.monotonicNanoseconds() - begin)), lockWait: lockWait,
        byteCount: byteCount, succeeded: succeeded))
  }

  /// What each record of one open of a writer carries: drawn anew at each, so that no counter is used twice under it.
  func drawWriterID() throws(SystemError) -> WriterID {
    if let agreement { return agreement.writer }
    let random = ByteBuffer(count: 16)
    try system.fillRandom(random, 0..<16)
    return WriterID(random.load(UInt64.self, at: 0), random.load(UInt64.self, at: 8))
  }

  /// The deadline of a call, from its own timeout.
  func deadline(_ timeout: Duration?) -> Deadline {
    if let timeout { Deadline(after: timeout, system) } else { .never }
  }
}

extension LogError {
  /// What a failed system call means to the caller.
  init(_ error: SystemError, path: String) {
    if error.isProtectedData {
      self = .protectedData
      return
    }
    switch error.code {
    case ErrorNumber.noSpace, ErrorNumber.quota, ErrorNumber.fileTooBig: self = .noSpace
    case ErrorNumber.readOnlyFileSystem: self = .readOnly
    case ErrorNumber.notFound where error.call != .link && error.call != .unlink:
      self = .notFound(path: path)
    case ErrorNumber.tryAgain where error.call == .lock: self = .busy(waited: .zero)
    case ErrorNumber.notADirectory: self = .notALog(path: path)
    default: self = .system(call: error.call.name, errno: error.code, path: path)
    }
  }
}

/// Runs calls of the system and names the path in their errors.
@inline(__always)
func at<R>(_ path: @autoclosure () -> String, _ body: () throws(SystemError) -> R) throws(LogError) -> R {
  do throws(SystemError) { return try body() } catch { throw LogError(error, path: path()) }
}

extension LogContext {
  /// Finds or makes the directory of a mailbox.
  /// - Throws: `notFound`, a refusal of network file systems (neither locks nor mappings are shared between machines), or a system
  ///   call's error. That a file has the name is found by listing it: `notALog`.
  static func open(
    _ system: SystemCalls, _ path: String, _ options: LogOptions, _ nonceObserver: NonceObserver?
  ) throws(LogError) -> LogContext {
    // The file system is asked once the directory is there.
    let isShared = options.permissions == .group
    let directory = StorageDirectory(
      system, path: path, fileMode: isShared ? 0o660 : 0o600, directoryMode: isShared ? 0o2770 : 0o700, forcesModes: isShared,
      protection: FileProtection(options))
    var kind = FileSystemKind.mayAllocateAgain
    var result = system.fileSystem(path, &kind)
    if result == -Int(ErrorNumber.notFound) {
      guard options.createIfMissing, options.access == .readWrite else { throw .notFound(path: path) }
      try at(path) { () throws(SystemError) in _ = try directory.make() }
      result = system.fileSystem(path, &kind)
    }
    if result < 0 { throw LogError(SystemError(.fileSystem, Int32(-result)), path: path) }
    if kind == .network { throw .system(call: "statfs", errno: ErrorNumber.notSupported, path: path) }
    return LogContext(
      system: system, directory: directory, options: options, nonceObserver: nonceObserver,
      // A page that is touched while the device is locked would end the process.
      mapsFiles: kind == .overwritesInPlace && options.fileProtection != .complete,
      bootIdentity: system.bootIdentity())
  }
}
