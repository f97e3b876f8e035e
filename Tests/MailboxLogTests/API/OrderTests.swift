import StorageIO
import Testing

@testable import MailboxLog

/// Order within a segment and across segments, ages and counts, with a clock in the test's hand.
@Suite struct OrderTests {
  private let start: Int64 = 1_750_000_000_000_000

  @Test func acrossSegmentsByAppendTime() throws {
    let bench = try APIBench(system: DialCalls(now: start))
    let (first, second) = (try bench.writer(), try bench.writer())
    // The second writer finds every segment busy once, and makes its own.
    try first.append(id: "t0", payload: [])
    let held = try StorageFile(
      .live, path: bench.directory + "/00000001.segment", flags: OpenFlag.readWrite)
    #expect(try held.tryLock())
    bench.system.now = start + 1_000_000
    try second.append(id: "t1", payload: [])
    held.unlock()
    #expect(bench.segmentNames.count == 2)
    for i in 2..<10 {
      bench.system.now = start + Int64(i) * 1_000_000
      try (i % 2 == 0 ? first : second).append(id: "t\(i)", payload: [])
    }
    let reader = try bench.reader()
    #expect(try reader.ids() == (0..<10).map { "t\($0)" })
    #expect(try reader.ids(limit: 3) == ["t0", "t1", "t2"])
    // Interleaved acknowledgements, across segments at once.
    let positions = try reader.positions()
    try reader.acknowledge([positions[7], positions[0], positions[1], positions[4]])
    #expect(try reader.ids() == ["t2", "t3", "t5", "t6", "t8", "t9"])
    try reader.acknowledge(positions.reversed())
    #expect(try reader.pendingCount == 0)
    try bench.expectWhole()
  }

  @Test func aClockSetBackNeverReordersOneSegment() throws {
    let bench = try APIBench(system: DialCalls(now: start))
    let writer = try bench.writer()
    var times: [Int64] = []
    for offset in [Int64(0), 5, -3_600, 10, -start / 1_000_000, -start / 1_000_000 - 100, 3, 20] {
      bench.system.now = start + offset * 1_000_000
      try writer.append(id: "\(offset)", payload: [])
    }
    let reader = try bench.reader()
    try reader.forEachPending { times.append($0.appendedAt.millisecondsSince1970) }
    #expect(times == times.sorted() && times.count == 8)
    #expect(times[2] == times[1] && times[7] - times[0] <= 20_000 && times[7] - times[0] > 19_990)
  }

  @Test func clocksOutsideOfTheFormat() throws {
    for now in [Int64.min, -1, 0, 1 << 54, Int64.max] {
      let bench = try APIBench(system: DialCalls(now: now))
      let writer = try bench.writer()
      try writer.append(id: "a", payload: [])
      try writer.append(id: "b", payload: [])
      let reader = try bench.reader()
      #expect(try reader.ids() == ["a", "b"], "\(now)")
      _ = (try reader.backlog(), try writer.backlog())
    }
  }

  @Test func ages() throws {
    let bench = try APIBench(system: DialCalls(now: start))
    let (writer, reader) = (try bench.writer(), try bench.reader())
    try writer.append(id: "old", payload: [])
    bench.system.now = start + 60_000_000
    try writer.append(id: "new", payload: [1, 2, 3])
    bench.system.now = start + 100_000_000
    for backlog in [try writer.backlog(), try reader.backlog()] {
      #expect(backlog.entryCount == 2 && backlog.byteCount == 128 + 128)
      let age = try #require(backlog.oldestAge)
      #expect(age >= .seconds(100) && age < .seconds(100) + .microseconds(64))
    }
    try reader.acknowledge([try reader.positions()[0]])
    #expect(try #require(reader.backlog().oldestAge) < .seconds(41))
    bench.system.now = start - 100_000_000
    #expect(try reader.backlog().oldestAge == .zero)
  }

  @Test func noSegmentCanBeHadBeforeTheDeadline() throws {
    let bench = try APIBench()
    let writer = try bench.writer()
    bench.system.locksAreBusy = true
    #expect(throws: LogError.deadlineExceeded) { try writer.append(id: "a", payload: [], timeout: .milliseconds(20)) }
    bench.system.locksAreBusy = false
    #expect(try bench.reader().ids() == [])
    try writer.append(id: "b", payload: [])
    try bench.expectWhole()
  }

  @Test func deadlines() throws {
    let bench = try APIBench()
    let writer = try bench.writer()
    for timeout in [Duration.zero, .seconds(-1), .nanoseconds(1)] {
      #expect(throws: LogError.deadlineExceeded) { try writer.append(id: "a", payload: [], timeout: timeout) }
      #expect(throws: LogError.deadlineExceeded) { try writer.appendBatch(timeout: timeout) { $0.append(id: "a", payload: []) } }
    }
    #expect(try bench.reader().ids() == [])
    let position = try writer.append(id: "b", payload: [], timeout: .seconds(1 << 40))
    #expect(position.sequence == 1)
    try bench.expectWhole()
  }
}
