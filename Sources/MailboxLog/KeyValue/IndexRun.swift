import RawMemory

/// The bytes of an index: a record of a log whose value is blocks of 4 KiB, each checked or sealed alone, so that looking up a key touches one.
///
/// The first block describes the run; the others hold entries, sorted by hash and, within one hash, from the newest to the oldest. An entry stands in
/// the block that its hash points to or, where that one was full, in one soon after it.
enum IndexLayout {
  static let blockByteCount = 4096
  /// The part of a block that is checked, or sealed; behind it the counter and tag, or the checksum.
  static let payloadByteCount = 4072
  static let counter = 4072  // u64, in a sealed file
  static let tag = 4080  // 16 bytes; in a plain file u32 of CRC-32, seeded with the block's offset, and zeros

  /// The first block.
  static let coveredEnd = 0  // u64: all records below are in this run or an older one
  static let clearedEnd = 8  // u64: of what is below nothing counts
  static let previous = 16  // u64: offset of the next older run's record; 0, none
  static let entryCount = 24  // u64
  static let blockCount = 32  // u64, without this one

  /// The others.
  static let count = 0  // u16
  static let entries = 8
  static let entryByteCount = 16  // u64 hash, u64 offset of the record
  static let entriesPerBlock = (payloadByteCount - entries) / entryByteCount
  /// Three quarters full, most entries stand in their own block.
  static let entriesPerBlockUsual = entriesPerBlock * 3 / 4
  /// A run that is made while others wait for the lock holds no more than this: about a megabyte and a half.
  static let entryCountMax = 1 << 16

  static func home(_ hash: UInt64, blockCount: UInt64) -> UInt64 { hash.multipliedFullWidth(by: blockCount).high }
}

/// One run as the reader sees it.
struct IndexRun {
  /// Of its record.
  let offset: UInt64
  let coveredEnd: UInt64
  let clearedEnd: UInt64
  let previous: UInt64
  let entryCount: UInt64
  let blockCount: UInt64
  let writer: WriterID

  /// - Returns: nil when the record isn't an index, or its first block is damaged.
  init?(at offset: UInt64, _ frame: RecordFrame, first block: ByteBuffer, at start: Int) {
    guard frame.kind == .index else { return nil }
    self.offset = offset
    writer = frame.writer
    coveredEnd = block.load(UInt64.self, at: start + IndexLayout.coveredEnd)
    clearedEnd = block.load(UInt64.self, at: start + IndexLayout.clearedEnd)
    previous = block.load(UInt64.self, at: start + IndexLayout.previous)
    entryCount = block.load(UInt64.self, at: start + IndexLayout.entryCount)
    blockCount = block.load(UInt64.self, at: start + IndexLayout.blockCount)
    guard coveredEnd <= offset, clearedEnd <= coveredEnd, previous < offset, blockCount > 0,
      blockCount < UInt64(UInt32.max), (blockCount + 1) * UInt64(IndexLayout.blockByteCount) == UInt64(frame.valueByteCount)
    else { return nil }
  }

  /// The file offset of a block; 0 is the one that describes the run.
  func blockOffset(_ index: UInt64) -> UInt64 {
    offset + UInt64(SegmentLayout.Frame.body) + index * UInt64(IndexLayout.blockByteCount)
  }
}
