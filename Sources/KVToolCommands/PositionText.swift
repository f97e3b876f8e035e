import MailboxLog
import StorageIO

/// Positions and ids of segments, for people and for JSON.
enum PositionText {
  /// 32 hex digits.
  static func text(_ segment: MailboxSegmentID) -> String {
    hexadecimal(segment.high) + hexadecimal(segment.low)
  }

  /// The first 8 digits of the segment's id and the sequence: enough to tell records of one mailbox apart.
  static func short(_ position: MailboxPosition) -> String {
    "\(hexadecimal(position.segment.high).prefix(8)):\(position.sequence)"
  }

  /// A range of a file.
  static func bytes(_ range: Range<UInt64>) -> String { "bytes \(range.lowerBound)..<\(range.upperBound)" }
}
