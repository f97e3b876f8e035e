import RawMemory
import Sealing

/// Reads the blocks of runs, one at a time: in the mapping where the file is plain, opened in private memory where it is sealed.
final class IndexBlocks {
  private let segment: Segment
  private let scratch: ByteBuffer?
  private let associatedData = ByteBuffer(count: 8)
  /// The block that `scratch` holds.
  private var openedAt: UInt64 = 0
  /// Offsets of plain blocks whose checksums were found good: those checked last, each in the slot that its offset gives.
  private var checked: [UInt64] = []
  private static let checkedCount = 512

  init(_ segment: Segment) {
    self.segment = segment
    scratch = segment.isSealedFile ? ByteBuffer(count: IndexLayout.blockByteCount) : nil
  }

  /// A block, and where in the buffer it begins; valid until the next call. nil when it is damaged.
  func block(at offset: UInt64, writer: WriterID, in view: ByteBuffer) -> (buffer: ByteBuffer, start: Int)? {
    let end = offset + UInt64(IndexLayout.blockByteCount)
    guard offset >= SegmentLayout.dataStart, end <= UInt64(view.count) else { return nil }
    let start = Int(offset)
    guard let scratch else {
      let slot = Int(truncatingIfNeeded: offset >> 12) % Self.checkedCount
      if !checked.isEmpty, checked[slot] == offset { return (view, start) }
      let sum = segment.checksum.blockChecksum(view, start..<start + IndexLayout.payloadByteCount, fileOffset: offset)
      guard view.load(UInt32.self, at: start + IndexLayout.tag) == sum else { return nil }
      if checked.isEmpty { checked = [UInt64](repeating: 0, count: Self.checkedCount) }
      checked[slot] = offset
      return (view, start)
    }
    if openedAt == offset { return (scratch, 0) }
    guard let keys = segment.keys else { return nil }
    openedAt = 0
    scratch.copy(from: view, start..<start + IndexLayout.blockByteCount, at: 0)
    associatedData.store(offset, at: 0)
    let isOpen = keys.cipher(for: writer).open(
      scratch, 0..<IndexLayout.payloadByteCount, tagAt: IndexLayout.tag, associatedData: associatedData, 0..<8,
      counter: scratch.load(UInt64.self, at: IndexLayout.counter))
    guard isOpen else { return nil }
    openedAt = offset
    return (scratch, 0)
  }

  /// Passes the offsets that a run has for a hash, the newest first, until `body` returns true.
  ///
  /// - Returns: whether `body` did; nil when a block is damaged.
  func find(_ hash: UInt64, in run: IndexRun, _ view: ByteBuffer, _ body: (UInt64) throws(LogError) -> Bool) throws(LogError)
    -> Bool?
  {
    var index = IndexLayout.home(hash, blockCount: run.blockCount)
    while index < run.blockCount {
      guard let block = block(at: run.blockOffset(index + 1), writer: run.writer, in: view) else { return nil }
      let count = min(Int(block.buffer.load(UInt16.self, at: block.start + IndexLayout.count)), IndexLayout.entriesPerBlock)
      func hashOf(_ entry: Int) -> UInt64 {
        block.buffer.load(UInt64.self, at: block.start + IndexLayout.entries + entry * IndexLayout.entryByteCount)
      }
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        if hashOf(middle) < hash { low = middle + 1 } else { high = middle }
      }
      var offsets: [UInt64] = []
      while low < count, hashOf(low) == hash {
        offsets.append(block.buffer.load(UInt64.self, at: block.start + IndexLayout.entries + low * IndexLayout.entryByteCount + 8))
        low += 1
      }
      // The block may be gone once `body` has looked at a record.
      for offset in offsets { if try body(offset) { return true } }
      if low < count || count < IndexLayout.entriesPerBlock { return false }
      index += 1
    }
    return false
  }

  /// All entries of a run, in their order; nil when a block is damaged.
  func entries(of run: IndexRun, in view: ByteBuffer) -> [IndexEntry]? {
    var entries: [IndexEntry] = []
    for index in 0..<run.blockCount {
      guard let block = block(at: run.blockOffset(index + 1), writer: run.writer, in: view) else { return nil }
      let count = min(Int(block.buffer.load(UInt16.self, at: block.start + IndexLayout.count)), IndexLayout.entriesPerBlock)
      for entry in 0..<count {
        let at = block.start + IndexLayout.entries + entry * IndexLayout.entryByteCount
        entries.append(IndexEntry(hash: block.buffer.load(UInt64.self, at: at), offset: block.buffer.load(UInt64.self, at: at + 8)))
      }
    }
    return entries
  }
}

/// Where a key with this hash has a record.
struct IndexEntry {
  let hash: UInt64
  let offset: UInt64

  static func isBefore(_ a: IndexEntry, _ b: IndexEntry) -> Bool { a.hash == b.hash ? a.offset > b.offset : a.hash < b.hash }
}
