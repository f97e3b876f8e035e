import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// After damage everything later is found, in bounded memory, and a segment goes once all of it is dealt with.
@Suite struct ResynchronizationTests {
  private func bench(_ isEncrypted: Bool, acknowledged: [UInt64] = []) throws -> SegmentBench {
    try SegmentBench(isEncrypted: isEncrypted, acknowledged: acknowledged) { writer in
      for i in 1...30 { try writer.append(id: "entry\(i)", payload: [UInt8](repeating: UInt8(i), count: 16 * i)) }
    }
  }

  @Test(arguments: [false, true]) func everyLaterRecordIsFound(isEncrypted: Bool) throws {
    let bench = try bench(isEncrypted)
    var generator = SplitMix64(seed: 11)
    for _ in 0..<60 {
      let start = Int.random(in: 8192..<bench.committedEnd, using: &generator)
      let end = min(bench.committedEnd, start + Int.random(in: 1...2000, using: &generator))
      var bytes = bench.original
      for i in start..<end { bytes[i] = UInt8.random(in: 0...255, using: &generator) }
      try bench.put(bytes)
      let hit = bench.frames.filter { _, range in
        let parts = [range.lowerBound..<range.lowerBound + 112, range.lowerBound + 120..<range.upperBound]
        return parts.contains { part in part.overlaps(start..<end) && bytes[part] != bench.original[part] }
      }
      bench.expect(try bench.read(), lost: Set(hit.keys), "\(start)..<\(end)")
    }
  }

  @Test("B016: damaged lengths of record 1 to 20", arguments: [false, true])
  func damagedLengths(isEncrypted: Bool) throws {
    let bench = try bench(isEncrypted)
    let fields = [
      SegmentLayout.Frame.totalByteCount, SegmentLayout.Frame.idByteCount, SegmentLayout.Frame.valueByteCount,
      SegmentLayout.Frame.batchCount,
    ]
    for record in UInt64(1)...20 {
      let start = try #require(bench.frames[record]).lowerBound
      for field in fields {
        for value in [0, 7, 8, 0x7FFF_FFF8, 0xFFFF_FFFF, UInt32(bench.original.count + 1)] {
          var bytes = bench.original
          for i in 0..<4 { bytes[start + field + i] = UInt8(truncatingIfNeeded: value >> UInt32(8 * i)) }
          if bytes == bench.original { continue }
          try bench.put(bytes)
          bench.expect(try bench.read(), lost: [record], "record \(record), field \(field), \(value)")
          #expect(try largestWindow(bench) <= 1 << 20)
        }
      }
    }
  }

  private func largestWindow(_ bench: SegmentBench) throws -> Int {
    let inspection = try SegmentInspection(path: bench.segmentPath, key: bench.key)
    let segment = try #require(inspection.segment)
    let cursor = RecordCursor(segment, from: SegmentLayout.dataStart, to: inspection.fileByteCount, after: 0)
    var largest = 0
    while true {
      let step = try cursor.next()
      largest = max(largest, cursor.window.buffer.count)
      if case .end = step { return largest }
    }
  }

  @Test("Damage before, at and behind the consumed end", arguments: [false, true])
  func aroundTheConsumedEnd(isEncrypted: Bool) throws {
    let bench = try bench(isEncrypted, acknowledged: Array(1...10))
    for record in UInt64(1)...30 {
      var bytes = bench.original
      bytes[try #require(bench.frames[record]).lowerBound + 20] ^= 1
      try bench.put(bytes)
      bench.expect(try bench.read(), lost: record <= 10 ? [] : [record], "record \(record)")
    }
  }

  @Test("A segment with damage goes once the rest is acknowledged", arguments: [false, true])
  func removalAfterDamage(isEncrypted: Bool) throws {
    let bench = try bench(isEncrypted)
    let harms: [(String, (inout [UInt8]) throws -> Void)] = [
      ("header of a record", { $0[try #require(bench.frames[5]).lowerBound + 4] ^= 1 }),
      ("body of a record", { $0[try #require(bench.frames[5]).lowerBound + 125] ^= 1 }),
      ("the last record", { $0[try #require(bench.frames[30]).lowerBound + 4] ^= 1 }),
      ("everything", { for i in 8192..<bench.committedEnd { $0[i] = 0x3C } }),
      ("cut at a record's end", { $0.removeSubrange(try #require(bench.frames[20]).upperBound...) }),
      ("cut in a record", { $0.removeSubrange((try #require(bench.frames[20]).upperBound - 30)...) }),
    ]
    for (name, harm) in harms {
      var bytes = bench.original
      try harm(&bytes)
      try bench.put(bytes)
      let reader = try bench.reader()
      #expect(try !reader.damage().isEmpty, "\(name)")
      var positions: [MailboxPosition] = []
      try reader.forEachPending { positions.append($0.position) }
      #expect(bench.events.values.contains { $0.kind == .damageFound }, "\(name)")
      try reader.acknowledge(positions)
      #expect(try reader.forEachPending { _ in } == 0, "\(name)")
      #expect(bench.bytes == nil, "\(name): the segment is still there")
      #expect(try reader.damage().isEmpty, "\(name)")
    }
  }
}
