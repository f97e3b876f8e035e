import Foundation
import Testing

@testable import MailboxLog

/// The article on the format says what the code says.
@Suite struct ArticleTests {
  private struct Row {
    let cells: [String]
    var name: String { cells[0] }
    var offset: Int { Int(cells[1]) ?? -1 }
    var byteCount: Int { Int(cells[2]) ?? -1 }
  }

  private static let catalogue = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/MailboxLog/MailboxLog.docc")

  private func article(_ name: String) throws -> [String] {
    let text = try String(contentsOf: Self.catalogue.appendingPathComponent(name + ".md"), encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The rows of the table whose first heading is `heading`.
  private func table(_ heading: String) throws -> [Row] {
    let lines = try article("Format")
    let first = try #require(lines.firstIndex { $0.hasPrefix("| \(heading) |") })
    return lines[(first + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      Row(cells: line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) })
    }
  }

  @Test func headerFields() throws {
    let rows = try table("header field")
    #expect(rows.map(\.offset) == LayoutTests.header.map(\.offset))
    #expect(rows.map(\.byteCount) == LayoutTests.header.map(\.byteCount))
    let bench = try variedBench(isEncrypted: false)
    let shown = try SegmentInspection(path: bench.segmentPath, key: nil).headerFields()
    #expect(rows.filter { $0.name != "reserved" }.map(\.name) == shown.map(\.name))
    #expect(
      rows.filter { $0.name != "reserved" }.map { UInt64($0.offset)..<UInt64($0.offset + $0.byteCount) } == shown.map(\.range))
  }

  @Test func frameFields() throws {
    let rows = try table("frame field")
    #expect(rows.map(\.offset) == LayoutTests.frame.map(\.offset))
    #expect(rows.map(\.byteCount) == LayoutTests.frame.map(\.byteCount))
    let bench = try variedBench(isEncrypted: false)
    let shown = try SegmentInspection(path: bench.segmentPath, key: nil).frameFields(at: SegmentLayout.dataStart)
    let named = rows.filter { $0.name != "reserved" }
    #expect(named.map(\.name) == shown.map(\.name))
    let ranges = named.map { row in
      SegmentLayout.dataStart + UInt64(row.offset)..<SegmentLayout.dataStart + UInt64(row.offset + row.byteCount)
    }
    #expect(ranges == shown.map(\.range))
  }

  @Test func words() throws {
    let rows = try table("word")
    #expect(rows.map(\.name) == SegmentLayout.Word.allCases.map(\.name))
    #expect(rows.map(\.offset) == SegmentLayout.Word.allCases.map { Int($0.offset) })
    let state = try #require(rows.first { $0.name == "state" })
    #expect(state.cells[2] == "1 active, 2 sealed, 3 superseding, 4 removed")
  }

  @Test func fieldParts() throws {
    let rows = try table("field part")
    #expect(rows.map(\.offset) == [0, 2, 3, 4] && rows.map(\.byteCount) == [2, 1, 1, 4])
    #expect(FieldCoding.headerByteCount == 8)
    let names = ["bytes", "string", "int", "uint", "double", "bool", "date"]
    let types = names.enumerated().map { "\($0) \($1)" }.joined(separator: ", ")
    #expect(rows[1].cells[3] == types)
    let valueType = try #require(try table("frame field").first { $0.name == "value type" })
    #expect(valueType.cells[3] == types + ", \(SegmentLayout.valueTypeFields) fields")
    for (number, name) in names.enumerated() { #expect("\(try #require(LogValueType(rawValue: UInt8(number))))" == name) }
  }

  @Test func numbersInTheText() throws {
    let text = try article("Format").joined(separator: " ")
    for number in [
      "version \(SegmentLayout.formatVersion)", "offset \(SegmentLayout.bellOffset)",
      "a frame of \(SegmentLayout.Frame.body) bytes",
      "a tag of \(SegmentLayout.tagByteCount) bytes", "bytes 4 to \(SegmentLayout.Frame.checkedEnd - 1)",
      "index \(SegmentLayout.markIndex)",
      "`0x414E5445`",
    ] { #expect(text.contains(number), "\(number)") }
  }

  /// A reader of its own, from the article alone, for a plain file.
  @Test func aReaderFromTheArticle() throws {
    let bytes = [UInt8](try Data(contentsOf: GoldenBench.url("clean.segment")))
    func number(_ at: Int, _ count: Int) -> UInt64 {
      var value: UInt64 = 0
      for i in (0..<count).reversed() { value = value << 8 | UInt64(bytes[at + i]) }
      return value
    }
    func crc(_ seed: UInt32, _ data: [UInt8]) -> UInt32 {
      var state = ~seed
      for byte in data {
        state ^= UInt32(byte)
        for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xEDB8_8320 : state >> 1 }
      }
      return ~state
    }
    func little(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    #expect(Array(bytes[..<8]) == Array("ANTEROOM".utf8) && crc(0, Array(bytes[..<4092])) == UInt32(number(4092, 4)))
    // The identifier's numbers are big-endian in the file, and little-endian under the checksum.
    let identifier = Array(bytes[40..<48].reversed()) + bytes[48..<56].reversed()
    func word(_ raw: UInt64, _ index: UInt64) -> UInt64? {
      let value = raw & (1 << 48 - 1)
      let checksum = crc(crc(0, identifier), little(value | index << 48))
      let folded = UInt64((checksum ^ checksum >> 16) & 0xFFFF)
      return raw >> 48 == (folded == 0 ? 0xFFFF : folded) ? value : nil
    }
    let committedEnd = Int(try #require(word(number(4352, 8), 2)))
    var at = Int(try #require(word(number(4608, 8), 4)))
    var last = try #require(word(number(4736, 8), 5))
    let seed = crc(0x414E_5445, identifier)
    var ids: [String] = []
    while at < committedEnd {
      let (total, idCount, valueCount) = (Int(number(at + 4, 4)), Int(number(at + 28, 4)), Int(number(at + 32, 4)))
      #expect(total == (120 + idCount + valueCount + 7) & ~7)
      #expect(crc(crc(seed, little(UInt64(at))), Array(bytes[at + 4..<at + 112])) == UInt32(number(at, 4)))
      #expect(crc(seed, Array(bytes[at + 120..<at + total])) == UInt32(number(at + 8, 4)))
      #expect(number(at + 16, 8) > last)
      last = number(at + 16, 8)
      if word(number(at + 112, 8), 255) != last {
        ids.append(String(decoding: bytes[at + 120..<at + 120 + idCount], as: UTF8.self))
      }
      at += total
    }
    #expect(ids == ["empty", "bytes", "fields", "batch:1", "batch:2", "batch:3", "last"])
  }
}
