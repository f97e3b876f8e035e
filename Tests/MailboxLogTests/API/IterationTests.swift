import StorageIO
import Testing

@testable import MailboxLog

/// Going over what waits, and acknowledging it in whatever order.
@Suite struct IterationTests {
  private func filled(_ count: Int = 10, isEncrypted: Bool = false) throws -> APIBench {
    let bench = try APIBench(isEncrypted: isEncrypted)
    let writer = try bench.writer()
    for i in 0..<count { try writer.append(id: "e\(i)", payload: [UInt8](repeating: UInt8(i), count: 100)) }
    return bench
  }

  @Test func limits() throws {
    let bench = try filled()
    let reader = try bench.reader()
    let all = (0..<10).map { "e\($0)" }
    for (limit, count) in [(0, 0), (-1, 0), (Int.min, 0), (1, 1), (9, 9), (10, 10), (11, 10), (.max, 10)] {
      #expect(try reader.ids(limit: limit) == Array(all[..<count]))
    }
    // Each has 102 bytes; the entry with which the sum is reached is still delivered.
    for (bytes, count) in [(0, 0), (-5, 0), (1, 1), (101, 1), (102, 1), (103, 2), (204, 2), (205, 3), (1020, 10), (.max, 10)] {
      #expect(try reader.ids(byteCountMax: bytes) == Array(all[..<count]))
    }
    #expect(try reader.forEachPending(limit: 4) { _ in } == 4)
    #expect(try reader.ids(limit: 3, byteCountMax: 150) == ["e0", "e1"])
  }

  private struct Stop: Error, Equatable { let index: Int }

  @Test func bodiesThatThrow() throws {
    let bench = try filled()
    let reader = try bench.reader()
    var seen: [String] = []
    #expect(throws: Stop(index: 3)) {
      try reader.forEachPending { (entry) throws in
        if seen.count == 3 { throw Stop(index: 3) }
        seen.append(entry.id)
      }
    }
    #expect(seen == ["e0", "e1", "e2"])
    do throws(LogError) {
      try reader.forEachPending { (_) throws(LogError) in throw .busy(waited: .seconds(1)) }
      Issue.record("nothing was thrown")
    } catch { #expect(error == .busy(waited: .zero)) }
    // Nothing is acknowledged by it, and the reader goes on.
    #expect(try reader.ids().count == 10)
  }

  @Test(arguments: [false, true]) func theBodyMayCallTheReader(isEncrypted: Bool) throws {
    let bench = try filled(isEncrypted: isEncrypted)
    let (reader, writer) = (try bench.reader(), try bench.writer())
    var outer: [String] = []
    var inner = 0
    try reader.forEachPending { (entry) throws in
      outer.append(entry.id)
      if outer.count == 2 { inner = try reader.forEachPending { _ in } }
      if outer.count == 3 { try writer.append(id: "meanwhile", payload: []) }
      #expect(try reader.backlog().entryCount > 0)
      try reader.acknowledge([entry.position])
      // What is lent stays, also after the end has moved.
      let payload = entry.payload
      #expect(payload == [UInt8](repeating: UInt8(outer.count - 1), count: 100))
    }
    #expect(outer == (0..<10).map { "e\($0)" })
    #expect(inner == 9)
    #expect(try reader.ids() == ["meanwhile"])
    try bench.expectWhole()
  }

  @Test func closingInTheMiddle() throws {
    for suspends in [false, true] {
      let bench = try filled()
      let reader = try bench.reader()
      var seen = 0
      #expect(throws: suspends ? LogError.suspended : .closed) {
        try reader.forEachPending { (entry) throws in
          seen += 1
          if seen == 2 { if suspends { reader.suspend() } else { reader.close() } }
          #expect(entry.payload.count == 100)
        }
      }
      #expect(seen == 2)
    }
  }

  @Test(arguments: [false, true]) func anyOrderOfAcknowledging(isMapped: Bool) throws {
    let orders: [[Int]] = [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0], [0, 2, 4, 6, 8, 1, 3, 5, 7, 9],
      [5, 0, 9, 1, 8, 2, 7, 3, 6, 4],
      [4, 4, 4, 0, 0, 9, 1, 2, 3, 5, 6, 7, 8, 4],
    ]
    for order in orders {
      for isTogether in [false, true] {
        let bench = try filled()
        bench.system.fileSystemKind = isMapped ? .overwritesInPlace : .mayAllocateAgain
        let (reader, writer) = (try bench.reader(), try bench.writer())
        let positions = try reader.positions()
        if isTogether {
          try reader.acknowledge(order.map { positions[$0] })
        } else {
          var left = Set(0..<10)
          for index in order {
            try reader.acknowledge([positions[index]])
            left.remove(index)
            #expect(try reader.ids() == left.sorted().map { "e\($0)" })
            #expect(try reader.pendingCount == left.count && reader.backlog().entryCount == left.count)
            #expect(try writer.contains(id: "e\(index)") == false)
            // A count of words: exact up to the first gap, never less than what waits.
            #expect(try writer.pendingCount >= left.count && writer.pendingCount <= 10 - (left.min() ?? 10))
            #expect(try bench.reader().ids() == left.sorted().map { "e\($0)" })
          }
        }
        #expect(try reader.pendingCount == 0 && writer.pendingCount == 0)
        #expect(bench.segmentNames == [])
        #expect(try writer.append(id: "next", payload: []).segment != positions[0].segment)
        #expect(try reader.ids() == ["next"])
        try bench.expectWhole()
      }
    }
  }

  @Test func unknownPositions() throws {
    let bench = try filled()
    let reader = try bench.reader()
    let first = try reader.positions()[0]
    let strangers = [
      MailboxPosition(segment: first.segment, sequence: 0), MailboxPosition(segment: first.segment, sequence: 11),
      MailboxPosition(segment: first.segment, sequence: .max),
      MailboxPosition(segment: MailboxSegmentID(high: 1, low: 2), sequence: 1),
    ]
    try reader.acknowledge(strangers)
    #expect(try reader.pendingCount == 10)
    try reader.acknowledge(strangers + [first] + strangers)
    #expect(try reader.ids().first == "e1" && reader.pendingCount == 9)
    // Not by id: the same id again is another entry.
    try bench.writer().append(id: "e0", payload: [])
    try reader.acknowledge([first])
    #expect(try reader.ids().last == "e0" && reader.pendingCount == 10)
  }

  @Test func severalReaders() throws {
    let bench = try filled(30)
    let readers = [try bench.reader(), try bench.reader(), try bench.reader()]
    let positions = try readers[0].positions()
    for (index, position) in positions.enumerated().reversed() { try readers[index % 3].acknowledge([position]) }
    for reader in readers { #expect(try reader.pendingCount == 0 && reader.damage().isEmpty) }
    #expect(bench.segmentNames == [])
    try bench.writer().append(id: "again", payload: [])
    for reader in readers { #expect(try reader.ids() == ["again"]) }
  }

  @Test func batches() throws {
    let bench = try APIBench(isEncrypted: true)
    let writer = try bench.writer()
    #expect(try writer.appendBatch { _ in }.isEmpty)
    let positions = try writer.appendBatch { batch in
      for i in 0..<1000 { batch.append(id: "e\(i)", payload: [UInt8](repeating: 1, count: i)) }
    }
    #expect(positions.map(\.sequence) == (1...1000).map { UInt64($0) } && Set(positions.map(\.segment)).count == 1)
    let one = try writer.appendBatch { $0.append(id: "one") { $0.set("a", 1) } }
    #expect(one.map(\.sequence) == [1001])
    #expect(throws: LogError.invalidKey) {
      try writer.appendBatch { batch in
        batch.append(id: "good", payload: [])
        batch.append(id: "", payload: [])
        batch.append(id: String(repeating: "x", count: 2000), payload: [])
      }
    }
    let reader = try bench.reader()
    #expect(try reader.ids() == (0..<1000).map { "e\($0)" } + ["one"])
    try reader.acknowledge([positions[0], positions[999]])
    #expect(try reader.pendingCount == 999)
    try bench.expectWhole()
  }

  @Test("A batch larger than a segment") func aLargeBatch() throws {
    let bench = try APIBench()
    let writer = try bench.writer()
    try writer.append(id: "before", payload: [])
    try writer.appendBatch { batch in for i in 0..<10 { batch.append(id: "e\(i)", payload: [UInt8](repeating: 7, count: 1 << 20)) }
    }
    try writer.append(id: "after", payload: [])
    #expect(try bench.reader().ids() == ["before"] + (0..<10).map { "e\($0)" } + ["after"])
    #expect(bench.segmentNames.count == 2)
    try bench.expectWhole()
  }
}
