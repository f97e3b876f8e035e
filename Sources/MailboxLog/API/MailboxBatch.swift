/// Entries that arrive together or not at all, in one segment and in this order.
///
/// What is wrong with an entry, its id empty for instance, the whole append throws.
public struct MailboxBatch {
  let frames: FrameBuilder
  private(set) var fault: LogError?
  private let byteCountMax: Int

  init(_ options: LogOptions) {
    frames = FrameBuilder(isSealed: options.isSealed)
    byteCountMax = options.recordByteCountMax
  }

  /// Adds an entry with a payload.
  public mutating func append(id: String, payload: [UInt8]) { append(id: id, payload: payload.span) }

  /// Adds an entry with a payload.
  public mutating func append(id: String, payload: Span<UInt8>) {
    add(id: id, value: payload, valueType: LogValueType.bytes.rawValue, schemaVersion: 0)
  }

  /// Adds an entry of fields.
  public mutating func append(id: String, schemaVersion: UInt32 = 0, fields: (inout MailboxFields) -> Void) {
    var builder = MailboxFields()
    fields(&builder)
    if fault == nil { fault = builder.fault }
    add(id: id, value: builder.encodedValue.span, valueType: SegmentLayout.valueTypeFields, schemaVersion: schemaVersion)
  }

  private mutating func add(id: String, value: Span<UInt8>, valueType: UInt8, schemaVersion: UInt32) {
    guard fault == nil else { return }
    do throws(LogError) {
      try frames.add(id: id, value: value, valueType: valueType, schemaVersion: schemaVersion, byteCountMax: byteCountMax)
    } catch { fault = error }
  }
}
