import RawMemory
import StorageIO

/// The mutable words of one segment: through a mapping where stores can't fail, else through `pread` and `pwrite`.
///
/// Reading never trusts: a word whose check fails is nil. A `pread` of eight bytes may see half of a store; its check then
/// fails, and it is read again.
final class SegmentWords: @unchecked Sendable {
  typealias Word = SegmentLayout.Word
  private let file: StorageFile
  private let mapping: Mapping?
  private let coding: WordCoding

  /// - Parameter mapping: of the file's first 8,192 bytes or more, writable; nil for files that are only read, and where an
  ///   overwrite may allocate.
  init(_ file: StorageFile, mapping: Mapping?, identifier: MailboxSegmentID) {
    self.file = file
    self.mapping = mapping
    coding = WordCoding(identifier: identifier)
  }

  /// Acquires: what was stored before the word was is seen. nil when the word is damaged.
  func load(_ word: Word) throws(SystemError) -> UInt64? {
    if let mapping { return coding.decode(mapping.loadSequential(at: Int(word.offset)), index: word.rawValue) }
    let buffer = ByteBuffer(count: 8)
    for _ in 0..<3 {
      guard try file.read(buffer, 0..<8, at: word.offset) == 8 else { return nil }
      if let value = coding.decode(buffer.load(UInt64.self, at: 0), index: word.rawValue) { return value }
    }
    return nil
  }

  /// Publishes, sequentially consistent. By the holder of the segment's lock alone, except where a word says otherwise.
  func store(_ value: UInt64, _ word: Word) throws(SystemError) {
    let encoded = coding.encode(value, index: word.rawValue)
    if let mapping { return mapping.storeSequential(encoded, at: Int(word.offset)) }
    try write(encoded, at: word.offset)
  }

  /// Moves a word from a value that was loaded. - Returns: false when another was there, and nothing is changed.
  ///
  /// Without a mapping there is no compare-exchange: the caller holds the segment's lock.
  func exchange(_ expected: UInt64, _ desired: UInt64, _ word: Word) throws(SystemError) -> Bool {
    if let mapping {
      return mapping.compareExchange(
        expected: coding.encode(expected, index: word.rawValue), desired: coding.encode(desired, index: word.rawValue),
        at: Int(word.offset))
    }
    guard try load(word) == expected else { return false }
    try store(desired, word)
    return true
  }

  /// Moves a word up to `value`; never back.
  func raise(_ word: Word, to value: UInt64) throws(SystemError) {
    while let current = try load(word), current < value { if try exchange(current, value, word) { return } }
  }

  /// Whether `exchange` needs the segment's lock.
  var needsLockToExchange: Bool { mapping == nil }

  /// The acknowledged mark of a record, or 0.
  func mark(of sequence: UInt64) -> UInt64 { coding.encode(sequence, index: SegmentLayout.markIndex) }

  /// Whether a mark says that the record is acknowledged: a damaged mark doesn't, so that no record is skipped for it.
  func isMark(_ word: UInt64, of sequence: UInt64) -> Bool {
    word != 0 && coding.decode(word, index: SegmentLayout.markIndex) == sequence & WordCoding.valueMax
  }

  func writeMark(of sequence: UInt64, frameAt offset: UInt64) throws(SystemError) {
    try write(mark(of: sequence), at: offset + UInt64(SegmentLayout.Frame.acknowledged))
  }

  /// Wakes whoever listens: a write that changes nothing, since stores through a mapping raise no event.
  func ring() throws(SystemError) {
    let buffer = ByteBuffer(count: 8)
    try file.write(buffer, 0..<8, at: SegmentLayout.bellOffset)
  }

  private func write(_ word: UInt64, at offset: UInt64) throws(SystemError) {
    let buffer = ByteBuffer(count: 8)
    buffer.store(word, at: 0)
    try file.write(buffer, 0..<8, at: offset)
  }
}
