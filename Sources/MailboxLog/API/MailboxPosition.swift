/// The random id of a segment file.
public struct MailboxSegmentID: Hashable, Sendable {
  /// The first eight bytes, big-endian.
  public let high: UInt64
  /// The last eight bytes, big-endian.
  public let low: UInt64
  /// An id from its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
/// Where an entry is: what acknowledging takes, because an id may come twice.
public struct MailboxPosition: Hashable, Sendable {
  /// Which segment.
  public let segment: MailboxSegmentID
  /// Which record of it, from 1 up.
  public let sequence: UInt64
  /// A position from its parts.
  public init(segment: MailboxSegmentID, sequence: UInt64) {
    self.segment = segment
    self.sequence = sequence
  }
}
/// What waits to be drained.
public struct MailboxBacklog: Sendable {
  /// Entries.
  public internal(set) var entryCount = 0
  /// Bytes of their records in the files.
  public internal(set) var byteCount: UInt64 = 0
  /// How long the oldest has waited, by the system's clock; nil when nothing waits.
  public internal(set) var oldestAge: Duration?
}

extension MailboxPosition {
  /// 24 bytes, big-endian, in the order of segment, then sequence.
  package var sortableBytes: [UInt8] {
    var bytes: [UInt8] = []
    for word in [segment.high, segment.low, sequence] {
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
    return bytes
  }
}
