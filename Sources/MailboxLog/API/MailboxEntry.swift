import RawMemory

/// One entry of a mailbox. Borrowed by the closure that receives it; can't be kept.
///
/// An entry has either a payload or fields. An absent field is ``LogError/missingField(name:)``, one of another type
/// ``LogError/typeMismatch(stored:requested:)``.
public struct MailboxEntry: ~Copyable {
  let buffer: ByteBuffer
  let idRange: Range<Int>
  let valueRange: Range<Int>
  let fileOffset: UInt64

  /// What acknowledging this entry takes.
  public let position: MailboxPosition
  /// When it was appended, by the writer's clock; never before the entry ahead of it in the same segment. In steps of 64 us.
  public let appendedAt: LogTimestamp
  /// What the writer passed; 0 when it passed none.
  public let schemaVersion: UInt32
  /// Whether it has fields in place of a payload.
  public let hasFields: Bool
  /// Why it can't be opened; its id and value are empty then.
  package let openingFailure: LogError?

  init(
    buffer: ByteBuffer, id: Range<Int>, value: Range<Int>, position: MailboxPosition, appendedAt: LogTimestamp,
    schemaVersion: UInt32, hasFields: Bool, fileOffset: UInt64, openingFailure: LogError? = nil
  ) {
    self.buffer = buffer
    idRange = id
    valueRange = value
    self.position = position
    self.fileOffset = fileOffset
    self.appendedAt = appendedAt
    self.schemaVersion = schemaVersion
    self.hasFields = hasFields
    self.openingFailure = openingFailure
  }

  init(
    buffer: ByteBuffer, id: Range<Int>, value: Range<Int>, frame: RecordFrame, position: MailboxPosition, fileOffset: UInt64
  ) {
    self.init(
      buffer: buffer, id: id, value: value, position: position,
      appendedAt: LogTimestamp(microsecondsSince1970: frame.appendedAt), schemaVersion: frame.schemaVersion,
      hasFields: frame.valueType == SegmentLayout.valueTypeFields, fileOffset: fileOffset)
  }

  init(unreadable frame: RecordFrame, _ position: MailboxPosition, _ failure: LogError) {
    self.init(
      buffer: ByteBuffer(count: 1), id: 0..<0, value: 0..<0, position: position,
      appendedAt: LogTimestamp(microsecondsSince1970: frame.appendedAt), schemaVersion: frame.schemaVersion,
      hasFields: frame.valueType == SegmentLayout.valueTypeFields, fileOffset: 0, openingFailure: failure)
  }

  /// An entry made anew from kept parts: of the quarantine, or by an upcaster.
  package init(
    id: [UInt8], encodedValue: [UInt8], hasFields: Bool, schemaVersion: UInt32, position: MailboxPosition, appendedAt: LogTimestamp
  ) {
    let buffer = ByteBuffer(count: max(1, id.count + encodedValue.count))
    buffer.copy(id.span, at: 0)
    buffer.copy(encodedValue.span, at: id.count)
    self.init(
      buffer: buffer, id: 0..<id.count, value: id.count..<id.count + encodedValue.count, position: position,
      appendedAt: appendedAt, schemaVersion: schemaVersion, hasFields: hasFields, fileOffset: 0)
  }

  /// What the writer called it. Several entries may have one id.
  public var id: String { buffer.withSpan(idRange) { $0.decodedString() } }

  /// The payload, copied; empty for an entry of fields.
  public var payload: [UInt8] { hasFields ? [] : encodedValue }

  /// Lends the payload in place, without a copy; an entry of fields has an empty one. - Throws: what `body` throws.
  public func withPayloadSpan<R>(_ body: (Span<UInt8>) throws(LogError) -> R) throws(LogError) -> R {
    try buffer.withSpan(hasFields ? 0..<0 : valueRange, body)
  }

  /// The value's bytes as stored: the payload, or the encoded fields.
  package var encodedValue: [UInt8] { buffer.bytes(valueRange) }
  package var idBytes: [UInt8] { buffer.bytes(idRange) }
  /// Bytes of id and value.
  package var byteCount: Int { idRange.count + valueRange.count }

  func hasID(_ id: String) -> Bool { buffer.withSpan(idRange) { $0.equals(id) } }
}
