import RawMemory

/// A record of a log in memory, opened: in the mapping where the file is plain, else in private memory.
///
/// Its lengths were compared with each other and with the memory when this was made, and are kept: what a file says later moves nothing.
struct StoredRecord {
  typealias Layout = SegmentLayout.Frame
  let buffer: ByteBuffer
  /// Where in `buffer` the frame begins.
  let start: Int
  let offset: UInt64
  private let keyBytes: UInt32
  private let valueByteCount: UInt32
  private let kindByte: UInt8
  private let hasTag: Bool

  /// nil when the lengths don't fit each other or the memory, or the kind is none of a log's.
  @inline(__always) init?(_ buffer: ByteBuffer, at start: Int, fileOffset: UInt64, isSealed: Bool) {
    guard buffer.count - start >= Layout.body else { return nil }
    kindByte = buffer.load(UInt8.self, at: start + Layout.kind)
    guard kindByte >= RecordKind.set.rawValue, kindByte <= RecordKind.index.rawValue else { return nil }
    keyBytes = buffer.load(UInt32.self, at: start + Layout.idByteCount)
    valueByteCount = buffer.load(UInt32.self, at: start + Layout.valueByteCount)
    hasTag = isSealed
    let body = UInt64(keyBytes) + UInt64(valueByteCount) + UInt64(isSealed ? SegmentLayout.tagByteCount : 0)
    let total = RecordFrame.totalByteCount(body: body)
    guard UInt64(buffer.load(UInt32.self, at: start + Layout.totalByteCount)) == total, UInt64(buffer.count - start) >= total else {
      return nil
    }
    self.buffer = buffer
    self.start = start
    offset = fileOffset
  }

  var kind: RecordKind { RecordKind(rawValue: kindByte) ?? .entry }
  var keyByteCount: Int { Int(keyBytes) }
  /// Whether it gives its key a value.
  var isSet: Bool { kindByte == RecordKind.set.rawValue }

  var keyRange: Range<Int> { start + Layout.body..<start + Layout.body + keyByteCount }
  var valueRange: Range<Int> {
    let value = start + Layout.body + keyByteCount
    return value..<value + Int(valueByteCount)
  }
  /// Of both, without a tag.
  var bodyByteCount: Int { keyByteCount + Int(valueByteCount) }
  var totalByteCount: Int {
    Int(RecordFrame.totalByteCount(body: UInt64(bodyByteCount + (hasTag ? SegmentLayout.tagByteCount : 0))))
  }
  var valueType: UInt8 { buffer.load(UInt8.self, at: start + Layout.valueType) }
  var sequence: UInt64 { buffer.load(UInt64.self, at: start + Layout.sequence) }
  var counter: UInt64 { buffer.load(UInt64.self, at: start + Layout.counter) }
  var writer: WriterID { WriterID(buffer, at: start + Layout.writerID) }
  /// Microseconds since 1970; 0, never.
  var expiresAt: Int64 { buffer.load(Int64.self, at: start + Layout.expiresAt) }
  /// The offset behind the record.
  var end: UInt64 { offset + UInt64(totalByteCount) }

  @inline(__always) func hasKey(_ key: Span<UInt8>) -> Bool {
    key.count == keyByteCount && buffer.equals(keyRange, key)
  }
  var key: String { buffer.withSpan(keyRange) { $0.decodedString() } }

  /// The same moment in every process: by the clock alone.
  func isExpired(at now: Int64) -> Bool { expiresAt != 0 && expiresAt <= now }

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
}
