import Foundation
import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// A mailbox of one segment whose content is known record by record, and whose bytes a test changes.
///
/// The file keeps its inode, and so its identity, as long as nobody removes it; one that is made again gets its identity word
/// rewritten, so that damage is looked at in a segment that is trusted.
final class SegmentBench {
  let place = TemporaryDirectory()
  let system = DialCalls(now: 1_750_000_000_000_000)
  let key: EncryptionKey?
  let events = Told<LogEvent>()
  private(set) var original: [UInt8] = []
  private(set) var segmentID = MailboxSegmentID(high: 0, low: 0)
  /// By sequence.
  private(set) var known: [UInt64: KnownEntry] = [:]
  private(set) var frames: [UInt64: Range<Int>] = [:]
  private(set) var pending: Set<UInt64> = []
  private(set) var committedEnd = 0

  var directory: String { place.path(of: "m.mailbox") }
  var segmentPath: String { directory + "/00000001.segment" }
  var coding: WordCoding { WordCoding(identifier: segmentID) }

  /// - Parameters:
  ///   - fill: writes the entries, into one segment.
  ///   - acknowledged: sequences, acknowledged afterwards.
  init(isEncrypted: Bool, acknowledged: [UInt64] = [], fill: (MailboxWriter) throws -> Void) throws {
    key = isEncrypted ? try EncryptionKey([UInt8](repeating: 7, count: 32)) : nil
    let writer = try writer()
    try fill(writer)
    writer.close()
    let inspection = try SegmentInspection(path: segmentPath, key: key)
    segmentID = inspection.segmentID
    try inspection.forEachItem { item in
      #expect(item.badReason == nil)
      let range = item.range
      try item.withEntry { entry in
        known[entry.position.sequence] = KnownEntry(entry)
        frames[entry.position.sequence] = Int(range.lowerBound)..<Int(range.upperBound)
      }
    }
    committedEnd = frames.values.map(\.upperBound).max() ?? Int(SegmentLayout.dataStart)
    let reader = try reader()
    try reader.acknowledge(acknowledged.map { MailboxPosition(segment: segmentID, sequence: $0) })
    reader.close()
    pending = Set(known.keys).subtracting(acknowledged)
    original = try #require(place.contents("m.mailbox/00000001.segment"))
  }

  func options(_ recovery: LogRecoveryPolicy = .report) -> LogOptions {
    var options = LogOptions(key: key)
    options.durability = .processCrash
    options.recovery = recovery
    options.logHandler = { [events] in events.tell($0) }
    return options
  }
  func writer() throws(LogError) -> MailboxWriter {
    try MailboxWriter(directory: directory, options: options(), system: system)
  }
  func reader(_ recovery: LogRecoveryPolicy = .report) throws(LogError) -> MailboxReader {
    try MailboxReader(directory: directory, options: options(recovery), system: system)
  }

  var bytes: [UInt8]? { place.contents("m.mailbox/00000001.segment") }

  /// Puts the directory into the state of one segment with these bytes.
  func put(_ bytes: [UInt8]) throws {
    events.forget()
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) where name != "00000001.segment" {
      try FileManager.default.removeItem(atPath: directory + "/" + name)
    }
    if !FileManager.default.fileExists(atPath: segmentPath) { place.write([], to: "m.mailbox/00000001.segment") }
    let file = try StorageFile(.live, path: segmentPath, flags: OpenFlag.readWrite)
    if try file.status().byteCount != UInt64(bytes.count) {
      try FileHandle(forWritingTo: URL(fileURLWithPath: segmentPath)).truncate(atOffset: UInt64(bytes.count))
    }
    guard !bytes.isEmpty else { return }
    let buffer = ByteBuffer(count: bytes.count)
    buffer.copy(bytes.span, at: 0)
    let identity = Int(SegmentLayout.Word.fileIdentity.offset)
    if bytes.count >= identity + 8, bytes[identity..<identity + 8] == original[identity..<identity + 8] {
      buffer.store(
        coding.encode(Identity.file(try file.status()), index: SegmentLayout.Word.fileIdentity.rawValue), at: identity)
    }
    try file.write(buffer, 0..<bytes.count, at: 0)
  }

  /// The bytes of the original with one word of another value, which passes its check.
  func with(_ word: SegmentLayout.Word, _ value: UInt64) -> [UInt8] {
    var bytes = original
    let encoded = coding.encode(value, index: word.rawValue)
    for i in 0..<8 { bytes[Int(word.offset) + i] = UInt8(truncatingIfNeeded: encoded >> UInt64(8 * i)) }
    return bytes
  }

  /// Which records damage at a byte takes away: none in the words or in a mark, a whole batch for one of its members.
  func lost(at offset: Int) -> Set<UInt64> {
    if offset < SegmentLayout.blockByteCount { return pending }
    for (sequence, range) in frames where range.contains(offset) {
      let mark = range.lowerBound + SegmentLayout.Frame.acknowledged
      if mark..<mark + 8 ~= offset { return [] }
      return batch(of: sequence).intersection(pending)
    }
    return []
  }
  /// Whether a byte is in the header, or in a record that isn't consumed, though it may be acknowledged.
  func isReported(_ offset: Int) -> Bool {
    if offset < SegmentLayout.blockByteCount { return true }
    let consumedEnd = frames[pending.min() ?? 0]?.lowerBound ?? committedEnd
    return frames.contains { _, range in
      let mark = range.lowerBound + SegmentLayout.Frame.acknowledged
      return range.lowerBound >= consumedEnd && range.contains(offset) && !(mark..<mark + 8 ~= offset)
    }
  }
  func batch(of sequence: UInt64) -> Set<UInt64> {
    guard let entry = known[sequence] else { return [] }
    return Set(known.filter { $0.value.batch == entry.batch && entry.batch != nil || $0.key == sequence }.keys)
  }

  /// Checks every segment of the directory record by record.
  func expectWhole(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectWholeMailbox(directory, key: key, sourceLocation: sourceLocation)
  }
}

/// What a record has to come back as.
struct KnownEntry: Equatable {
  let id: String
  let value: [UInt8]
  let hasFields: Bool
  let schemaVersion: UInt32
  /// The part of the id before a colon: entries of a batch are called "batch:1" and so on.
  var batch: Substring? { id.contains(":") ? id.split(separator: ":")[0] : nil }

  init(_ entry: borrowing MailboxEntry) {
    id = entry.id
    value = entry.encodedValue
    hasFields = entry.hasFields
    schemaVersion = entry.schemaVersion
  }
}

/// Every word and every record of every segment is whole, and no temporary file is left.
func expectWholeMailbox(_ directory: String, key: EncryptionKey?, sourceLocation: SourceLocation = #_sourceLocation) throws {
  #expect(litter(in: directory) == [], sourceLocation: sourceLocation)
  for path in try mailboxSegmentPaths(in: directory) {
    let inspection = try SegmentInspection(path: path, key: key)
    #expect(inspection.headerFault == nil, sourceLocation: sourceLocation)
    for word in inspection.words() { #expect(word.value != nil, "\(word.name) of \(path)", sourceLocation: sourceLocation) }
    try inspection.forEachItem { item in
      let range = item.range
      let bad = item.badReason
      #expect(bad == nil, "\(range) of \(path)", sourceLocation: sourceLocation)
      if bad == nil {
        let failure = try item.withEntry { $0.openingFailure }
        #expect(failure == nil, "\(range) of \(path)", sourceLocation: sourceLocation)
      }
    }
  }
}
