import RawMemory
import StorageIO

/// The header of a record, parsed from a buffer that may hold anything.
struct RecordFrame {
  typealias Layout = SegmentLayout.Frame

  let kind: RecordKind
  let totalByteCount: Int
  let bodyChecksum: UInt32
  let schemaVersion: UInt32
  let sequence: UInt64
  let valueType: UInt8
  let idByteCount: Int
  let valueByteCount: Int
  let batchPosition: UInt32
  let batchCount: UInt32
  let writer: WriterID
  let counter: UInt64
  let appendedAt: Int64
  /// Microseconds since 1970; 0, never.
  let expiresAt: Int64
  let mark: UInt64

  /// nil unless the header's checksum fits this offset of this file, and its numbers fit each other and `byteCountMax`.
  ///
  /// Cheap to refuse: the numbers are looked at before anything is summed, so a search tries every eighth byte.
  init?(_ buffer: ByteBuffer, at start: Int, fileOffset: UInt64, byteCountMax: UInt64, isSealed: Bool, coding: FrameChecksum) {
    let total = buffer.load(UInt32.self, at: start + Layout.totalByteCount)
    let idByteCount = buffer.load(UInt32.self, at: start + Layout.idByteCount)
    let valueByteCount = buffer.load(UInt32.self, at: start + Layout.valueByteCount)
    let tag = isSealed ? SegmentLayout.tagByteCount : 0
    guard total != 0, UInt64(total) <= byteCountMax,
      let kind = RecordKind(rawValue: buffer.load(UInt8.self, at: start + Layout.kind)),
      UInt64(total) == Self.totalByteCount(body: UInt64(idByteCount) + UInt64(valueByteCount) + UInt64(tag)),
      buffer.load(UInt32.self, at: start + Layout.headerChecksum)
        == coding.headerChecksum(buffer, at: start, fileOffset: fileOffset)
    else { return nil }
    self.kind = kind
    self.totalByteCount = Int(total)
    self.idByteCount = Int(idByteCount)
    self.valueByteCount = Int(valueByteCount)
    bodyChecksum = buffer.load(UInt32.self, at: start + Layout.bodyChecksum)
    schemaVersion = buffer.load(UInt32.self, at: start + Layout.schemaVersion)
    sequence = buffer.load(UInt64.self, at: start + Layout.sequence)
    valueType = buffer.load(UInt8.self, at: start + Layout.valueType)
    batchPosition = buffer.load(UInt32.self, at: start + Layout.batchPosition)
    batchCount = buffer.load(UInt32.self, at: start + Layout.batchCount)
    writer = WriterID(buffer, at: start + Layout.writerID)
    counter = buffer.load(UInt64.self, at: start + Layout.counter)
    appendedAt = buffer.load(Int64.self, at: start + Layout.appendedAt)
    expiresAt = buffer.load(Int64.self, at: start + Layout.expiresAt)
    mark = buffer.load(UInt64.self, at: start + Layout.acknowledged)
    guard coding.kinds.contains(kind.rawValue), batchPosition < batchCount,
      valueType <= SegmentLayout.valueTypeFields, sequence != 0, sequence <= WordCoding.valueMax, appendedAt >= 0,
      appendedAt <= Int64(WordCoding.valueMax << 6)
    else { return nil }
  }

  /// Of a frame whose id, value and tag have `body` bytes.
  static func totalByteCount(body: UInt64) -> UInt64 { (UInt64(Layout.body) + body + 7) & ~7 }
}

/// The checksums of one file's frames.
struct FrameChecksum {
  private let seed: UInt32
  /// Of the records that this file may have.
  let kinds: ClosedRange<UInt8>

  init(identifier: MailboxSegmentID, kind: LogFileKind = .mailboxSegment) {
    kinds = kind.recordKinds
    seed = Checksum.crc32(of: identifier.low, seed: Checksum.crc32(of: identifier.high, seed: 0x414E_5445))
  }

  func headerChecksum(_ buffer: ByteBuffer, at start: Int, fileOffset: UInt64) -> UInt32 {
    blockChecksum(
      buffer, start + SegmentLayout.Frame.totalByteCount..<start + SegmentLayout.Frame.checkedEnd, fileOffset: fileOffset)
  }
  /// Of bytes that stand at an offset of this file and nowhere else.
  func blockChecksum(_ buffer: ByteBuffer, _ range: Range<Int>, fileOffset: UInt64) -> UInt32 {
    Checksum.crc32(buffer, range, seed: Checksum.crc32(of: fileOffset, seed: seed))
  }
  func bodyChecksum(_ buffer: ByteBuffer, at start: Int, totalByteCount: Int) -> UInt32 {
    Checksum.crc32(buffer, start + SegmentLayout.Frame.body..<start + totalByteCount, seed: seed)
  }
}
