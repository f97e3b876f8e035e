package import Sealing
package import StorageIO

/// A dictionary in one append-only file, shared by any number of processes.
///
/// Reads take no lock of the file's and make no system call as long as nobody writes; a write takes the lock for one call and never
/// longer than that. What a call has written survives the death of the process; with ``LogDurability/powerLoss`` also a loss of power.
///
/// Keys are 1 to 1,024 bytes of UTF-8, compared byte by byte. Values say of which type they are, and are never read as another.
///
/// In Embedded Swift closures name their error: `try log.forEach { entry throws(LogError) in … }`. Elsewhere a plain
/// `{ entry in … }` does, and may throw errors of its own.
public final class KeyValueLog: Sendable {
  /// As it was given.
  public let path: String
  let handle: LogHandle

  /// Opens a log, and makes it unless told otherwise.
  ///
  /// - Parameters:
  ///   - path: `*.kvlog`; its directory is made if only that is missing.
  ///   - options: `key`, `durability` (here `.processCrash` by default), `access` and so on; see ``LogOptions``.
  /// - Throws: ``LogError/notFound(path:)``, ``LogError/notALog(path:)`` for another kind of file, ``LogError/unsupportedVersion(found:newest:)``,
  ///   ``LogError/wrongKey``, ``LogError/keyRequired``, ``LogError/keyNotExpected``, ``LogError/corrupted(offset:reason:)`` for a header
  ///   that doesn't pass its checksum. The file is as it was then.
  /// - Complexity: O(1) in keys and bytes.
  public convenience init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    try self.init(path: path, options: options, system: .live)
  }

  package convenience init(
    path: String, options: LogOptions, system: SystemCalls, nonceObserver: NonceObserver? = nil
  ) throws(LogError) {
    try options.checkKeys(of: .keyValueLog)
    let begin = options.metricsHandler == nil ? 0 : system.monotonicNanoseconds()
    self.init(path, try LogHandle(path: path, options: options, system: system, nonceObserver: nonceObserver))
    handle.context.tell(.open, since: begin, 0, succeeded: true)
  }

  // Alone in the class's table: a helper that doesn't open one is linked without what opening takes.
  private init(_ path: String, _ handle: LogHandle) {
    self.path = path
    self.handle = handle
  }

  deinit { handle.state.close() }

  /// Gives up the file within 100 ms: no lock and no mapping is left but what a running call has. Calls throw
  /// ``LogError/suspended`` until `resume`.
  public func suspend() {
    handle.state.suspend()
    handle.letGo()
  }

  /// Ends a suspension; the next call opens what it needs. - Throws: ``LogError/closed``, ``LogError/forkedHandle``.
  public func resume() throws(LogError) {
    try handle.state.resume()
    handle.wakers.wakeAll()
  }

  /// Closes the file. Idempotent; every later call but this throws ``LogError/closed``.
  public func close() {
    handle.state.close()
    handle.letGo()
    handle.wakers.wakeAll()
  }
}
