import RawMemory

extension String: LogValue {
  /// ``LogValueType/string``.
  public static var logValueType: LogValueType { .string }
  /// Bytes of UTF-8.
  public var logByteCount: Int { utf8.count }
  /// As UTF-8, unchanged: no normalization.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { output.append(copying: utf8.span) }
  /// What isn't UTF-8 becomes U+FFFD.
  public init?(logBytes: Span<UInt8>) { self = logBytes.decodedString() }
}

extension Array: LogValue where Element == UInt8 {
  /// ``LogValueType/bytes``.
  public static var logValueType: LogValueType { .bytes }
  /// The count.
  public var logByteCount: Int { count }
  /// The bytes themselves.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { output.append(copying: span) }
  /// Never nil.
  public init?(logBytes: Span<UInt8>) { self = logBytes.copied() }
}

extension Int: LogValue {
  /// ``LogValueType/int``.
  public static var logValueType: LogValueType { .int }
  /// 8.
  public var logByteCount: Int { 8 }
  /// Little-endian two's complement.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { Int64(self).appendLogBytes(to: &output) }
  /// nil unless there are 8 bytes and the number fits.
  public init?(logBytes: Span<UInt8>) {
    guard let value = Int64(logBytes: logBytes) else { return nil }
    self.init(exactly: value)
  }
}

extension Int64: LogValue {
  /// ``LogValueType/int``.
  public static var logValueType: LogValueType { .int }
  /// 8.
  public var logByteCount: Int { 8 }
  /// Little-endian two's complement.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { UInt64(bitPattern: self).appendLogBytes(to: &output) }
  /// nil unless there are 8 bytes.
  public init?(logBytes: Span<UInt8>) {
    guard let value = UInt64(logBytes: logBytes) else { return nil }
    self.init(bitPattern: value)
  }
}

extension UInt64: LogValue {
  /// ``LogValueType/uint``.
  public static var logValueType: LogValueType { .uint }
  /// 8.
  public var logByteCount: Int { 8 }
  /// Little-endian.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) {
    for i in 0..<8 { output.append(UInt8(truncatingIfNeeded: self >> (8 * UInt64(i)))) }
  }
  /// nil unless there are 8 bytes.
  public init?(logBytes: Span<UInt8>) {
    guard logBytes.count == 8 else { return nil }
    self = 0
    for i in logBytes.indices.reversed() { self = self << 8 | UInt64(logBytes[i]) }
  }
}

extension Double: LogValue {
  /// ``LogValueType/double``.
  public static var logValueType: LogValueType { .double }
  /// 8.
  public var logByteCount: Int { 8 }
  /// The bit pattern, little-endian: NaNs and signs of zero are kept.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { bitPattern.appendLogBytes(to: &output) }
  /// nil unless there are 8 bytes.
  public init?(logBytes: Span<UInt8>) {
    guard let bits = UInt64(logBytes: logBytes) else { return nil }
    self.init(bitPattern: bits)
  }
}

extension Bool: LogValue {
  /// ``LogValueType/bool``.
  public static var logValueType: LogValueType { .bool }
  /// 1.
  public var logByteCount: Int { 1 }
  /// 0 or 1.
  public func appendLogBytes(to output: inout OutputSpan<UInt8>) { output.append(self ? 1 : 0) }
  /// nil unless there is one byte, 0 or 1.
  public init?(logBytes: Span<UInt8>) {
    guard logBytes.count == 1, logBytes[0] <= 1 else { return nil }
    self = logBytes[0] == 1
  }
}
