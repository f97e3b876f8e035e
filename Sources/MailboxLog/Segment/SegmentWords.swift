import RawMemory
import StorageIO

/// The mutable words of one segment: through a mapping once there is one, else through `pread` and `pwrite`.
///
/// A mapping is dear for one append (two faults, and a store may dirty, and make a sync write, megabytes), and can't be used where an
/// overwrite may allocate. Both ways are used on one file at once. Reading never trusts: a word whose check fails is nil. A reader that meets
/// a store of the other way halfway through sees a check that fails, and looks again.
final class SegmentWords: @unchecked Sendable {
  typealias Word = SegmentLayout.Word
  private let file: StorageFile
  private let coding: WordCoding
  /// The listener word while nobody listens.
  private let silence: UInt64
  /// Set once, by the owner, before the words are shared between threads.
  private var mapping: Mapping?
  /// Whether the mapping may be stored to; else stores go through `pwrite`.
  private var isWritable = false
  private static let attemptCount = 100

  init(_ file: StorageFile, identifier: MailboxSegmentID) {
    self.file = file
    coding = WordCoding(identifier: identifier)
    silence = coding.encode(0, index: Word.listener.rawValue)
  }

  var isMapped: Bool { mapping != nil }
  var storesMapped: Bool { isWritable }

  /// Lends the mapping; nil without one.
  @inline(__always) func mapped<R>(_ body: (Mapping) -> R) -> R? { if let mapping { body(mapping) } else { nil } }

  /// Uses a mapping of the first two blocks from here on; where pages are larger, what is behind the file's end is never looked at.
  /// - Parameter writable: whether stores go through it too.
  @discardableResult
  func map(writable: Bool = true) throws(SystemError) -> Mapping {
    if let mapping { return mapping }
    guard try file.status().byteCount >= SegmentLayout.dataStart else { throw SystemError(.map, ErrorNumber.inputOutput) }
    let made = try file.map(offset: 0, count: Int(SegmentLayout.dataStart), writable: writable, isForgottenInChild: true)
    mapping = made
    isWritable = writable
    return made
  }

  /// A word as it stands, for seeing whether it has changed. Of a mapping.
  @inline(__always) func encoded(_ word: Word) -> UInt64 { mapping?.loadAcquire(at: Int(word.offset)) ?? 0 }
  /// nil when the check fails.
  func decode(_ encoded: UInt64, _ word: Word) -> UInt64? { coding.decode(encoded, index: word.rawValue) }

  /// Acquires: what was stored before the word was is seen. nil when the word is damaged.
  func load(_ word: Word) throws(SystemError) -> UInt64? {
    let buffer = mapping == nil ? ByteBuffer(count: 8) : nil
    for _ in 0..<Self.attemptCount {
      let encoded: UInt64
      if let mapping {
        encoded = mapping.loadSequential(at: Int(word.offset))
      } else if let buffer {
        guard try file.read(buffer, 0..<8, at: word.offset) == 8 else { return nil }
        encoded = buffer.load(UInt64.self, at: 0)
      } else {
        return nil
      }
      if let value = coding.decode(encoded, index: word.rawValue) { return value }
    }
    return nil
  }

  /// Publishes, sequentially consistent. By the holder of the segment's lock alone, except where a word says otherwise.
  func store(_ value: UInt64, _ word: Word) throws(SystemError) {
    let encoded = coding.encode(value, index: word.rawValue)
    if let mapping, isWritable { return mapping.storeSequential(encoded, at: Int(word.offset)) }
    try write(encoded, at: word.offset)
  }

  /// Moves a word from a value that was loaded. - Returns: false when another was there, and nothing is changed.
  ///
  /// Without a mapping there is no compare-exchange: the caller holds the segment's lock, or a lost move does no harm.
  func exchange(_ expected: UInt64, _ desired: UInt64, _ word: Word) throws(SystemError) -> Bool {
    if let mapping, isWritable {
      return mapping.compareExchange(
        expected: coding.encode(expected, index: word.rawValue), desired: coding.encode(desired, index: word.rawValue),
        at: Int(word.offset))
    }
    guard try load(word) == expected else { return false }
    try store(desired, word)
    return true
  }

  /// Moves a word up to `value`; never back. - Returns: whether it was this call that did; false for a damaged word, too.
  @discardableResult
  func raise(_ word: Word, to value: UInt64) throws(SystemError) -> Bool {
    while let current = try load(word), current < value { if try exchange(current, value, word) { return true } }
    return false
  }

  /// After a sync that a committed end was read before. - Parameter syncedEnd: the word, as it was read before.
  func noteSynced(to end: UInt64, from syncedEnd: UInt64) throws(SystemError) {
    if storesMapped {
      try raise(.syncedEnd, to: end)
    } else if end > syncedEnd {
      // Two of these may pass each other: the word then says less than is true, which costs a report and no record.
      try store(end, .syncedEnd)
    }
  }

  /// The acknowledged mark of a record.
  func mark(of sequence: UInt64) -> UInt64 { coding.encode(sequence, index: SegmentLayout.markIndex) }

  /// Whether a mark says that the record is acknowledged: a damaged mark doesn't, so that no record is skipped for it.
  func isMark(_ word: UInt64, of sequence: UInt64) -> Bool {
    word != 0 && coding.decode(word, index: SegmentLayout.markIndex) == sequence & WordCoding.valueMax
  }

  func writeMark(of sequence: UInt64, frameAt offset: UInt64) throws(SystemError) {
    try write(mark(of: sequence), at: offset + UInt64(SegmentLayout.Frame.acknowledged))
  }

  /// Under the segment's lock: rings if a reader waits, and once more at the next append, unless the reader has asked anew by then.
  ///
  /// Who rang first may have died between its store and its ring. The ring comes last, so that a reader whose wish is overwritten
  /// meanwhile (without a mapping nothing is exchanged in one step) is woken to ask again.
  func ringIfAwaited() throws(SystemError) {
    if let mapping, mapping.loadSequential(at: Int(Word.listener.offset)) == silence { return }
    guard let listener = try load(.listener), listener != 0 else { return }
    if try exchange(listener, listener == 1 ? 2 : 0, .listener) { try ring() }
  }

  /// Asks the next append to ring. Nothing is stored twice: that would be a change of the file, and wake who asks.
  func awaitRing() throws(SystemError) {
    if try load(.listener) != 1 { try store(1, .listener) }
  }

  /// Wakes whoever listens: a write that changes nothing, since stores through a mapping raise no event.
  private func ring() throws(SystemError) { try write(0, at: SegmentLayout.bellOffset) }

  private func write(_ word: UInt64, at offset: UInt64) throws(SystemError) {
    let buffer = ByteBuffer(count: 8)
    buffer.store(word, at: 0)
    try file.write(buffer, 0..<8, at: offset)
  }
}
