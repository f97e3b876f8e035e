/// The type that a record says its value has. Values are self-describing, so tools can print them.
public enum LogValueType: UInt8, Sendable { case bytes, string, int, uint, double, bool, date }

/// What can be a value: String, Int, Int64, UInt64, Double, Bool, [UInt8], LogTimestamp; Date and Data in the Anteroom module.
///
/// A type of one's own may conform: it chooses one of the seven types and that type's encoding.
public protocol LogValue {
  /// Which of the seven types it is stored as.
  static var logValueType: LogValueType { get }
  /// Bytes that `appendLogBytes(to:)` will append, exactly.
  var logByteCount: Int { get }
  /// Appends the encoding: `logByteCount` bytes.
  func appendLogBytes(to output: inout OutputSpan<UInt8>)
  /// nil when the bytes aren't such a value: the caller throws `corrupted`.
  init?(logBytes: Span<UInt8>)
}
