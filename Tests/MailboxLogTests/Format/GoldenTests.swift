import Foundation
import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// Files of each version of the format stay in `Golden`, and stay readable: version 1 is frozen.
///
/// A build that writes other bytes than these for the same calls has changed the format. `ANTEROOM_GOLDEN=1` writes files that are new.
@Suite struct GoldenTests {
  enum File: String, CaseIterable { case clean, torn, corrupt, encrypted }

  static let key = [UInt8](0..<32)
  private static let isMaking = GoldenBench.isMaking

  private func name(_ file: File) -> String { file.rawValue + ".segment" }
  private func url(_ file: File) -> URL { GoldenBench.url(name(file)) }
  private func options(_ file: File) throws -> LogOptions {
    var options = LogOptions(key: file == .encrypted ? try EncryptionKey(Self.key) : nil)
    options.durability = .processCrash
    return options
  }

  /// The same bytes in every run: clocks, chance and the file's identity are fixed.
  private func make(_ file: File) throws -> [UInt8] {
    let bench = GoldenBench()
    let (directory, calls) = (bench.place.path(of: "m.mailbox"), bench.calls)
    let writer = try MailboxWriter(directory: directory, options: options(file), system: calls)
    let first = try writer.append(id: "consumed", payload: [0])
    try writer.append(id: "empty", payload: [])
    calls.now = GoldenBench.start + 1_000_000
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
    var contents = try bench.contents(directory + "/00000001.segment", isLog: false)
    switch file {
    case .clean, .encrypted: break
    case .torn: contents.tear()
    case .corrupt:
      contents.bytes[contents.records[2].lowerBound + SegmentLayout.Frame.body + 40] ^= 0x01
      contents.flipHeader(5)
      contents.flip(.consumedEnd)
    }
    return contents.bytes
  }

  @Test("The files are what this build writes, byte for byte", arguments: File.allCases)
  func byteForByte(file: File) throws { try GoldenBench.check(name(file), make(file)) }

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
    // Nothing of it was ever synced, and it isn't the file that it was made as: no call had promised that what is gone stays.
    #expect(try reader.damage().isEmpty)
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
