import Foundation
import ObjectStorage
import TestSupport
import Testing

@testable import KVToolCommands

/// Nothing gets lost on the way to JSON.
@Suite struct StoreDumpTests {
  private let uuid = UUID()

  private func store() async throws -> TestStore {
    let uuid = uuid
    return try await TestStore(count: 2) { transaction in
      try transaction.save(
        TestStore.Everything(
          flag: true, small: -128, large: .max, number: -0.0, price: Decimal(string: "12345678901234567890.125") ?? 0,
          bytes: Data([0, 255]), day: Date(timeIntervalSinceReferenceDate: 0.1), uuid: uuid,
          stamp: TestStore.Stamp(country: "is\n\u{202E}", value: 1.5), words: ["a", ""], counts: ["z": 1, "a": -1]))
      try transaction.save(TestStore.Everything(number: .nan))
    }
  }

  @Test func everyKindOfValue() async throws {
    let store = try await store()
    let run = try ToolProcess.run("dump", store.path)
    #expect(run.code == 0, "\(run.errorOutput)")
    try #require(run.lines.count == 6)
    #expect(run.lines[0].hasPrefix(#"{"type":"Everything","schema":{"properties":[{"name":"flag","type":"Bool","#))
    let everything = try #require(run.lines.dropFirst().first)
    for part in [
      #""row":1,"object":{"flag":true,"small":-128,"large":"18446744073709551615","number":-0.0"#,
      #""price":"12345678901234567890.125""#,
      #""bytes":"AP8=""#, #""day":0.1,"#, "\"uuid\":\"\(uuid.uuidString)\"", #""stamp":{"country":"is\n\u202e","value":"1.5"}"#,
      #""words":["a",""]"#, #""counts":{"a":-1,"z":1}"#,
    ] { #expect(everything.contains(part), "\(part)\n\(everything)") }
    #expect(run.lines[2].contains(#""number":"bits:7ff8000000000000""#), "\(run.lines[2])")
    for line in run.lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(run.lines.last?.hasPrefix(#"{"type":"Letter","object":{"id":"l1""#) == true)
  }

  /// A leaf that can't be read: what is beside it is printed, and what was left out is said.
  @Test func damageIsLeftOut() async throws {
    let store = try await TestStore(count: 4_000)
    let whole = try ToolProcess.run("dump", store.path).lines.count
    var bytes = try store.bytes()
    // In the newest version's leaf with this text: it is there once.
    let pattern = Array("text 2000".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: pattern) })
    bytes[place] ^= 1
    try store.replace(bytes)
    let run = try ToolProcess.run("dump", store.path)
    #expect(run.code == 2)
    #expect(run.errorOutput.contains("left out"), "\(run.errorOutput)")
    #expect(run.lines.count < whole && run.lines.count > whole / 2)
    #expect(try ToolProcess.run("verify", store.path).code == 1)
    #expect(try ToolProcess.run("get", store.path, "Letter", "l2000").code == 65)
    #expect(try ToolProcess.run("get", store.path, "Letter", "l1").code == 0)
  }
}
