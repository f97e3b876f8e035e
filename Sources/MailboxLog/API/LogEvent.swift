/// Something that an operator may want to know and that isn't an error of the call. Never carries keys or values.
public struct LogEvent: Sendable {
  /// What happened; the numbers never change their meaning.
  public enum Kind: UInt8, Sendable {
    case recovered, damageFound, compacted, rekeyed, segmentCreated, segmentRemoved, lockWaited, oldestDropped
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
