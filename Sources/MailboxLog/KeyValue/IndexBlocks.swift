import RawMemory
import Sealing

/// Reads the blocks of runs, one at a time: in the mapping where the file is plain, opened in private memory where it is sealed.
///
/// A block is checked, or its tag is, when it is first looked at; the run's marks remember that. Of a sealed block that was looked at before
/// only the part around an entry is deciphered.
final class IndexBlocks {
  private let segment: Segment
  private let scratch: ByteBuffer?
  private let associatedData = ByteBuffer(count: 8)
  /// The block that `scratch` has some of, and which of its bytes.
  private var scratchBlock: UInt64 = 0
  private var scratchRange = 0..<0
  /// What is deciphered at once: a hash is nearly always within it, since hashes are spread evenly.
  private static let partByteCount = 512

  init(_ segment: Segment) {
    self.segment = segment
    scratch = segment.isSealedFile ? ByteBuffer(count: IndexLayout.blockByteCount) : nil
  }

  /// A whole block, and where in the buffer it begins; valid until the next call. nil when it is damaged.
  func block(at offset: UInt64, writer: WriterID, in view: ByteBuffer) -> (buffer: ByteBuffer, start: Int)? {
    let end = offset + UInt64(IndexLayout.blockByteCount)
    guard offset >= SegmentLayout.dataStart, end <= UInt64(view.count) else { return nil }
    let start = Int(offset)
    guard let scratch else {
      let sum = segment.checksum.blockChecksum(view, start..<start + IndexLayout.payloadByteCount, fileOffset: offset)
      return view.load(UInt32.self, at: start + IndexLayout.tag) == sum ? (view, start) : nil
    }
    let payload = 0..<IndexLayout.payloadByteCount
    if scratchBlock == offset, scratchRange == payload { return (scratch, 0) }
    guard let keys = segment.keys else { return nil }
    scratchBlock = 0
    scratch.copy(from: view, start..<start + IndexLayout.blockByteCount, at: 0)
    associatedData.store(offset, at: 0)
    let isOpen = keys.cipher(for: writer).open(
      scratch, payload, tagAt: IndexLayout.tag, associatedData: associatedData, 0..<8,
      counter: scratch.load(UInt64.self, at: IndexLayout.counter))
    guard isOpen else { return nil }
    (scratchBlock, scratchRange) = (offset, payload)
    return (scratch, 0)
  }

  /// Passes the offsets that a run has for a hash, the newest first, until `body` returns true.
  ///
  /// - Returns: whether `body` did; nil when a block is damaged.
  func find(_ hash: UInt64, in run: IndexRun, _ view: ByteBuffer, _ body: (UInt64) throws(LogError) -> Bool) throws(LogError)
    -> Bool?
  {
    let home = IndexLayout.home(hash, blockCount: run.blockCount)
    var index = home
    while index < run.blockCount {
      guard let count = entryCount(index, of: run, view) else { return nil }
      guard var entry = first(hash, index, of: run, count, isHome: index == home, view) else { return nil }
      // The block may be gone once `body` has looked at a record, and is looked at anew.
      while entry < count {
        guard let found = word(entry * 2, index, of: run, view) else { return nil }
        if found != hash { return false }
        guard let offset = word(entry * 2 + 1, index, of: run, view) else { return nil }
        if try body(offset) { return true }
        entry += 1
      }
      if count < IndexLayout.entriesPerBlock { return false }
      index += 1
    }
    return false
  }

  /// How many entries a block has; nil when it is damaged.
  private func entryCount(_ index: UInt64, of run: IndexRun, _ view: ByteBuffer) -> Int? {
    if let known = run.marks.entryCount(index) { return known }
    guard let block = block(at: run.blockOffset(index + 1), writer: run.writer, in: view) else { return nil }
    let count = min(Int(block.buffer.load(UInt16.self, at: block.start + IndexLayout.count)), IndexLayout.entriesPerBlock)
    run.marks.note(index, entryCount: count)
    return count
  }

  /// The first entry of a checked block whose hash isn't lower; nil when it can't be looked at.
  private func first(
    _ hash: UInt64, _ index: UInt64, of run: IndexRun, _ count: Int, isHome: Bool, _ view: ByteBuffer
  ) -> Int? {
    var (low, high) = (0, count)
    // Where it would be if the hashes of a block were spread evenly.
    var middle = isHome ? Int((hash &* run.blockCount).multipliedFullWidth(by: UInt64(count)).high) : count / 2
    var step = 8
    while low < high {
      guard let found = word(middle * 2, index, of: run, view) else { return nil }
      if found < hash { low = middle + 1 } else { high = middle }
      // Near to the guess first, farther and farther away, and never outside of what is left.
      middle = found < hash ? min(low + step, (low + high) / 2) : max(high - 1 - step, (low + high) / 2)
      step *= 2
    }
    return low
  }

  /// A word of a checked block's entries; nil when it can't be looked at.
  private func word(_ number: Int, _ index: UInt64, of run: IndexRun, _ view: ByteBuffer) -> UInt64? {
    let offset = run.blockOffset(index + 1)
    let at = IndexLayout.entries + number * 8
    guard let scratch else { return view.load(UInt64.self, at: Int(offset) + at) }
    if scratchBlock == offset, scratchRange.contains(at) { return scratch.load(UInt64.self, at: at - scratchRange.lowerBound) }
    guard let keys = segment.keys else { return nil }
    let part = at / Self.partByteCount * Self.partByteCount
    let range = part..<min(part + Self.partByteCount, IndexLayout.payloadByteCount)
    let isRevealed = keys.cipher(for: run.writer).reveal(
      view, Int(offset) + range.lowerBound..<Int(offset) + range.upperBound, after: part,
      counter: view.load(UInt64.self, at: Int(offset) + IndexLayout.counter), to: scratch)
    guard isRevealed else { return nil }
    (scratchBlock, scratchRange) = (offset, range)
    return scratch.load(UInt64.self, at: at - part)
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

/// Which blocks of a run this handle has checked, and how many entries they have: two bytes a block.
final class BlockMarks {
  private var counts: ByteBuffer?
  private let blockCount: UInt64

  init(blockCount: UInt64) { self.blockCount = blockCount }

  func entryCount(_ index: UInt64) -> Int? {
    guard let mark = counts?.load(UInt16.self, at: Int(index) * 2), mark != 0 else { return nil }
    return Int(mark) - 1
  }

  func note(_ index: UInt64, entryCount: Int) {
    let counts = counts ?? ByteBuffer(count: Int(blockCount) * 2)
    counts.store(UInt16(entryCount + 1), at: Int(index) * 2)
    self.counts = counts
  }
}

/// Where a key with this hash has a record.
struct IndexEntry {
  let hash: UInt64
  let offset: UInt64

  static func isBefore(_ a: IndexEntry, _ b: IndexEntry) -> Bool { a.hash == b.hash ? a.offset > b.offset : a.hash < b.hash }
}
