import StorageIO
import Testing

@testable import MailboxLog

/// Typed fields: every type at its extremes, names at their limits, and errors that say what is stored.
@Suite struct FieldTests {
  private func roundTrip<R>(_ fields: (inout MailboxFields) -> Void, _ body: (borrowing MailboxEntry) throws -> R) throws -> R {
    let bench = try APIBench(isEncrypted: true)
    try bench.writer().append(id: "a", schemaVersion: .max, fields: fields)
    var result: R?
    try bench.reader().forEachPending { entry in
      #expect(entry.schemaVersion == .max)
      result = try body(entry)
    }
    try bench.expectWhole()
    return try #require(result)
  }

  @Test func everyTypeAtItsExtremes() throws {
    let doubles: [Double] = [
      0, -0.0, 1.5, .infinity, -.infinity, .nan, -.nan, .signalingNaN, Double(nan: 0x1234, signaling: false),
      .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, -.leastNormalMagnitude,
    ]
    let ints = [Int.min, -1, 0, 1, .max]
    let uints: [UInt64] = [0, 1, 1 << 63, .max]
    let texts = ["", "a", "\0", "é", "e\u{301}", String(repeating: "x", count: 70_000), "👩‍👩‍👧‍👦"]
    try roundTrip { fields in
      for (i, value) in doubles.enumerated() { fields.set("d\(i)", value) }
      for (i, value) in ints.enumerated() { fields.set("i\(i)", value) }
      for (i, value) in uints.enumerated() { fields.set("u\(i)", value) }
      for (i, value) in texts.enumerated() { fields.set("t\(i)", value) }
      for (i, value) in doubles.enumerated() { fields.set("s\(i)", LogTimestamp(secondsSinceReferenceDate: value)) }
      fields.set("true", true)
      fields.set("false", false)
      fields.set("int64", Int64.min)
      fields.set("bytes", [] as [UInt8])
      fields.set("span", [1, 2, 3].span)
    } _: { entry in
      for (i, value) in doubles.enumerated() {
        expectTrue(try entry.double("d\(i)").bitPattern == value.bitPattern)
        expectTrue(try entry.timestamp("s\(i)").secondsSinceReferenceDate.bitPattern == value.bitPattern)
      }
      for (i, value) in ints.enumerated() { expectTrue(try entry.int("i\(i)") == value) }
      for (i, value) in uints.enumerated() { expectTrue(try entry.uint("u\(i)") == value) }
      for (i, value) in texts.enumerated() { expectTrue(try Array(entry.string("t\(i)").utf8) == Array(value.utf8)) }
      expectTrue(try entry.bool("true") && !entry.bool("false") && entry.value(Int64.self, "int64") == .min)
      expectTrue(try entry.bytes("bytes") == [] && entry.bytes("span") == [1, 2, 3])
      #expect(entry.payload == [])
      expectTrue(try entry.withPayloadSpan { $0.count } == 0)
    }
  }

  @Test func missingAndMistaken() throws {
    try roundTrip { fields in
      fields.set("text", "1")
      fields.set("int", 1)
      fields.set("bytes", [1] as [UInt8])
    } _: { entry in
      #expect(throws: LogError.missingField(name: "no")) { try entry.string("no") }
      #expect(throws: LogError.missingField(name: "")) { try entry.string("") }
      #expect(throws: LogError.typeMismatch(stored: .string, requested: .int)) { try entry.int("text") }
      #expect(throws: LogError.typeMismatch(stored: .string, requested: .uint)) { try entry.uint("text") }
      #expect(throws: LogError.typeMismatch(stored: .string, requested: .double)) { try entry.double("text") }
      #expect(throws: LogError.typeMismatch(stored: .string, requested: .bool)) { try entry.bool("text") }
      #expect(throws: LogError.typeMismatch(stored: .string, requested: .date)) { try entry.timestamp("text") }
      #expect(throws: LogError.typeMismatch(stored: .string, requested: .bytes)) { try entry.bytes("text") }
      #expect(throws: LogError.typeMismatch(stored: .int, requested: .string)) { try entry.string("int") }
      #expect(throws: LogError.typeMismatch(stored: .int, requested: .uint)) { try entry.uint("int") }
      #expect(entry.has("text") && entry.has("int") && !entry.has("Text") && !entry.has(""))
    }
  }

  /// A type of one's own whose bytes aren't what it says.
  private struct Liar: LogValue {
    static var logValueType: LogValueType { .int }
    var logByteCount: Int { 3 }
    func appendLogBytes(to output: inout OutputSpan<UInt8>) { for byte in [UInt8(1), 2, 3] { output.append(byte) } }
    init() {}
    init?(logBytes: Span<UInt8>) { nil }
  }
  private struct Truth: LogValue {
    static var logValueType: LogValueType { .bool }
    var logByteCount: Int { 1 }
    func appendLogBytes(to output: inout OutputSpan<UInt8>) { output.append(2) }
    init() {}
    init?(logBytes: Span<UInt8>) { nil }
  }

  @Test func bytesThatAreNotOfTheirType() throws {
    try roundTrip { fields in
      fields.set("int", Liar())
      fields.set("bool", Truth())
    } _: { entry in
      #expect(throws: LogError.corrupted(offset: SegmentLayout.dataStart, reason: "")) { try entry.int("int") }
      #expect(throws: LogError.corrupted(offset: SegmentLayout.dataStart, reason: "")) { try entry.bool("bool") }
    }
  }

  @Test("Names of 1 to 65,535 bytes") func names() throws {
    let longest = String(repeating: "n", count: 65_535)
    try roundTrip {
      $0.set(longest, 1)
    } _: {
      expectTrue(try $0.int(longest) == 1)
    }
    let bench = try APIBench()
    let writer = try bench.writer()
    let tooLong = LogError.keyTooLarge(byteCount: 65_536, limit: 65_535)
    #expect(throws: tooLong) { try writer.append(id: "a") { $0.set(longest + "n", 1) } }
    #expect(throws: LogError.invalidKey) { try writer.append(id: "a") { $0.set("", 1) } }
    #expect(throws: LogError.invalidKey) { try writer.append(id: "a") { $0.set("", [1].span) } }
    #expect(throws: LogError.invalidKey) {
      try writer.append(id: "a") { fields in
        fields.set("b", 1)
        fields.rename("b", to: "")
      }
    }
    #expect(throws: tooLong) { try writer.appendBatch { $0.append(id: "a") { $0.set(longest + "n", 1) } } }
    #expect(bench.segmentNames == [])
  }

  @Test func settingAgainRenamingAndRemoving() throws {
    let names = try roundTrip { fields in
      fields.set("a", 1)
      fields.set("b", "two")
      fields.set("a", "one")
      fields.set("c", 3)
      fields.set("d", 4)
      fields.rename("c", to: "d")
      fields.rename("none", to: "x")
      fields.remove("none")
      fields.set("e", 5)
      fields.remove("e")
      fields.set("f", 6)
      fields.rename("f", to: "f")
    } _: { entry in
      expectTrue(try entry.string("a") == "one" && entry.string("b") == "two" && entry.int("d") == 3 && entry.int("f") == 6)
      for name in ["c", "e", "x", "none"] { #expect(entry.has(name) == false) }
      var names: [String] = []
      try entry.forEachField { name, type, value in
        names.append(name)
        #expect(value.count == (type == .int ? 8 : 3))
      }
      return names
    }
    #expect(names.sorted() == ["a", "b", "d", "f"])
  }

  @Test func fieldsOfAPayloadAreNone() throws {
    let bench = try APIBench()
    try bench.writer().append(id: "a", payload: plausibleFields)
    try bench.reader().forEachPending { entry in
      #expect(entry.has("a") == false)
      #expect(throws: LogError.missingField(name: "a")) { try entry.int("a") }
      try entry.forEachField { _, _, _ in Issue.record("a payload has no fields") }
      #expect(entry.payload == plausibleFields && entry.schemaVersion == 0)
    }
  }
  private var plausibleFields: [UInt8] {
    var fields = MailboxFields()
    fields.set("a", 1)
    return fields.encodedValue
  }

  private struct Stop: Error, Equatable {}
  @Test func closuresThatThrow() throws {
    try roundTrip { fields in
      for i in 0..<4 { fields.set("f\(i)", i) }
    } _: { entry in
      var seen = 0
      #expect(throws: Stop()) {
        try entry.forEachField { (_, _, _) throws in
          seen += 1
          if seen == 2 { throw Stop() }
        }
      }
      #expect(seen == 2)
      #expect(throws: LogError.busy(waited: .zero)) {
        try entry.forEachField { (_, _, _) throws(LogError) in throw .busy(waited: .zero) }
      }
      #expect(throws: Stop()) { try entry.withPayloadSpan { (_) throws -> Int in throw Stop() } }
    }
  }
}
