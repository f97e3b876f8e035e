public import MailboxLog

extension KeyValueLog {
  /// Keys that are set or removed by any process after this call, each within 1 s, none missed. Several changes of a key may come as one.
  ///
  /// Ends when the log is closed or the task is cancelled. Idle, it costs no processor time; a writer pays one more system call for the
  /// write that wakes, and none while nobody listens. With `.readOnly` access the log is looked at twice a second instead. A key that expires changes
  /// without anybody writing it, and isn't told.
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

/// The changes of a log, from the call of ``MailboxLog/KeyValueLog/changes()`` on. Throws when the log can't be read any more.
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
      let changes = try log.listen(since: since)
      for change in changes.reversed() {
        waiting.append(LogChange(key: change.key, isRemoval: change.isRemoval, sequence: change.sequence))
        seen = Swift.max(seen ?? 0, change.sequence)
      }
    }
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(log, start) }
}
