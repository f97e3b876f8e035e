import RawMemory

/// One key and its value during an iteration. Borrowed by the closure that receives it; can't be kept.
public struct LogEntry: ~Copyable {
  private let record: StoredRecord

  init(_ record: StoredRecord) { self.record = record }

  /// The key.
  public var key: String { record.key }
  /// What the value is stored as.
  public var type: LogValueType { LogValueType(rawValue: record.valueType) ?? .bytes }
  /// The number of the change that set it: each change of a log has a higher one than those before.
  public var sequence: UInt64 { record.sequence }
  /// When it expires; nil, never.
  public var expiresAt: LogTimestamp? { record.expiresAt == 0 ? nil : LogTimestamp(microsecondsSince1970: record.expiresAt) }
  /// Of the encoded value.
  public var byteCount: Int { record.valueRange.count }
  /// The encoded value, copied.
  public var bytes: [UInt8] { record.buffer.bytes(record.valueRange) }
  /// Lends the encoded value in place. - Complexity: O(1).
  public func withBytes<R>(_ body: (Span<UInt8>) throws(LogError) -> R) throws(LogError) -> R {
    try record.buffer.withSpan(record.valueRange, body)
  }
  /// The value. - Throws: ``LogError/typeMismatch(stored:requested:)``, ``LogError/corrupted(offset:reason:)``.
  public func value<V: LogValue>(_ type: V.Type) throws(LogError) -> V { try record.value(type) }
}
