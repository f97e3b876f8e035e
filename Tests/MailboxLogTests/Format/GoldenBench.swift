import Foundation
import TestSupport
import Testing

@testable import MailboxLog

/// Where golden files are made: clocks, chance and the boot are fixed, so that the same calls give the same bytes.
final class GoldenBench {
  static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Golden")
  /// Files that are missing are written; by hand only. What is there never changes.
  static let isMaking = ProcessInfo.processInfo.environment["ANTEROOM_GOLDEN"] == "1"
  static let start: Int64 = 1_750_000_000_000_000

  let place = TemporaryDirectory()
  let calls = DialCalls(now: start, seed: 0x601D)

  /// The bytes of a file up to its committed end, and where its records are.
  struct Contents {
    var bytes: [UInt8]
    let records: [Range<Int>]

    func number(_ at: Int, _ byteCount: Int) -> UInt64 {
      (0..<byteCount).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
    }
    /// Cut in the middle of the last record.
    mutating func tear() { bytes.removeSubrange((bytes.count - 60)...) }
    mutating func flipBody(_ record: Int) { bytes[records[record].lowerBound + SegmentLayout.Frame.body + 2] ^= 0x01 }
    mutating func flipHeader(_ record: Int) { bytes[records[record].lowerBound + SegmentLayout.Frame.sequence] ^= 0x80 }
    mutating func flip(_ word: SegmentLayout.Word) { bytes[Int(word.offset)] ^= 0x08 }
    mutating func flipFileHeader() { bytes[SegmentLayout.Header.createdAt] ^= 0x01 }
  }

  /// What is in a file that was made here, under a file identity that doesn't depend on where.
  func contents(_ path: String, isLog: Bool) throws -> Contents {
    let inspection = try SegmentInspection(path: path, key: nil, isLog: isLog)
    let end = try #require(inspection.words().first { $0.name == "committed end" }?.value)
    var bytes = try inspection.read(0..<end)
    let word = SegmentLayout.Word.fileIdentity
    let identity = WordCoding(identifier: inspection.segmentID).encode(0x601D, index: word.rawValue)
    for i in 0..<8 { bytes[Int(word.offset) + i] = UInt8(truncatingIfNeeded: identity >> UInt64(8 * i)) }
    return Self.contents(bytes)
  }

  static func contents(_ bytes: [UInt8]) -> Contents {
    let whole = Contents(bytes: bytes, records: [])
    var records: [Range<Int>] = []
    var offset = Int(SegmentLayout.dataStart)
    while offset + SegmentLayout.Frame.body <= bytes.count {
      let byteCount = Int(whole.number(offset + SegmentLayout.Frame.totalByteCount, 4))
      if byteCount == 0 { break }
      records.append(offset..<offset + byteCount)
      offset += byteCount
    }
    return Contents(bytes: bytes, records: records)
  }

  static func url(_ name: String) -> URL { directory.appendingPathComponent("v1-" + name) }
  static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(name))) }

  /// Writes a golden file that is missing, where that is asked for, and compares it.
  static func check(_ name: String, _ made: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
    if isMaking, !FileManager.default.fileExists(atPath: url(name).path) { try Data(made).write(to: url(name)) }
    let kept = try bytes(name)
    guard kept != made else { return }
    let first = zip(kept, made).enumerated().first { $1.0 != $1.1 }?.offset ?? min(kept.count, made.count)
    Issue.record(
      "\(name) has \(kept.count) bytes, and this build writes \(made.count): other ones from \(first) on",
      sourceLocation: sourceLocation)
  }
}
