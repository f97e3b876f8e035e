import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// Bytes on disk stay within the capacity, and what that costs.
@Suite struct CapacityTests {
  private func allocated(_ bench: APIBench) -> Int {
    bench.segmentNames.reduce(0) { $0 + (bench.place.contents("m.mailbox/" + $1)?.count ?? 0) }
  }

  @Test(arguments: [100_000, 200_000, 333_333, 1 << 20]) func reject(capacity: Int) throws {
    let bench = try APIBench(isEncrypted: true)
    let writer = try bench.writer { $0.capacity = UInt64(capacity) }
    var appended: [String] = []
    do throws(LogError) {
      while true {
        try writer.append(id: "e\(appended.count)", payload: [UInt8](repeating: 1, count: 1500))
        appended.append("e\(appended.count)")
      }
    } catch { #expect(error == .full(capacity: UInt64(capacity))) }
    #expect(allocated(bench) <= capacity)
    #expect(throws: LogError.full(capacity: UInt64(capacity))) {
      try writer.append(id: "more", payload: [UInt8](repeating: 1, count: 90_000))
    }
    let reader = try bench.reader()
    #expect(try reader.ids() == appended)
    // Room comes back as entries are acknowledged.
    try reader.acknowledge(try reader.positions())
    try writer.append(id: "again", payload: [])
    #expect(try reader.ids() == ["again"])
    try bench.expectWhole()
  }

  @Test func nothingFits() throws {
    for capacity in [UInt64(0), 1, 65_535] {
      let bench = try APIBench()
      for overflow in [LogOverflowPolicy.reject, .dropOldest] {
        let writer = try bench.writer {
          $0.capacity = capacity
          $0.overflow = overflow
        }
        #expect(throws: LogError.full(capacity: capacity)) { try writer.append(id: "a", payload: []) }
      }
      #expect(bench.segmentNames == [])
    }
    let bench = try APIBench()
    try bench.writer { $0.capacity = .max }.append(id: "a", payload: [])
    try bench.writer { $0.capacity = 65_536 }.append(id: "b", payload: [])
    #expect(try bench.reader().ids() == ["a", "b"])
  }

  @Test("Dropping the oldest: whole segments, told on both sides, and the newest stay", arguments: [false, true])
  func dropOldest(isEncrypted: Bool) throws {
    let bench = try APIBench(isEncrypted: isEncrypted)
    let (told, heard) = (Told<LogEvent>(), Told<LogEvent>())
    let writer = try bench.writer {
      $0.capacity = 512 << 10
      $0.overflow = .dropOldest
      $0.logHandler = { told.tell($0) }
    }
    let reader = try bench.reader { $0.logHandler = { heard.tell($0) } }
    for i in 0..<2000 {
      try writer.append(id: "e\(i)", payload: [UInt8](repeating: 1, count: 800))
      if i % 100 == 0 { #expect(allocated(bench) <= 512 << 10) }
    }
    let left = try reader.ids()
    #expect(left.last == "e1999" && left.count > 100 && left.count < 700)
    #expect(left == (2000 - left.count..<2000).map { "e\($0)" })
    #expect(allocated(bench) <= 512 << 10)
    #expect(told.values.contains { $0.kind == .oldestDropped })
    // What the reader is told adds up to what is gone, as far as the segments that tell it are still there.
    #expect(heard.values.contains { $0.kind == .oldestDropped })
    try reader.acknowledge(try reader.positions())
    #expect(try reader.pendingCount == 0)
    try bench.expectWhole()
  }

  @Test("A record that no segment can hold is refused, and what was dropped for it is told")
  func tooLargeForTheCapacity() throws {
    let bench = try APIBench()
    let writer = try bench.writer {
      $0.capacity = 200_000
      $0.overflow = .dropOldest
    }
    #expect(throws: LogError.full(capacity: 200_000)) {
      try writer.append(id: "big", payload: [UInt8](repeating: 1, count: 300_000))
    }
    try writer.append(id: "small", payload: [])
    #expect(try bench.reader().ids() == ["small"])
  }

  @Test("Two sides with different keys") func keyMismatch() throws {
    var bench = try APIBench(isEncrypted: true)
    let one = try bench.writer()
    try one.append(id: "mine", payload: [1])
    let other = try EncryptionKey([UInt8](repeating: 8, count: 32))
    for key in [other, nil] {
      #expect(throws: key == nil ? LogError.keyRequired : .wrongKey) { try bench.writer { $0.key = key } }
      let before = bench.place.contents("m.mailbox/00000001.segment")
      let writer = try bench.writer {
        $0.key = key
        $0.keyMismatch = .ownSegment
      }
      try writer.append(id: "theirs", payload: [2])
      try writer.append(id: "theirs too", payload: [3])
      #expect(bench.place.contents("m.mailbox/00000001.segment") == before)
      #expect(try writer.pendingCount == 2 && writer.contains(id: "theirs") && !writer.contains(id: "mine"))
      let reader = try bench.reader {
        $0.key = key
        $0.keyMismatch = .ownSegment
      }
      #expect(try reader.ids() == ["theirs", "theirs too"] && reader.damage().isEmpty)
      #expect(throws: LogError.self) { try bench.reader { $0.key = key } }
      try reader.acknowledge(try reader.positions())
      #expect(try reader.pendingCount == 0 && bench.segmentNames == ["00000001.segment"])
    }
    try one.append(id: "mine too", payload: [4])
    #expect(try bench.reader().ids() == ["mine", "mine too"])
    bench.options.keyMismatch = .ownSegment
    #expect(try bench.reader().ids() == ["mine", "mine too"])
  }
}
