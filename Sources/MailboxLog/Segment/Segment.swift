import RawMemory
import Sealing
import StorageIO

/// One open file, a segment of a mailbox or a key-value log: who it is, its words, and what its records are read and written with.
final class Segment: @unchecked Sendable {
  /// 0 of a key-value log.
  let number: SegmentNumber
  let file: StorageFile
  let header: SegmentHeader
  let words: SegmentWords
  let coding: WordCoding
  let checksum: FrameChecksum
  /// nil for a plain file.
  let keys: SegmentKeys?
  /// Whether boot and file are those that the segment recorded. Another boot may have lost the tail, another file is a copy:
  /// neither is ever appended to again, so that no position names two entries.
  let isTrusted: Bool
  /// How much of the file is allocated, as last seen. It only grows.
  var allocatedEnd: UInt64
  /// Damage below this offset has been told to the log handler.
  var reportedEnd: UInt64 = 0

  init(
    number: SegmentNumber, file: StorageFile, header: SegmentHeader, words: SegmentWords, keys: SegmentKeys?, isTrusted: Bool,
    allocatedEnd: UInt64, kind: LogFileKind = .mailboxSegment
  ) {
    self.number = number
    self.file = file
    self.header = header
    self.words = words
    self.keys = keys
    self.isTrusted = isTrusted
    self.allocatedEnd = allocatedEnd
    coding = WordCoding(identifier: header.identifier)
    checksum = FrameChecksum(identifier: header.identifier, kind: kind)
  }

  var identifier: MailboxSegmentID { header.identifier }
  /// Whether its records are sealed, also for a tool that has no key for them.
  var isSealedFile: Bool { header.keyScheme != .plain }

  /// What hashes the keys of a log. In a plain file it is the identifier that makes it another file's hash, in a sealed one a secret.
  var keyHash: KeyedHash {
    if let keys { return keys.keyHash() }
    var bytes: [UInt8] = []
    for word in [identifier.high, identifier.low] {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
    }
    return KeyedHash(key: SecretBytes(copying: bytes.span))
  }

  /// nil when the word is damaged or holds no state.
  func state() throws(SystemError) -> SegmentState? {
    guard let value = try words.load(.state) else { return nil }
    return SegmentState(rawValue: value)
  }

  /// Under the segment's lock: nothing is appended from here on.
  func seal() throws(SystemError) {
    try words.store(SegmentState.sealed.rawValue, .state)
    file.system.reach(.segmentSealed)
  }
}
