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
  private let associatedData = ByteBuffer(count: SegmentLayout.Frame.checkedEnd)
  private let opened = OpenedRecords()

  /// All of the file as far as it was mapped.
  private(set) var view: ByteBuffer
  private(set) var knownEnd = SegmentLayout.dataStart
  /// The word that said so, as it stood.
  private var knownEncoded: UInt64 = 0
  /// As it stood when the file was found to be the one under its path.
  private var activeEncoded: UInt64 = 0
  private(set) var table = KeyTable()
  /// From the newest to the oldest.
  private(set) var runs: [IndexRun] = []
  private(set) var clearedEnd: UInt64 = 0
  /// Where reading what counts begins: at the record that cleared the rest.
  private(set) var clearedRecordStart = SegmentLayout.dataStart
  /// Records of keys behind the newest run.
  private(set) var unindexedCount = 0
  private(set) var lastSequence: UInt64 = 0
  /// What was found damaged and told.
  private(set) var damagedByteCount: UInt64 = 0
  /// Whether what an earlier boot left was looked at, and the file is this boot's.
  var isTrusted: Bool

  init(_ segment: Segment, _ context: LogContext, writer: WriterID) throws(LogError) {
    self.context = context
    self.segment = segment
    tail = SegmentTail(segment, context)
    sealer = FrameSealer(segment, writer: writer, observer: context.nonceObserver)
    hash = segment.keyHash
    blocks = IndexBlocks(segment)
    isTrusted = segment.isTrusted
    view = try at(segment.file.path) { () throws(SystemError) in
      try segment.words.map(writable: context.options.access == .readWrite && context.mapsFiles)
      return try Self.map(segment)
    }
  }

  private static func map(_ segment: Segment) throws(SystemError) -> ByteBuffer {
    let byteCount = try segment.file.status().byteCount
    guard byteCount >= SegmentLayout.dataStart, let count = Int(exactly: byteCount) else {
      throw SystemError(.map, ErrorNumber.inputOutput)
    }
    return ByteBuffer(reading: try segment.file.map(offset: 0, count: count, writable: false))
  }

  // MARK: Which file it is

  /// Whether the file is still the one under its path: without a system call as long as nobody has begun to replace it.
  func isCurrent() throws(LogError) -> Bool {
    let encoded = segment.words.encoded(.state)
    if encoded == activeEncoded { return true }
    let state = segment.words.decode(encoded, .state).flatMap(SegmentState.init(rawValue:))
    if state == .removed { return false }
    // Who was replacing it may have died before the new file had the name.
    guard try isNamed() else { return false }
    if state == .active { activeEncoded = encoded }
    return true
  }

  /// Whether the path leads to this file.
  func isNamed() throws(LogError) -> Bool {
    try at(segment.file.path) { () throws(SystemError) in try segment.file.isNamed(by: segment.file.path) }
  }

  // MARK: What it holds

  /// Reads what was added since. - Complexity: one load when there is nothing.
  @inline(__always) func catchUp() throws(LogError) {
    if segment.words.encoded(.committedEnd) != knownEncoded { try readOn() }
  }

  private func readOn() throws(LogError) {
    let encoded = segment.words.encoded(.committedEnd)
    // Without a word that passes its check, everything that is there counts, as far as it is good.
    let committed = try at(segment.file.path) { () throws(SystemError) in try segment.words.load(.committedEnd) } ?? UInt64.max
    if knownEncoded == 0 { beginAtIndex(before: committed) }
    if committed < knownEnd { forgetAll() }
    if committed > UInt64(view.count) { view = try at(segment.file.path) { () throws(SystemError) in try Self.map(segment) } }
    let end = min(committed, UInt64(view.count))
    try read(to: end)
    knownEncoded = encoded
  }

  private func forgetAll() {
    knownEnd = SegmentLayout.dataStart
    table.removeAll()
    opened.removeAll()
    (runs, clearedEnd, unindexedCount) = ([], 0, 0)
    clearedRecordStart = SegmentLayout.dataStart
  }

  /// Takes the newest run for what is below its end: opening doesn't depend on how much that is.
  private func beginAtIndex(before committed: UInt64) {
    guard let offset = segment.words.decode(segment.words.encoded(.indexBlock), .indexBlock), offset != 0, offset < committed else {
      return
    }
    if offset + UInt64(SegmentLayout.Frame.body) > UInt64(view.count), let larger = try? Self.map(segment) { view = larger }
    guard let newest = run(at: offset) else {
      context.report(.damageFound, "the index of \(segment.file.path) is damaged: all of the log is read")
      return
    }
    adopt(newest)
    knownEnd = newest.coveredEnd
  }

  /// A run and its record, checked as far as its first block goes.
  private func run(at offset: UInt64) -> IndexRun? {
    guard offset >= SegmentLayout.dataStart, offset % 8 == 0, offset + UInt64(SegmentLayout.Frame.body) <= UInt64(view.count) else {
      return nil
    }
    let frame = RecordFrame(
      view, at: Int(offset), fileOffset: offset, byteCountMax: UInt64(view.count) - offset, isSealed: segment.isSealedFile,
      coding: segment.checksum)
    guard let frame, frame.kind == .index,
      let block = blocks.block(at: offset + UInt64(SegmentLayout.Frame.body), writer: frame.writer, in: view)
    else { return nil }
    return IndexRun(at: offset, frame, first: block.buffer, at: block.start)
  }

  /// The run and all older ones. One that is damaged, or missing, leaves its keys to a reading of the whole log.
  private func adopt(_ newest: IndexRun) {
    var chain = [newest]
    while chain[chain.count - 1].previous != 0 {
      guard let older = run(at: chain[chain.count - 1].previous) else {
        context.report(.damageFound, "a part of the index of \(segment.file.path) is damaged")
        break
      }
      chain.append(older)
    }
    runs = chain
    if newest.clearedEnd > clearedEnd {
      clearedEnd = newest.clearedEnd
      clearedRecordStart = max(clearedRecordStart, clearedEnd)
    }
    unindexedCount = 0
  }

  private func read(to end: UInt64) throws(LogError) {
    guard knownEnd < end else { return }
    let cursor = RecordCursor(segment, from: knownEnd, to: end, window: FileWindow(segment.file, mapped: view, end: end))
    while true {
      let step = try at(segment.file.path) { () throws(SystemError) in try cursor.next() }
      switch step {
      case .end:
        knownEnd = end
        return
      case .damage(let range, let reason): try noteDamage(range, reason)
      case .record:
        guard let frame = cursor.frame else { continue }
        if cursor.isBodyGood, try note(frame, at: cursor.frameOffset) { continue }
        try noteDamage(cursor.frameOffset..<cursor.nextOffset, "the record's checksum or tag doesn't match")
      }
    }
  }

  private func noteDamage(_ range: Range<UInt64>, _ reason: String) throws(LogError) {
    damagedByteCount += range.upperBound - range.lowerBound
    if context.options.recovery == .fail { throw .corrupted(offset: range.lowerBound, reason: reason) }
    context.report(.damageFound, "\(segment.file.path): bytes \(range.lowerBound) to \(range.upperBound): \(reason)")
  }

  /// Takes a record into account. - Returns: false when its tag doesn't fit.
  private func note(_ frame: RecordFrame, at offset: UInt64) throws(LogError) -> Bool {
    lastSequence = max(lastSequence, frame.sequence)
    switch frame.kind {
    case .entry: return false
    case .index: if let run = run(at: offset) { adopt(run) }
    case .removeAll:
      guard try opensFully(frame, at: offset) else { return false }
      clear(offset, offset + UInt64(frame.totalByteCount))
    case .set, .remove:
      guard let record = try record(at: offset, isChecked: true) else { return false }
      try remember(record)
    }
    return true
  }

  private func opensFully(_ frame: RecordFrame, at offset: UInt64) throws(LogError) -> Bool {
    if !segment.isSealedFile { return true }
    return try record(at: offset, isChecked: true) != nil
  }

  private func clear(_ start: UInt64, _ end: UInt64) {
    clearedEnd = end
    clearedRecordStart = start
    table.removeAll()
    runs = []
  }

  /// The record is its key's newest.
  private func remember(_ record: StoredRecord) throws(LogError) {
    unindexedCount += 1
    let tag = record.buffer.withSpan(record.keyRange) { UInt32(truncatingIfNeeded: hash($0) >> 32) }
    var slot = table.first(tag)
    while let found = slot {
      if let other = try self.record(at: table.offset(found), isChecked: true),
        other.buffer.withSpan(other.keyRange, { record.hasKey($0) })
      {
        return table.move(found, to: record.offset)
      }
      slot = table.next(found, tag)
    }
    table.insert(tag, record.offset)
  }

  // MARK: Looking up

  /// The newest record of a key, which may be a removal; nil when there is none that counts.
  /// - Parameter remembers: whether a key that only a run knows is kept in memory from here on.
  func find(_ key: Span<UInt8>, remembers: Bool = true) throws(LogError) -> StoredRecord? {
    let hash = hash(key)
    let tag = UInt32(truncatingIfNeeded: hash >> 32)
    var slot = table.first(tag)
    while let found = slot {
      if let record = try record(at: table.offset(found), isChecked: table.isChecked(found)), record.hasKey(key) { return record }
      slot = table.next(found, tag)
    }
    if runs.isEmpty { return nil }
    guard let record = try findInRuns(key, hash) else { return nil }
    if remembers { table.insert(tag, record.offset) }
    return record
  }

  private func findInRuns(_ key: Span<UInt8>, _ hash: UInt64) throws(LogError) -> StoredRecord? {
    var newest: StoredRecord?
    for run in runs where run.coveredEnd > clearedEnd {
      let isFound = try blocks.find(hash, in: run, view) { offset throws(LogError) in
        guard offset >= clearedEnd, let record = try record(at: offset, isChecked: false), record.hasKey(key) else { return false }
        newest = record
        return true
      }
      if isFound == nil { throw .corrupted(offset: run.offset, reason: "a block of the index doesn't match its checksum or tag") }
      if isFound == true { return newest }
    }
    return nil
  }

  /// The record at an offset; nil when it is damaged.
  /// - Parameter isChecked: whether its checksums were found good before.
  func record(at offset: UInt64, isChecked: Bool) throws(LogError) -> StoredRecord? {
    typealias Layout = SegmentLayout.Frame
    let isSealed = segment.isSealedFile
    if isSealed, let buffer = opened.buffer(at: offset) { return stored(buffer, at: 0, offset) }
    let start = Int(offset)
    if !isChecked {
      guard offset >= SegmentLayout.dataStart, offset % 8 == 0, offset + UInt64(Layout.body) <= knownEnd,
        let frame = RecordFrame(
          view, at: start, fileOffset: offset, byteCountMax: knownEnd - offset, isSealed: isSealed, coding: segment.checksum),
        segment.checksum.bodyChecksum(view, at: start, totalByteCount: frame.totalByteCount) == frame.bodyChecksum
      else { return nil }
    }
    guard isSealed else { return stored(view, at: start, offset) }
    return open(at: start, offset)
  }

  private func open(at start: Int, _ offset: UInt64) -> StoredRecord? {
    typealias Layout = SegmentLayout.Frame
    guard let keys = segment.keys else { return nil }
    let total = Int(view.load(UInt32.self, at: start + Layout.totalByteCount))
    let body =
      Int(view.load(UInt32.self, at: start + Layout.idByteCount)) + Int(view.load(UInt32.self, at: start + Layout.valueByteCount))
    let buffer = opened.makeBuffer(at: offset, byteCount: total)
    buffer.copy(from: view, start..<start + total, at: 0)
    FrameAssociatedData.fill(associatedData, from: buffer, at: 0, fileOffset: offset)
    let isOpen = keys.cipher(for: WriterID(buffer, at: Layout.writerID)).open(
      buffer, Layout.body..<Layout.body + body, tagAt: Layout.body + body, associatedData: associatedData, 0..<associatedData.count,
      counter: buffer.load(UInt64.self, at: Layout.counter))
    if isOpen { return stored(buffer, at: 0, offset) }
    opened.forget(offset)
    return nil
  }

  private func stored(_ buffer: ByteBuffer, at start: Int, _ offset: UInt64) -> StoredRecord? {
    typealias Layout = SegmentLayout.Frame
    guard let kind = RecordKind(rawValue: buffer.load(UInt8.self, at: start + Layout.kind)) else { return nil }
    let key = start + Layout.body
    let value = key + Int(buffer.load(UInt32.self, at: start + Layout.idByteCount))
    return StoredRecord(
      kind: kind, offset: offset, totalByteCount: Int(buffer.load(UInt32.self, at: start + Layout.totalByteCount)), buffer: buffer,
      keyRange: key..<value, valueRange: value..<value + Int(buffer.load(UInt32.self, at: start + Layout.valueByteCount)),
      valueType: buffer.load(UInt8.self, at: start + Layout.valueType),
      sequence: buffer.load(UInt64.self, at: start + Layout.sequence),
      expiresAt: buffer.load(Int64.self, at: start + Layout.expiresAt))
  }
}
