import StorageIO
import Testing

@testable import MailboxLog

/// Limits of ids and payloads, at each and one past it; a refused append changes nothing.
@Suite struct EntryLimitTests {
  @Test("Ids of 1 to 1,024 bytes", arguments: [false, true]) func ids(isEncrypted: Bool) throws {
    let bench = try APIBench(isEncrypted: isEncrypted)
    let writer = try bench.writer()
    let good = ["a", String(repeating: "x", count: 1024), String(repeating: "é", count: 512), "\0", "a\0b", "👩‍👩‍👧‍👦", "a:/\\\n"]
    for id in good { try writer.append(id: id, payload: [1]) }
    let before = try bench.state()
    let longer = String(repeating: "x", count: 1025)
    let append: [(String) throws -> Void] = [
      { try writer.append(id: $0, payload: []) }, { try writer.append(id: $0) { _ in } },
      { id in try writer.appendBatch { $0.append(id: id, payload: []) } },
      { id in
        try writer.appendBatch { batch in
          batch.append(id: "fine", payload: [])
          batch.append(id: id) { _ in }
          batch.append(id: "fine too", payload: [])
        }
      },
    ]
    for call in append {
      #expect(throws: LogError.invalidKey) { try call("") }
      #expect(throws: LogError.keyTooLarge(byteCount: 1025, limit: 1024)) { try call(longer) }
    }
    #expect(throws: LogError.invalidKey) { try writer.contains(id: "") }
    #expect(try !writer.contains(id: longer))
    #expect(try bench.state() == before)
    let reader = try bench.reader()
    #expect(try reader.ids() == good)
    for id in good { #expect(try writer.contains(id: id)) }
    #expect(try !writer.contains(id: "e\u{301}"))
    try bench.expectWhole()
  }

  @Test("B050, B052: payloads of every length", arguments: [false, true]) func payloads(isEncrypted: Bool) throws {
    let bench = try APIBench(isEncrypted: isEncrypted)
    let writer = try bench.writer()
    let counts = Array(0...17) + [127, 128, 255, 256, 4095, 4096, 16_383, 16_384, 65_535, 65_536, 1 << 20]
    let payloads = counts.map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) } }
    for payload in payloads { try writer.append(id: "x", payload: payload) }
    let reader = try bench.reader()
    var index = 0
    try reader.forEachPending { entry in
      #expect(entry.payload == payloads[index] && entry.id == "x")
      expectTrue(try entry.withPayloadSpan { $0.count } == payloads[index].count)
      index += 1
    }
    #expect(index == payloads.count)
    try bench.expectWhole()
  }

  @Test("The limit counts id and value together") func recordByteCountMax() throws {
    let bench = try APIBench()
    let writer = try bench.writer { $0.recordByteCountMax = 100 }
    try writer.append(id: "ab", payload: [UInt8](repeating: 1, count: 98))
    #expect(throws: LogError.recordTooLarge(byteCount: 101, limit: 100)) {
      try writer.append(id: "ab", payload: [UInt8](repeating: 1, count: 99))
    }
    #expect(throws: LogError.recordTooLarge(byteCount: 101, limit: 100)) {
      try writer.append(id: "ab") { $0.set("f", [UInt8](repeating: 1, count: 90)) }
    }
    #expect(throws: LogError.recordTooLarge(byteCount: 101, limit: 100)) {
      try writer.appendBatch { batch in
        batch.append(id: "ok", payload: [])
        batch.append(id: "ab", payload: [UInt8](repeating: 1, count: 99))
      }
    }
    for limit in [0, -1, Int.min] {
      let writer = try bench.writer { $0.recordByteCountMax = limit }
      #expect(throws: LogError.recordTooLarge(byteCount: 1, limit: limit)) { try writer.append(id: "a", payload: []) }
    }
    _ = try bench.writer { $0.recordByteCountMax = .max }.append(id: "ab", payload: [UInt8](repeating: 1, count: 99))
    #expect(try bench.reader().ids() == ["ab", "ab"])
  }

  @Test("The largest record of the default options") func theLargestRecord() throws {
    let bench = try APIBench(isEncrypted: true)
    let writer = try bench.writer()
    let payload = [UInt8](repeating: 9, count: 16 << 20 - 1)
    #expect(throws: LogError.recordTooLarge(byteCount: 16 << 20 + 1, limit: 16 << 20)) {
      try writer.append(id: "ab", payload: payload)
    }
    try writer.append(id: "a", payload: payload)
    try writer.append(id: "b", payload: [1])
    // One over 8 MiB is sealed and the next is taken.
    #expect(bench.segmentNames.count == 2)
    let reader = try bench.reader()
    var counts: [Int] = []
    try reader.forEachPending { counts.append(try $0.withPayloadSpan { $0.count }) }
    #expect(counts == [payload.count, 1])
    try reader.acknowledge(try reader.positions())
    #expect(try reader.pendingCount == 0)
  }

  @Test("A segment is left at 8 MiB, and the order stays", arguments: [false, true]) func rollOver(isEncrypted: Bool) throws {
    let bench = try APIBench(isEncrypted: isEncrypted)
    let writer = try bench.writer()
    let payload = [UInt8](repeating: 3, count: 256 << 10)
    var segments: [MailboxSegmentID] = []
    for i in 0..<70 {
      let position = try writer.append(id: "e\(i)", payload: payload)
      if segments.last != position.segment { segments.append(position.segment) }
    }
    #expect(segments.count == 3 && bench.segmentNames.count == 3)
    for path in try mailboxSegmentPaths(in: bench.directory).dropLast() {
      #expect(try SegmentInspection(path: path, key: bench.options.key).stateName == "sealed")
    }
    let reader = try bench.reader()
    #expect(try reader.ids() == (0..<70).map { "e\($0)" })
    #expect(try writer.pendingCount == 70 && reader.backlog().entryCount == 70)
    try reader.acknowledge(Array(try reader.positions().reversed()))
    #expect(try reader.pendingCount == 0)
    #expect(bench.segmentNames.count == 0)
    try writer.append(id: "next", payload: [])
    #expect(try reader.ids() == ["next"])
    try bench.expectWhole()
  }
}
