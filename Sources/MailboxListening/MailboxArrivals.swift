public import MailboxLog

extension MailboxReader {
  /// Yields at once if something is pending, then within 1 s of an append by any process. Ends when the reader is closed or the task
  /// is cancelled.
  ///
  /// One element stands for any number of appends. Idle, it costs no processor time; a writer pays one more system call for the
  /// append that wakes. With `.readOnly` access, the mailbox is looked at twice a second instead.
  public func arrivals() -> MailboxArrivals { MailboxArrivals(reader: self) }
}

/// Moments at which something new is in a mailbox.
public struct MailboxArrivals: AsyncSequence, Sendable {
  let reader: MailboxReader

  /// Waits for one moment after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let reader: MailboxReader
    private let signal: ArrivalSignal
    private var changes: AsyncStream<Void>.AsyncIterator
    private var seen: [MailboxReader.ListenedEnd]?

    init(_ reader: MailboxReader) {
      self.reader = reader
      signal = ArrivalSignal(watching: reader)
      changes = signal.changes.makeAsyncIterator()
    }

    /// The next moment; nil at the end.
    public mutating func next() async -> Void? { await next(isolation: nil) }

    /// The next moment; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Void? {
      while !reader.isClosed, !Task.isCancelled {
        // While it is suspended, and when the directory can't be read, the next change is waited for.
        if let ends = try? reader.listen() {
          let isNew = ends.contains { end in
            guard end.isPending else { return false }
            guard let seen else { return true }
            return !seen.contains { $0.segment == end.segment && $0.committedEnd >= end.committedEnd }
          }
          seen = ends
          if isNew { return () }
        }
        guard await changes.next(isolation: actor) != nil else { return nil }
      }
      return nil
    }
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
}
