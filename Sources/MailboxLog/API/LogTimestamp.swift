import StorageIO

/// An instant without Foundation, with the bits of a Foundation `Date`: seconds since 2001-01-01 UTC.
public struct LogTimestamp: Sendable, Hashable, Comparable {
  /// Seconds since 2001-01-01 00:00 UTC; negative before.
  public var secondsSinceReferenceDate: Double

  /// Keeps the bits of the number.
  public init(secondsSinceReferenceDate: Double) { self.secondsSinceReferenceDate = secondsSinceReferenceDate }

  /// The instant a number of milliseconds after 1970-01-01 00:00 UTC.
  public init(millisecondsSince1970: Int64) {
    secondsSinceReferenceDate = Double(millisecondsSince1970) / 1000 - 978_307_200
  }
  init(microsecondsSince1970: Int64) {
    secondsSinceReferenceDate = Double(microsecondsSince1970 - 978_307_200_000_000) / 1_000_000
  }

  /// Milliseconds since 1970-01-01 00:00 UTC, rounded down; the nearest end of `Int64` for what is beyond it, 0 for NaN.
  public var millisecondsSince1970: Int64 {
    // Without `rounded()`, which would need the C math library in an Embedded debug build.
    let milliseconds = (secondsSinceReferenceDate + 978_307_200) * 1000
    if milliseconds.isNaN { return 0 }
    if milliseconds >= 0x1p63 { return .max }
    if milliseconds <= -0x1p63 { return .min }
    let truncated = Int64(milliseconds)
    return Double(truncated) > milliseconds ? truncated - 1 : truncated
  }

  /// By the system's clock, in microseconds.
  public static var now: LogTimestamp { LogTimestamp(microsecondsSince1970: SystemCalls.live.realtimeMicroseconds()) }

  /// Whether `a` is earlier.
  public static func < (a: LogTimestamp, b: LogTimestamp) -> Bool { a.secondsSinceReferenceDate < b.secondsSinceReferenceDate }
}

extension LogTimestamp: LogValue {
  /// ``LogValueType/date``.
  public static var logValueType: LogValueType { .date }
  /// 8.
  public var logByteCount: Int { 8 }
  /// As the number of seconds.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { secondsSinceReferenceDate.appendLogBytes(to: &output) }
  /// nil unless there are 8 bytes.
  public init?(logBytes: Span<UInt8>) {
    guard let seconds = Double(logBytes: logBytes) else { return nil }
    self.init(secondsSinceReferenceDate: seconds)
  }
}
