import Foundation
import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// Files of each version of the format stay in `Golden`, and stay readable; the first is provisional until the format is frozen.
///
/// Made by `ANTEROOM_GOLDEN=1 swift test --filter GoldenTests`, by hand, when the format changes before it is frozen.
@Suite struct GoldenTests {
  enum File: String, CaseIterable { case clean, torn, corrupt, encrypted }

  static let key = [UInt8](0..<32)
  static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Golden")
  private static let isMaking = ProcessInfo.processInfo.environment["ANTEROOM_GOLDEN"] == "1"

  private func url(_ file: File) -> URL { Self.directory.appendingPathComponent("v1-\(file.rawValue).segment") }
  private func options(_ file: File) throws -> LogOptions {
    var options = LogOptions(key: file == .encrypted ? try EncryptionKey(Self.key) : nil)
    options.durability = .processCrash
    return options
  }

  /// The same bytes in every run: clocks, chance and the file's identity are fixed.
  private func make(_ file: File) throws -> [UInt8] {
    let place = TemporaryDirectory()
    let directory = place.path(of: "m.mailbox")
    let calls = DialCalls(now: 1_750_000_000_000_000, seed: 0x601D)
    let writer = try MailboxWriter(directory: directory, options: options(file), system: calls)
    let first = try writer.append(id: "consumed", payload: [0])
    try writer.append(id: "empty", payload: [])
    calls.now = 1_750_000_001_000_000
    try writer.append(id: "bytes", payload: (0..<200).map { UInt8($0) })
    try writer.append(id: "fields", schemaVersion: 7) { fields in
      fields.set("text", "Grüße")
      fields.set("int", Int.min)
      fields.set("uint", UInt64.max)
      fields.set("double", -0.0)
      fields.set("bool", true)
      fields.set("date", LogTimestamp(secondsSinceReferenceDate: 0.5))
      fields.set("bytes", [1, 2, 3] as [UInt8])
    }
    try writer.appendBatch { batch in for i in 1...3 { batch.append(id: "batch:\(i)", payload: [UInt8(i)]) } }
    let marked = try writer.append(id: "marked", payload: [1])
    try writer.append(id: "last", payload: Array("the end".utf8))
    writer.close()
    let reader = try MailboxReader(directory: directory, options: options(file), system: calls)
    try reader.acknowledge([first, marked])
    let path = directory + "/00000001.segment"
    let inspection = try SegmentInspection(path: path, key: nil)
    let end = try #require(inspection.words().first { $0.name == "committed end" }?.value)
    var bytes = try inspection.read(0..<end)
    let word = SegmentLayout.Word.fileIdentity
    let identity = WordCoding(identifier: inspection.segmentID).encode(0x601D, index: word.rawValue)
    for i in 0..<8 { bytes[Int(word.offset) + i] = UInt8(truncatingIfNeeded: identity >> UInt64(8 * i)) }
    var starts: [UInt64] = []
    try inspection.forEachItem { starts.append($0.range.lowerBound) }
    switch file {
    case .clean, .encrypted: break
    case .torn: bytes.removeSubrange((bytes.count - 60)...)
    case .corrupt:
      bytes[Int(starts[2]) + SegmentLayout.Frame.body + 40] ^= 0x01
      bytes[Int(starts[5]) + SegmentLayout.Frame.sequence] ^= 0x80
      bytes[Int(SegmentLayout.Word.consumedEnd.offset)] ^= 0x08
    }
    return bytes
  }

  @Test("Make the files", .enabled(if: isMaking)) func makeFiles() throws {
    for file in File.allCases { try Data(make(file)).write(to: url(file)) }
  }

  @Test("The files are what this build writes, byte for byte", .disabled(if: isMaking), arguments: File.allCases)
  func byteForByte(file: File) throws {
    #expect([UInt8](try Data(contentsOf: url(file))) == (try make(file)))
  }

  @Test("The files are read", .disabled(if: isMaking), arguments: File.allCases) func reading(file: File) throws {
    let place = TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: place.path(of: "m.mailbox"), withIntermediateDirectories: false)
    let path = place.path(of: "m.mailbox/00000001.segment")
    try FileManager.default.copyItem(atPath: url(file).path, toPath: path)
    let reader = try MailboxReader(directory: place.path(of: "m.mailbox"), options: options(file))
    var ids: [String] = []
    var fields: [String] = []
    try reader.forEachPending { entry in
      ids.append(entry.id)
      switch entry.id {
      case "empty": #expect(entry.payload == [])
      case "bytes": #expect(entry.payload == (0..<200).map { UInt8($0) })
      case "last": #expect(entry.payload == Array("the end".utf8))
      case "fields":
        #expect(try entry.string("text") == "Grüße" && entry.int("int") == .min && entry.uint("uint") == .max)
        #expect(try entry.double("double").bitPattern == (-0.0).bitPattern && entry.bool("bool"))
        #expect(try entry.timestamp("date").secondsSinceReferenceDate == 0.5 && entry.bytes("bytes") == [1, 2, 3])
        #expect(entry.schemaVersion == 7 && entry.appendedAt.secondsSinceReferenceDate == 771_692_801)
        try entry.forEachField { name, _, _ in fields.append(name) }
      default: break
      }
    }
    let all = ["empty", "bytes", "fields", "batch:1", "batch:2", "batch:3", "last"]
    switch file {
    case .clean, .encrypted: #expect(ids == all)
    case .torn: #expect(ids == Array(all.dropLast()))
    // The consumed end is damaged, so what was consumed comes again; one body and one batch are gone.
    case .corrupt: #expect(ids == ["consumed", "empty", "fields", "last"])
    }
    #expect(fields == ["text", "int", "uint", "double", "bool", "date", "bytes"])
  }

  @Test("No helper appends to a golden file", .disabled(if: isMaking), arguments: File.allCases)
  func aCopyIsNeverAppendedTo(file: File) throws {
    let place = TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: place.path(of: "m.mailbox"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: url(file).path, toPath: place.path(of: "m.mailbox/00000001.segment"))
    let writer = try MailboxWriter(directory: place.path(of: "m.mailbox"), options: options(file))
    try writer.append(id: "new", payload: [])
    #expect(place.names.contains("m.mailbox/00000002.segment"))
  }
}
