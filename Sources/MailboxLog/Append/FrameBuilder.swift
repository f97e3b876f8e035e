import RawMemory

/// Records on their way into a file: frames, one after the other, in private memory that is used again and again.
final class FrameBuilder {
  private(set) var buffer = ByteBuffer(count: firstByteCount)
  private(set) var byteCount = 0
  private(set) var recordCount: UInt32 = 0
  let isSealed: Bool

  private static let firstByteCount = 4096
  /// More than this isn't kept for the next record.
  private static let keptByteCountMax = 256 << 10

  /// - Parameter isSealed: whether each frame needs room for a tag.
  init(isSealed: Bool) { self.isSealed = isSealed }

  func reset() {
    byteCount = 0
    recordCount = 0
    if buffer.count > Self.keptByteCountMax { buffer = ByteBuffer(count: Self.firstByteCount) }
  }

  /// Adds a record. What depends on its place, its moment and its writer comes with `FrameSealer`.
  /// - Throws: `invalidKey`, `keyTooLarge`, `recordTooLarge`; nothing is added then.
  func add(
    id: String, value: Span<UInt8>, valueType: UInt8, schemaVersion: UInt32, byteCountMax: Int, kind: RecordKind = .entry
  ) throws(LogError) {
    let at = try beginRecord(kind, id: id, valueByteCount: value.count, valueType: valueType, byteCountMax: byteCountMax)
    buffer.store(schemaVersion, at: at - id.utf8.count - SegmentLayout.Frame.body + SegmentLayout.Frame.schemaVersion)
    buffer.copy(value, at: at)
  }

  /// Adds a record with room for a value, which the caller fills. - Returns: where the value begins.
  /// - Throws: as `add`.
  func beginRecord(
    _ kind: RecordKind, id: String, valueByteCount: Int, valueType: UInt8, byteCountMax: Int
  ) throws(LogError) -> Int {
    let idByteCount = id.utf8.count
    if idByteCount == 0 { throw .invalidKey }
    if idByteCount > SegmentLayout.idByteCountMax {
      throw .keyTooLarge(byteCount: idByteCount, limit: SegmentLayout.idByteCountMax)
    }
    let limit = min(byteCountMax, Self.recordByteCountLimit)
    if idByteCount + valueByteCount > limit { throw .recordTooLarge(byteCount: idByteCount + valueByteCount, limit: limit) }
    let at = beginRecord(kind, idByteCount: idByteCount, valueByteCount: valueByteCount, valueType: valueType)
    buffer.copy(id.utf8.span, at: at)
    return at + idByteCount
  }

  /// Adds a frame with room for an id and a value, which the caller fills. - Returns: where the id begins.
  func beginRecord(_ kind: RecordKind, idByteCount: Int, valueByteCount: Int, valueType: UInt8) -> Int {
    typealias Layout = SegmentLayout.Frame
    let tag = isSealed ? SegmentLayout.tagByteCount : 0
    let total = Int(RecordFrame.totalByteCount(body: UInt64(idByteCount + valueByteCount + tag)))
    reserve(total)
    let buffer = buffer
    let start = byteCount
    let end = start + Layout.body + idByteCount + valueByteCount
    buffer.zero(start..<start + Layout.body)
    buffer.zero(end..<start + total)
    buffer.store(UInt32(total), at: start + Layout.totalByteCount)
    buffer.store(kind.rawValue, at: start + Layout.kind)
    buffer.store(valueType, at: start + Layout.valueType)
    buffer.store(UInt32(idByteCount), at: start + Layout.idByteCount)
    buffer.store(UInt32(valueByteCount), at: start + Layout.valueByteCount)
    byteCount += total
    recordCount += 1
    return start + Layout.body
  }
  /// Frames have 32 bits of length.
  private static let recordByteCountLimit = 1 << 30

  private func reserve(_ more: Int) {
    if byteCount + more <= buffer.count { return }
    let larger = ByteBuffer(count: max(buffer.count * 2, (byteCount + more + 4095) & ~4095))
    larger.copy(from: buffer, 0..<byteCount, at: 0)
    buffer = larger
  }
}
