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
  static func load(_ segment: Segment, _ memory: AppendMemory) throws(SystemError) -> AppendWords? {
    if segment.words.storesMapped, let raw = segment.words.mapped(RawWords.init(mapping:)) {
      // Nobody else appended since: what was published last is what is there.
      if raw == memory.raw, let words = memory.words { return words }
      guard let words = decode(raw, segment) else { return nil }
      memory.remember(raw, words)
      return words
    }
    let scratch = memory.scratch
    guard try segment.file.read(scratch, 0..<scratch.count, at: SegmentLayout.wordsStart) == scratch.count else { return nil }
    return decode(RawWords(scratch: scratch), segment)
  }

  private static func decode(_ raw: RawWords, _ segment: Segment) -> AppendWords? {
    func value(_ raw: UInt64, _ word: SegmentLayout.Word) -> UInt64? { segment.coding.decode(raw, index: word.rawValue) }
    guard let state = value(raw.state, .state), let time = value(raw.lastAppendTime, .lastAppendTime),
      let sequence = value(raw.lastSequence, .lastSequence), let end = value(raw.committedEnd, .committedEnd)
    else { return nil }
    return AppendWords(
      lastAppendTime: time, lastSequence: sequence, committedEnd: end, state: SegmentState(rawValue: state),
      syncedEnd: value(raw.syncedEnd, .syncedEnd) ?? 0)
  }

  /// Completes frames for the place behind everything that is there, and moves the words over them; nothing is written yet.
  ///
  /// One clock unit is 64 us; an append time is never below the record before, also when the clock was set back.
  /// - Returns: where the frames go, and the first one's sequence.
  mutating func take(
    _ frames: FrameBuilder, _ sealer: FrameSealer, counter: inout UInt64, _ system: SystemCalls
  ) -> (offset: UInt64, sequence: UInt64) {
    let place = (offset: committedEnd, sequence: lastSequence + 1)
    let now = min(UInt64(max(system.realtimeMicroseconds(), 0)) >> 6, WordCoding.valueMax)
    lastAppendTime = max(now, lastAppendTime)
    lastSequence += UInt64(frames.recordCount)
    committedEnd += UInt64(frames.byteCount)
    sealer.complete(
      frames, at: place.offset, sequence: place.sequence, appendedAt: Int64(lastAppendTime << 6), counter: &counter)
    return place
  }

  /// Publishes what was written up to `committedEnd`: three stores, the committed end last, or one `pwrite` within one sector, which
  /// the death of the process can't divide.
  /// - Returns: the committed end as it stands in the file.
  @discardableResult
  func publish(_ segment: Segment, _ memory: AppendMemory) throws(SystemError) -> UInt64 {
    typealias Word = SegmentLayout.Word
    var raw = memory.raw
    if lastAppendTime != memory.words?.lastAppendTime {
      raw.lastAppendTime = segment.coding.encode(lastAppendTime, index: Word.lastAppendTime.rawValue)
    }
    raw.lastSequence = segment.coding.encode(lastSequence, index: Word.lastSequence.rawValue)
    raw.committedEnd = segment.coding.encode(committedEnd, index: Word.committedEnd.rawValue)
    let stored: Void? =
      !segment.words.storesMapped
      ? nil
      : segment.words.mapped { mapping in
        mapping.storeSequential(raw.lastAppendTime, at: Int(Word.lastAppendTime.offset))
        mapping.storeSequential(raw.lastSequence, at: Int(Word.lastSequence.offset))
        segment.file.system.reach(.sequenceStored)
        mapping.storeSequential(raw.committedEnd, at: Int(Word.committedEnd.offset))
      }
    if stored != nil {
      memory.remember(raw, self)
    } else {
      let scratch = memory.scratch
      scratch.zero(0..<Self.publishedByteCount)
      scratch.store(raw.lastAppendTime, at: Word.lastAppendTime.offsetInBlock)
      scratch.store(raw.lastSequence, at: Word.lastSequence.offsetInBlock)
      scratch.store(raw.committedEnd, at: Word.committedEnd.offsetInBlock)
      try segment.file.write(scratch, 0..<Self.publishedByteCount, at: SegmentLayout.wordsStart)
    }
    segment.file.system.reach(.recordPublished)
    return raw.committedEnd
  }

  /// From the first of the three words to the end of the last.
  private static let publishedByteCount = SegmentLayout.Word.committedEnd.offsetInBlock + 8
}

/// The words of an append as they are in the file, checks included.
struct RawWords: Equatable {
  var lastAppendTime: UInt64 = 0
  var lastSequence: UInt64 = 0
  var committedEnd: UInt64 = 0
  var state: UInt64 = 0
  var syncedEnd: UInt64 = 0

  init() {}
  init(mapping: Mapping) {
    lastAppendTime = mapping.loadAcquire(at: Int(SegmentLayout.Word.lastAppendTime.offset))
    lastSequence = mapping.loadAcquire(at: Int(SegmentLayout.Word.lastSequence.offset))
    committedEnd = mapping.loadAcquire(at: Int(SegmentLayout.Word.committedEnd.offset))
    state = mapping.loadAcquire(at: Int(SegmentLayout.Word.state.offset))
    syncedEnd = mapping.loadAcquire(at: Int(SegmentLayout.Word.syncedEnd.offset))
  }
  init(scratch: ByteBuffer) {
    lastAppendTime = scratch.load(UInt64.self, at: SegmentLayout.Word.lastAppendTime.offsetInBlock)
    lastSequence = scratch.load(UInt64.self, at: SegmentLayout.Word.lastSequence.offsetInBlock)
    committedEnd = scratch.load(UInt64.self, at: SegmentLayout.Word.committedEnd.offsetInBlock)
    state = scratch.load(UInt64.self, at: SegmentLayout.Word.state.offsetInBlock)
    syncedEnd = scratch.load(UInt64.self, at: SegmentLayout.Word.syncedEnd.offsetInBlock)
  }
}

/// What a writer keeps of a segment between two appends, under its lock.
final class AppendMemory {
  private(set) var raw = RawWords()
  private(set) var words: AppendWords?
  /// Room for all words up to the synced end, read at once.
  let scratch = ByteBuffer(count: SegmentLayout.Word.syncedEnd.offsetInBlock + 8)

  func remember(_ raw: RawWords, _ words: AppendWords) {
    self.raw = raw
    self.words = words
  }
}
