import RawMemory
import StorageIO

/// The words that an append reads and moves, under the segment's lock.
struct AppendWords {
  var lastAppendTime: UInt64
  var lastSequence: UInt64
  var committedEnd: UInt64
  /// nil when the word holds none.
  let state: SegmentState?
  /// As it was at the claim; 0 when the segment's name isn't durable.
  let syncedEnd: UInt64

  /// - Returns: nil when one of the words is damaged.
  static func load(_ segment: Segment, scratch: ByteBuffer) throws(SystemError) -> AppendWords? {
    let words = segment.words
    if words.isMapped {
      guard let state = try words.load(.state), let time = try words.load(.lastAppendTime),
        let sequence = try words.load(.lastSequence), let end = try words.load(.committedEnd)
      else { return nil }
      return AppendWords(
        lastAppendTime: time, lastSequence: sequence, committedEnd: end, state: SegmentState(rawValue: state),
        syncedEnd: try words.load(.syncedEnd) ?? 0)
    }
    let count = Self.scratchByteCount
    guard try segment.file.read(scratch, 0..<count, at: SegmentLayout.wordsStart) == count else { return nil }
    func value(_ word: SegmentLayout.Word) -> UInt64? {
      segment.coding.decode(
        scratch.load(UInt64.self, at: Int(word.offset - SegmentLayout.wordsStart)), index: word.rawValue)
    }
    guard let state = value(.state), let time = value(.lastAppendTime), let sequence = value(.lastSequence),
      let end = value(.committedEnd)
    else { return nil }
    return AppendWords(
      lastAppendTime: time, lastSequence: sequence, committedEnd: end, state: SegmentState(rawValue: state),
      syncedEnd: value(.syncedEnd) ?? 0)
  }

  /// Publishes what was written up to `committedEnd`: three stores, the committed end last, or one `pwrite` within one sector, which
  /// the death of the process can't divide.
  func publish(_ segment: Segment, scratch: ByteBuffer) throws(SystemError) {
    let words = segment.words
    if words.isMapped {
      try words.store(lastAppendTime, .lastAppendTime)
      try words.store(lastSequence, .lastSequence)
      segment.file.system.reach(.sequenceStored)
      try words.store(committedEnd, .committedEnd)
    } else {
      scratch.zero(0..<Self.byteCount)
      func set(_ value: UInt64, _ word: SegmentLayout.Word) {
        scratch.store(
          segment.coding.encode(value, index: word.rawValue), at: Int(word.offset - SegmentLayout.wordsStart))
      }
      set(lastAppendTime, .lastAppendTime)
      set(lastSequence, .lastSequence)
      set(committedEnd, .committedEnd)
      try segment.file.write(scratch, 0..<Self.byteCount, at: SegmentLayout.wordsStart)
    }
    segment.file.system.reach(.recordPublished)
  }

  /// From the first of the three words to the end of the last.
  private static let byteCount = Int(SegmentLayout.Word.stride) * 2 + 8
  /// What `scratch` has to hold: all words up to the synced end, read at once.
  static let scratchByteCount = Int(SegmentLayout.Word.syncedEnd.offset - SegmentLayout.wordsStart) + 8
}
