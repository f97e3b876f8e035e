#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

public import MailboxLog

/// Bit-exact; the same as a `LogTimestamp`.
extension Date: LogValue {
  /// A date's.
  public static var logValueType: LogValueType { .date }
  /// 8.
  public var logByteCount: Int { 8 }
  /// Appends the seconds since the reference date.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { LogTimestamp(self).appendLogBytes(to: &output) }
  /// nil when the bytes aren't a date's.
  public init?(logBytes: Span<UInt8>) {
    guard let timestamp = LogTimestamp(logBytes: logBytes) else { return nil }
    self.init(timestamp)
  }
  /// The same moment.
  public init(_ timestamp: LogTimestamp) { self.init(timeIntervalSinceReferenceDate: timestamp.secondsSinceReferenceDate) }
}
extension LogTimestamp {
  /// The same moment.
  public init(_ date: Date) { self.init(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate) }
}
extension Data: LogValue {
  /// Bytes'.
  public static var logValueType: LogValueType { .bytes }
  /// As many as there are.
  public var logByteCount: Int { count }
  /// Appends the bytes.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { for byte in self { output.append(byte) } }
  /// Any bytes are data.
  public init?(logBytes: Span<UInt8>) {
    self.init()
    reserveCapacity(logBytes.count)
    for index in logBytes.indices { append(logBytes[index]) }
  }
}
