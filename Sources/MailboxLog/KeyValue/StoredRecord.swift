import RawMemory

/// A record of a log in memory, opened: in the mapping where the file is plain, else in private memory.
struct StoredRecord {
  let kind: RecordKind
  let offset: UInt64
  let totalByteCount: Int
  let buffer: ByteBuffer
  let keyRange: Range<Int>
  let valueRange: Range<Int>
  let valueType: UInt8
  let sequence: UInt64
  /// Microseconds since 1970; 0, never.
  let expiresAt: Int64

  func hasKey(_ key: Span<UInt8>) -> Bool {
    key.count == keyRange.count && buffer.withSpan(keyRange) { $0.equals(key) }
  }
  var key: String { buffer.withSpan(keyRange) { $0.decodedString() } }

  /// The type that the record says its value has.
  func type() throws(LogError) -> LogValueType {
    guard let type = LogValueType(rawValue: valueType) else {
      throw .corrupted(offset: offset, reason: "a value of a type that this build doesn't know")
    }
    return type
  }

  func value<V: LogValue>(_ requested: V.Type) throws(LogError) -> V {
    let stored = try type()
    guard stored == V.logValueType else { throw .typeMismatch(stored: stored, requested: V.logValueType) }
    guard let value = buffer.withSpan(valueRange, { V(logBytes: $0) }) else {
      throw .corrupted(offset: offset, reason: "the bytes aren't a value of the type that the record says")
    }
    return value
  }

  /// The offset behind the record.
  var end: UInt64 { offset + UInt64(totalByteCount) }
}
