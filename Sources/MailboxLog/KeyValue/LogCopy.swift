import RawMemory
import Sealing
import StorageIO

/// Writes a log anew, record after record, into a file that nobody else knows yet. Numbers, times and expiries stay.
final class LogCopy {
  let file: StorageFile
  private let segment: Segment
  private let context: LogContext
  private let tail: SegmentTail
  private let sealer: FrameSealer
  private let writer: WriterID
  private let frames: FrameBuilder
  private let hash: KeyedHash
  private var counter: UInt64 = 0
  private(set) var end = SegmentLayout.dataStart
  private var pending: [IndexEntry] = []
  private var clearedEnd: UInt64 = 0
  private var newestRun: UInt64 = 0
  private(set) var liveByteCount: UInt64 = 0
  private(set) var lastSequence: UInt64 = 0
  private var lastAppendTime: UInt64 = 0
  private static let batchByteCount = 256 << 10

  /// - Parameter file: empty, and locked by this process.
  init(_ file: StorageFile, _ context: LogContext, key: EncryptionKey?) throws(SystemError) {
    self.file = file
    self.context = context
    let header = try context.format(file, .keyValueLog, key: key.map { .one($0) }, random: try context.system.randomBytes(48))
    segment = try context.segment(file, SegmentNumber(0), .keyValueLog, header: header, key: key.map { .one($0) })
    writer = try context.drawWriterID()
    tail = SegmentTail(segment, context)
    sealer = FrameSealer(segment, writer: writer, observer: context.nonceObserver)
    frames = FrameBuilder(isSealed: segment.isSealedFile)
    hash = segment.keyHash
  }

  /// Adds a record of another log. - Parameter appendedAt: microseconds since 1970.
  func add(_ record: StoredRecord, appendedAt: Int64, withoutValue: Bool = false) throws(LogError) {
    typealias Layout = SegmentLayout.Frame
    let start = frames.byteCount
    let value = withoutValue ? record.valueRange.lowerBound..<record.valueRange.lowerBound : record.valueRange
    let type = withoutValue ? LogValueType.bytes.rawValue : record.valueType
    let body = frames.beginRecord(record.kind, idByteCount: record.keyRange.count, valueByteCount: value.count, valueType: type)
    let buffer = frames.buffer
    buffer.copy(from: record.buffer, record.keyRange, at: body)
    buffer.copy(from: record.buffer, value, at: body + record.keyRange.count)
    buffer.store(record.sequence, at: start + Layout.sequence)
    buffer.store(appendedAt, at: start + Layout.appendedAt)
    buffer.store(record.expiresAt, at: start + Layout.expiresAt)
    lastSequence = max(lastSequence, record.sequence)
    lastAppendTime = max(lastAppendTime, UInt64(max(appendedAt, 0)) >> 6)
    let byteCount = UInt64(frames.byteCount - start)
    let offset = end + UInt64(start)
    if record.kind == .removeAll {
      (pending, newestRun, liveByteCount) = ([], 0, 0)
      clearedEnd = offset + byteCount
    } else {
      if record.kind == .set { liveByteCount += byteCount }
      pending.append(IndexEntry(hash: record.buffer.withSpan(record.keyRange) { hash($0) }, offset: offset))
    }
    if frames.byteCount >= Self.batchByteCount { try write() }
    if pending.count >= IndexLayout.entryCountMax { try writeIndex() }
  }

  private func write() throws(LogError) {
    if frames.byteCount == 0 { return }
    sealer.completeCopies(frames, at: end, counter: &counter)
    try append()
  }

  private func append() throws(LogError) {
    let next = end + UInt64(frames.byteCount)
    guard next < KeyTable.offsetLimit else { throw .noSpace }
    if try tail.growth(upTo: next) > 0 { try tail.allocate(upTo: next, growingAtMost: .max) }
    try at(file.path) { () throws(SystemError) in
      try tail.write(frames.buffer, byteCount: frames.byteCount, at: end, isDurable: true)
    }
    end = next
    frames.reset()
  }

  /// Runs of bounded size, one after the other: so that memory is bounded, too.
  private func writeIndex() throws(LogError) {
    try write()
    if pending.isEmpty { return }
    let offset = end
    IndexWriter(segment: segment, writer: writer, observer: context.nonceObserver).add(
      pending, to: frames, at: offset, clearedEnd: clearedEnd, previous: newestRun, counter: &counter)
    sealer.complete(frames, at: offset, sequence: lastSequence, appendedAt: Int64(lastAppendTime << 6), counter: &counter)
    try append()
    newestRun = offset
    pending = []
  }

  /// Everything that was added so far is in the file, and survives a loss of power.
  func synchronize() throws(LogError) {
    try write()
    try at(file.path) { () throws(SystemError) in try file.synchronizeData() }
  }

  /// Completes the file.
  /// - Parameters:
  ///   - sequence: that the next record has to be above.
  ///   - indexes: whether what has no index yet gets one.
  func finish(above sequence: UInt64, indexes: Bool) throws(LogError) {
    lastSequence = max(lastSequence, sequence)
    if indexes, pending.count > 64 { try writeIndex() }
    try write()
    try at(file.path) { () throws(SystemError) in
      let words = segment.words
      try words.store(lastAppendTime, .lastAppendTime)
      try words.store(lastSequence, .lastSequence)
      try words.store(end, .committedEnd)
      try words.store(liveByteCount, .liveByteCount)
      try words.store(newestRun, .indexBlock)
      try file.synchronizeData()
    }
  }
}
