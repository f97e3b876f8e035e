/// Something that an operator may want to know and that isn't an error of the call. Never carries keys or values.
public struct LogEvent: Sendable {
  /// What happened; the numbers never change their meaning.
  public enum Kind: UInt8, Sendable {
    /// Something was put right, and nothing that was promised is lost.
    case recovered
    /// Bytes that can't be read.
    case damageFound
    /// A log was rewritten with what is live.
    case compacted
    /// A log was rewritten under another key.
    case rekeyed
    /// A segment was made.
    case segmentCreated
    /// A segment of which nothing waits any more is gone.
    case segmentRemoved
    /// A lock was waited for.
    case lockWaited
    /// Entries were dropped for room.
    case oldestDropped
  }
  /// What happened.
  public let kind: Kind
  /// One sentence for people, with the file's name.
  public let message: String
}

/// One finished operation, for counters and histograms.
public struct LogMetric: Sendable {
  /// Which operation.
  public enum Operation: UInt8, Sendable { case open, append, read, drain, acknowledge, synchronize, compact }
  /// Which operation.
  public let operation: Operation
  /// From the call to its return.
  public let duration: Duration
  /// Of the duration, the wait for locks.
  public let lockWait: Duration
  /// Bytes of records written or read; 0 where none are.
  public let byteCount: Int
  /// Whether it returned without an error.
  public let succeeded: Bool
}
