import RawMemory
import Sealing
import StorageIO

/// A log file that is open, and what its handle knows of it: all records up to `knownEnd`. Guarded by the handle's lock.
///
/// Invariants:
/// - Below `knownEnd` nothing changes, so what was read once stays true as long as the file is current.
/// - `table` has the newest record of every key that has one behind the newest run, and of keys that were looked up in runs.
/// - What is below `clearedEnd` is dead.
final class OpenLog {
  let context: LogContext
  let segment: Segment
  let tail: SegmentTail
  let memory = AppendMemory()
  let sealer: FrameSealer
  let hash: KeyedHash
  let blocks: IndexBlocks
  let opened = OpenedRecords()
  let associatedData = ByteBuffer(count: SegmentLayout.Frame.checkedEnd)
  /// For comparing sealed keys.
  let keyScratch: ByteBuffer?
  let isSealed: Bool

  /// All of the file as far as it was mapped.
  private(set) var view: ByteBuffer
  /// The words, in a mapping of their own.
  private let words: Mapping
  private(set) var knownEnd = SegmentLayout.dataStart
  /// The word that said so, as it stood.
  private var knownEncoded: UInt64 = 0
  /// As it stood when the file was found to be the one under its path.
  private var activeEncoded: UInt64 = 0
  let table = KeyTable()
  // Below: changed by what is read, in `OpenLog+Reading` alone.
  /// From the newest to the oldest.
  var runs: [IndexRun] = []
  var clearedEnd: UInt64 = 0
  /// Where reading what counts begins: at the record that cleared the rest.
  var clearedRecordStart = SegmentLayout.dataStart
  /// Runs that begin below are damaged, or lead to one that is.
  private(set) var runsFrom: UInt64 = 0
  /// Records of keys behind the newest run.
  var unindexedCount = 0
  var lastSequence: UInt64 = 0
  /// Whether what an earlier boot left was looked at, and the file is this boot's.
  var isTrusted: Bool
  private var liveMemory: (encoded: UInt64, value: UInt64)?

  init(_ segment: Segment, _ context: LogContext, writer: WriterID) throws(LogError) {
    self.context = context
    self.segment = segment
    tail = SegmentTail(segment, context)
    sealer = FrameSealer(segment, writer: writer, observer: context.nonceObserver)
    hash = segment.keyHash
    blocks = IndexBlocks(segment)
    isSealed = segment.isSealedFile
    keyScratch = segment.isSealedFile ? ByteBuffer(count: SegmentLayout.idByteCountMax, isWiped: true) : nil
    isTrusted = segment.isTrusted
    (words, view) = try at(segment.file.path) { () throws(SystemError) in
      (
        try segment.words.map(writable: context.options.access == .readWrite && context.mapsFiles),
        try Self.map(segment)
      )
    }
  }

  private static func map(_ segment: Segment) throws(SystemError) -> ByteBuffer {
    let byteCount = try segment.file.status().byteCount
    guard byteCount >= SegmentLayout.dataStart, let count = Int(exactly: byteCount) else {
      throw SystemError(.map, ErrorNumber.inputOutput)
    }
    return ByteBuffer(reading: try segment.file.map(offset: 0, count: count, writable: false, isForgottenInChild: true))
  }

  // MARK: Which file it is

  /// A word as it stands.
  @inline(__always) private func encoded(_ word: SegmentLayout.Word) -> UInt64 { words.loadAcquire(at: Int(word.offset)) }

  /// Whether nobody has begun to replace the file, nor written, since this handle looked: two loads.
  @inline(__always) var isUnchanged: Bool { encoded(.state) == activeEncoded && encoded(.committedEnd) == knownEncoded }

  /// Whether the file is still the one under its path: without a system call as long as nobody has begun to replace it.
  func isCurrent() throws(LogError) -> Bool {
    let encoded = encoded(.state)
    if encoded == activeEncoded { return true }
    let state = segment.words.decode(encoded, .state).flatMap(SegmentState.init(rawValue:))
    if state == .removed { return false }
    // Who was replacing it may have died before the new file had the name.
    guard try isNamed() else { return false }
    if state == .active { activeEncoded = encoded }
    return true
  }

  /// Whether a replacement of the file was begun.
  var isBeingReplaced: Bool {
    let encoded = encoded(.state)
    return encoded != activeEncoded && segment.words.decode(encoded, .state) != SegmentState.active.rawValue
  }

  /// Whether the path leads to this file.
  func isNamed() throws(LogError) -> Bool {
    try at(segment.file.path) { () throws(SystemError) in try segment.file.isNamed(by: segment.file.path) }
  }

  // MARK: What it holds

  /// Reads what was added since. - Complexity: one load when there is nothing.
  @inline(__always) func catchUp() throws(LogError) {
    if encoded(.committedEnd) != knownEncoded { try readOn() }
  }

  private func readOn() throws(LogError) {
    let encoded = encoded(.committedEnd)
    let committed = try committedEnd()
    if knownEncoded == 0 {
      try mapMore(upTo: committed)
      if let newest = newestRun(before: committed) { knownEnd = newest.coveredEnd }
    }
    if committed < knownEnd { forgetAll() }
    try mapMore(upTo: committed)
    let end = min(committed, UInt64(view.count))
    if knownEnd < end { try read(from: knownEnd, to: end) { knownEnd = $0 } }
    knownEncoded = encoded
  }

  /// Without a word that passes its check, everything that is there counts, as far as it is good.
  private func committedEnd() throws(LogError) -> UInt64 {
    if let word = try at(segment.file.path, { () throws(SystemError) in try segment.words.load(.committedEnd) }) { return word }
    let reason = "the word that says where the log ends doesn't pass its check"
    if context.options.recovery == .fail { throw .corrupted(offset: SegmentLayout.Word.committedEnd.offset, reason: reason) }
    context.report(.damageFound, "\(segment.file.path): \(reason)")
    return try at(segment.file.path) { () throws(SystemError) in try segment.scannedEnd().end }
  }

  /// Knows everything without the runs that are there: one of them can't be read.
  func abandonRuns() throws(LogError) {
    runsFrom = knownEnd
    forgetAll()
    try read(from: knownEnd, to: runsFrom) { knownEnd = $0 }
  }

  private func mapMore(upTo end: UInt64) throws(LogError) {
    if end > UInt64(view.count) { view = try at(segment.file.path) { () throws(SystemError) in try Self.map(segment) } }
  }

  private func forgetAll() {
    knownEnd = SegmentLayout.dataStart
    table.removeAll()
    opened.removeAll()
    (runs, clearedEnd, unindexedCount) = ([], 0, 0)
    clearedRecordStart = SegmentLayout.dataStart
  }

  /// Takes over what another handle's own knows of the same file.
  func learn(from other: OpenLog) throws(LogError) {
    guard other.knownEncoded != 0, try isSameFile(other) else { return }
    try mapMore(upTo: other.knownEnd)
    table.copy(other.table)
    (runs, runsFrom, unindexedCount, lastSequence) = (other.runs, other.runsFrom, other.unindexedCount, other.lastSequence)
    (clearedEnd, clearedRecordStart) = (other.clearedEnd, other.clearedRecordStart)
    (knownEnd, knownEncoded) = (other.knownEnd, other.knownEncoded)
  }

  /// Both are open, so no other file can have the number by now.
  private func isSameFile(_ other: OpenLog) throws(LogError) -> Bool {
    try at(segment.file.path) { () throws(SystemError) in
      let (own, others) = (try segment.file.status(), try other.segment.file.status())
      return own.device == others.device && own.inode == others.inode
    }
  }

  /// What this handle has just appended is known without being read. - Parameter encoded: the word as it was published.
  func didAppend(upTo end: UInt64, _ encoded: UInt64, lastSequence: UInt64) throws(LogError) {
    try mapMore(upTo: end)
    self.lastSequence = lastSequence
    knownEnd = end
    knownEncoded = encoded
  }

  /// Of the records that count, by the word, which may be a little off after a death; nil when it is damaged.
  var liveByteCount: UInt64? {
    let encoded = encoded(.liveByteCount)
    if let liveMemory, liveMemory.encoded == encoded { return liveMemory.value }
    return segment.words.decode(encoded, .liveByteCount)
  }

  func setLive(_ byteCount: UInt64) throws(SystemError) {
    try segment.words.store(byteCount, .liveByteCount)
    liveMemory = (encoded(.liveByteCount), byteCount)
  }

  /// The word, which may be ahead of the last record.
  var lastSequenceWord: UInt64 { max(lastSequence, segment.words.decode(encoded(.lastSequence), .lastSequence) ?? 0) }
  var indexWord: UInt64? { segment.words.decode(encoded(.indexBlock), .indexBlock) }
}
