/// A picture of one log at one moment.
public struct LogStatistics: Sendable {
  /// Bytes of the file that hold something, headers included.
  public internal(set) var fileByteCount: UInt64 = 0
  /// Bytes of the records that are live.
  public internal(set) var liveByteCount: UInt64 = 0
  /// Records in the file, dead ones and indexes included.
  public internal(set) var recordCount: UInt64 = 0
  /// Keys that have a value.
  public internal(set) var keyCount = 0
  /// The number of the last change.
  public internal(set) var lastSequence: UInt64 = 0
  /// The longest that a write of this handle waited for the file's lock.
  public internal(set) var lockWaitMax: Duration = .zero
  /// The longest that a write of this handle held it.
  public internal(set) var lockHoldMax: Duration = .zero
}
