import RawMemory
import StorageIO

/// Walks the records of one segment from one offset to another, through `pread`, in memory bounded by the largest record.
///
/// Whatever the bytes are, each step moves forward: to a record whose header is good, or past a range that isn't one.
final class RecordCursor {
  enum Step {
    /// `frame` is the record; its body may still be damaged.
    case record
    case damage(Range<UInt64>, reason: String)
    case end
  }

  let segment: Segment
  let end: UInt64
  private(set) var frame: RecordFrame?
  private(set) var frameOffset: UInt64 = 0
  /// Whether the frame's body passes its checksum.
  private(set) var isBodyGood = false
  /// Who looks at few of the bodies does without: all pass for good.
  var checksBodies = true
  let window: FileWindow
  /// For opening records, used again for each.
  lazy var associatedData = ByteBuffer(count: SegmentLayout.Frame.checkedEnd)
  private let start: UInt64
  private var offset: UInt64
  private var lastSequence: UInt64 = 0
  /// Frames below belong to a batch that is there as a whole.
  private var batchEnd: UInt64 = 0

  /// - Parameter start: of a record. The sequence before it isn't asked for: consumed end and consumed sequence are two words, of which
  ///   a death or a loss of power may leave the second alone, and records skipped by it could begin in the middle of a batch.
  init(_ segment: Segment, from start: UInt64, to end: UInt64, window: FileWindow? = nil) {
    self.segment = segment
    self.start = start
    self.end = end
    offset = start
    self.window = window ?? FileWindow(segment.file, end: end)
  }

  /// The offset after the current record or range.
  var nextOffset: UInt64 { offset }

  func next() throws(SystemError) -> Step {
    frame = nil
    guard offset < end else { return .end }
    guard let found = try parse(at: offset), isInOrder(found) else { return try skipDamage() }
    if found.batchCount > 1, offset >= batchEnd, let damage = try checkBatch(found) { return damage }
    frame = found
    frameOffset = offset
    isBodyGood = checksBodies ? try isBodyGood(found, at: offset) : true
    lastSequence = found.sequence
    offset += UInt64(found.totalByteCount)
    if !isBodyGood, try segment.isUnpromised(frameOffset..<offset) {
      // A loss of power kept the header and not the rest: no entry that anybody waits for, and none for a quarantine.
      frame = nil
      return .damage(frameOffset..<offset, reason: "written in part before a loss of power")
    }
    return .record
  }

  /// An index has the number of the record before it where it was written with copies, whose numbers leave none free.
  private func isInOrder(_ frame: RecordFrame) -> Bool {
    frame.sequence > lastSequence || frame.kind == .index && frame.sequence == lastSequence
  }

  /// The frame at an offset, with its whole body in the window; nil when there is none.
  private func parse(at offset: UInt64) throws(SystemError) -> RecordFrame? {
    guard let start = try window.load(offset, byteCount: SegmentLayout.Frame.body) else { return nil }
    let parsed = RecordFrame(
      window.buffer, at: start, fileOffset: offset, byteCountMax: end - offset, isSealed: segment.isSealedFile,
      coding: segment.checksum)
    guard let parsed else { return nil }
    // Only now: a length is believed once the header's checksum vouches for it.
    guard try window.load(offset, byteCount: parsed.totalByteCount) != nil else { return nil }
    return parsed
  }

  private func isBodyGood(_ frame: RecordFrame, at offset: UInt64) throws(SystemError) -> Bool {
    guard let start = try window.load(offset, byteCount: frame.totalByteCount) else { return false }
    return segment.checksum.bodyChecksum(window.buffer, at: start, totalByteCount: frame.totalByteCount) == frame.bodyChecksum
  }

  /// nil when the batch that begins here is whole; else what of it is there, as damage.
  ///
  /// The first record of a walk may be in the middle of a batch: the part before it was whole when it was consumed.
  private func checkBatch(_ first: RecordFrame) throws(SystemError) -> Step? {
    var position = first.batchPosition
    var sequence = first.sequence
    var at = offset
    let mayBegin = position == 0 || (offset == start && start > SegmentLayout.dataStart)
    while position < first.batchCount {
      guard let member = try parse(at: at), member.batchPosition == position, member.batchCount == first.batchCount,
        member.sequence == sequence, try isBodyGood(member, at: at)
      else { break }
      at += UInt64(member.totalByteCount)
      position += 1
      sequence += 1
    }
    if mayBegin, position == first.batchCount {
      batchEnd = at
      return nil
    }
    let range = offset..<max(at, offset + UInt64(first.totalByteCount))
    lastSequence = max(sequence - 1, first.sequence)
    offset = range.upperBound
    return .damage(range, reason: "part of a batch that isn't whole")
  }

  /// Moves to the next good header, by alignment and checksum.
  private func skipDamage() throws(SystemError) -> Step {
    let bad = offset
    var at = offset + UInt64(SegmentLayout.alignment)
    while at < end {
      if try window.load(at, byteCount: SegmentLayout.Frame.body) == nil {
        at = end
        break
      }
      if let found = try parse(at: at), isInOrder(found) { break }
      at += UInt64(SegmentLayout.alignment)
    }
    offset = min(at, end)
    return .damage(bad..<offset, reason: "no record's checksum fits")
  }
}

/// A stretch of a file in memory, moved along as it is read.
final class FileWindow {
  private(set) var buffer: ByteBuffer
  private let file: StorageFile
  private let end: UInt64
  private var range: Range<UInt64> = 0..<0
  private static let byteCount = 64 << 10

  init(_ file: StorageFile, end: UInt64) {
    self.file = file
    self.end = end
    buffer = ByteBuffer(count: Self.byteCount)
  }

  /// All of a file that is in memory: a mapping of it, from its beginning.
  init(_ file: StorageFile, mapped buffer: ByteBuffer, end: UInt64) {
    self.file = file
    self.end = end
    self.buffer = buffer
    range = 0..<min(end, UInt64(buffer.count))
  }

  /// Where in `buffer` the bytes at `offset` are; nil when the file, or the part that counts, ends before them.
  func load(_ offset: UInt64, byteCount: Int) throws(SystemError) -> Int? {
    guard offset + UInt64(byteCount) <= end else { return nil }
    if range.lowerBound <= offset, offset + UInt64(byteCount) <= range.upperBound { return Int(offset - range.lowerBound) }
    if byteCount > buffer.count {
      buffer = ByteBuffer(count: (byteCount + 4095) & ~4095)
    } else if buffer.count > Self.byteCount, byteCount <= Self.byteCount {
      buffer = ByteBuffer(count: Self.byteCount)
    }
    range = 0..<0
    let wanted = Int(min(UInt64(buffer.count), end - offset))
    let count = try file.read(buffer, 0..<wanted, at: offset)
    range = offset..<offset + UInt64(count)
    return count >= byteCount ? 0 : nil
  }
}
