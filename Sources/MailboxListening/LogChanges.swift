public import MailboxLog

extension KeyValueLog {
  /// Keys that are set or removed by any process after this call, each within 1 s, none missed. Several changes of a key may come as one, and
  /// those that one look has found come in the order of their numbers, except that keys which `removeAll` has removed come first.
  ///
  /// Ends when the log is closed or the task is cancelled; while it is suspended nothing is told, and after ten seconds of that a removal may be
  /// missed. Idle, it costs no processor time; a writer pays one more system call for the write that wakes, and none while nobody listens. With
  /// `.readOnly` access the log is looked at twice a second instead. Not told are keys that expire, which nobody writes, and those that
  /// ``LogOverflowPolicy/dropOldest`` drops or a restored backup lacks; every key that a backup has is told when it is restored.
  public func changes() -> LogChanges { LogChanges(log: self, start: try? lastChange()) }
}

/// A key that was set or removed.
public struct LogChange: Sendable {
  /// Which.
  public let key: String
  /// Whether it has no value any more.
  public let isRemoval: Bool
  /// The number of the change: higher than those of all before.
  public let sequence: UInt64
}

/// The changes of a log, from the call of `changes()` on. Throws when the log can't be read any more.
public struct LogChanges: AsyncSequence, Sendable {
  let log: KeyValueLog
  let start: UInt64?

  /// Waits for one change after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let log: KeyValueLog
    private let signal: ArrivalSignal
    private var wakes: AsyncStream<Void>.AsyncIterator
    private var seen: UInt64?
    private var waiting: [LogChange] = []

    init(_ log: KeyValueLog, _ start: UInt64?) {
      self.log = log
      seen = start
      signal = ArrivalSignal(watching: log)
      wakes = signal.changes.makeAsyncIterator()
    }

    /// The next change; nil at the end.
    public mutating func next() async throws(LogError) -> LogChange? { try await next(isolation: nil) }

    /// The next change; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(LogError) -> LogChange? {
      while !log.isClosed, !Task.isCancelled {
        if let change = waiting.popLast() { return change }
        do throws(LogError) { try look() } catch {
          switch error {
          // While it is suspended the next wake is waited for.
          case .suspended: break
          case .closed: return nil
          default: throw error
          }
        }
        if waiting.isEmpty, await wakes.next(isolation: actor) == nil { return nil }
      }
      return nil
    }

    private mutating func look() throws(LogError) {
      guard let since = seen else {
        seen = try log.lastChange()
        return
      }
      let found = try log.listen(since: since)
      waiting = found.changes.reversed().map { LogChange(key: $0.key, isRemoval: $0.isRemoval, sequence: $0.sequence) }
      seen = found.last
    }
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(log, start) }
}
