import Testing

@testable import KVToolCommands

@Suite struct RecordLineTests {
  private func read(_ text: String) throws(MalformedLine) -> RecordLine { try RecordLine(Array(text.utf8)) }

  @Test func payloadsAndFields() throws {
    let text = try read(#"{"id":"a\u0001\ud83d\ude80","payload":"x\ny","position":{"segment":"00","sequence":1},"appendedAt":"x"}"#)
    #expect(text.id == "a\u{1}\u{1F680}")
    guard case .payload(let bytes) = text.value else { throw MalformedLine("no payload") }
    #expect(bytes == Array("x\ny".utf8))
    let fields = try read(
      #"{"id":"a","schemaVersion":3,"fields":{"s":{"string":"é"},"b":{"bytes":"AP8="},"i":{"int":"-9223372036854775808"},"#
        + #""u":{"uint":"18446744073709551615"},"d":{"double":-0.0},"n":{"double":"bits:7ff8000000000001"},"t":{"bool":true},"#
        + #""w":{"date":791544600.5}}}"#)
    guard case .fields(let values) = fields.value else { throw MalformedLine("no fields") }
    #expect(values.map(\.name) == ["s", "b", "i", "u", "d", "n", "t", "w"])
    #expect(values[0].value == .string(Array("é".utf8)))
    #expect(values[1].value == .bytes([0, 255]))
    #expect(values[2].value == .int(.min))
    #expect(values[3].value == .uint(.max))
    guard case .double(let zero) = values[4].value, case .double(let nan) = values[5].value else {
      throw MalformedLine("no double")
    }
    #expect(zero.bitPattern == (-0.0).bitPattern && nan.bitPattern == 0x7ff8_0000_0000_0001)
    #expect(values[6].value == .bool(true))
    #expect(values[7].value == .date(791_544_600.5))
    #expect(fields.schemaVersion == 3)
  }

  @Test func doublesReadBackBitForBit() throws {
    for value in [
      0.1, -0.0, 1.7976931348623157e308, .infinity, -.infinity, .nan, Double(bitPattern: 0xFFF8_0000_0000_0007),
    ] {
      let line = try read(#"{"id":"a","fields":{"d":{"double":\#(Output.number(value))}}}"#)
      guard case .fields(let values) = line.value, case .double(let read) = values[0].value else {
        throw MalformedLine("no double")
      }
      #expect(read.bitPattern == value.bitPattern)
    }
  }

  @Test func malformedLinesSayWhy() {
    let lines = [
      "", "[]", "5", "{", "{}", #"{"id":"a"}"#, #"{"id":"","payload":"x"}"#, #"{"id":5,"payload":"x"}"#, #"{"id":"a","payload":5}"#,
      #"{"id":"a","payload":"x","payloadBase64":""}"#, #"{"id":"a","payloadBase64":"x"}"#, #"{"id":"a","payload":"x"} x"#,
      #"{"id":"a","payload":"x","color":"red"}"#, #"{"id":"a","id":"b","payload":"x"}"#, #"{"id":"a","fields":{"f":{"int":1.5}}}"#,
      #"{"id":"a","fields":{"f":{"int":1,"uint":1}}}"#, #"{"id":"a","fields":{"f":{"what":1}}}"#, #"{"id":"a","fields":[]}"#,
      #"{"id":"a","fields":{"":{"int":1}}}"#,
      #"{"id":"a","payload":"\ud800"}"#, #"{"id":"a","payload":"\q"}"#, "{\"id\":\"a\",\"payload\":\"\u{1}\"}",
      #"{"id":"a","payload":"x","schemaVersion":-1}"#, #"{"id":"a","payload":"x","schemaVersion":2}"#,
      #"{"id":"a","payload":"x",}"#,
      #"{"id":"a","fields":{"f":{"double":1e999}}}"#, #"{"id":"a","fields":{"f":{"int":01}}}"#,
      String(repeating: "[", count: 100_000),
    ]
    for line in lines {
      #expect(throws: MalformedLine.self, "\(line.prefix(60))") { _ = try read(line) }
    }
    #expect(throws: MalformedLine.self) { _ = try RecordLine([0x7B, 0xFF, 0x7D]) }
  }
}
