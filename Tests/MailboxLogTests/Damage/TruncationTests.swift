import Foundation
import StorageIO
import Testing

@testable import MailboxLog

/// A segment cut off anywhere: what is left is right, and the rest is reported, as far as the file can know of it.
@Suite struct TruncationTests {
  private func lengths(_ bench: SegmentBench) -> [Int] {
    let fixed = [0, 1, 100, 4095, 4096, 4097, 8191, 8192, 8193, 8199, 8200]
    let around = bench.frames.values.flatMap { range in
      [-8, -1, 0, 1, 8, 119, 120, 121, range.count / 2].map { range.lowerBound + $0 } + [range.upperBound - 1]
    }
    return fixed + around + [bench.committedEnd - 1, bench.committedEnd, bench.committedEnd + 1, bench.original.count - 1]
  }

  @Test(arguments: [false, true]) func everyLength(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    for length in lengths(bench) {
      try bench.put(Array(bench.original[..<length]))
      let outcome = try bench.read()
      bench.expectRight(outcome, "cut at \(length)")
      let whole = bench.pending.filter { sequence in
        bench.batch(of: sequence).allSatisfy { (bench.frames[$0]?.upperBound ?? 0) <= length }
      }
      #expect(Set(outcome.delivered.keys) == (length < 8192 ? [] : whole), "cut at \(length)")
      if length > 0, whole.count < bench.pending.count { #expect(!outcome.damage.isEmpty, "cut at \(length)") }
    }
  }

  @Test(arguments: [false, true]) func appendingAfterACut(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    for length in lengths(bench) {
      try bench.put(Array(bench.original[..<length]))
      let writer = try bench.writer()
      let position = try writer.append(id: "after", payload: [5])
      writer.close()
      if position.segment == bench.segmentID { #expect(position.sequence > 14) }
      var found = 0
      let reader = try bench.reader()
      try reader.forEachPending { entry in
        if entry.position == position { found += 1 } else { #expect(KnownEntry(entry) == bench.known[entry.position.sequence]) }
      }
      reader.close()
      #expect(found == 1, "cut at \(length)")
    }
  }

  @Test("B018: a sealed segment cut by one byte, and after the first byte of a record, shows what authenticates")
  func cutInsideARecord() throws {
    let bench = try variedBench(isEncrypted: true)
    for length in [bench.committedEnd - 1, Int(SegmentLayout.dataStart) + 1] {
      try bench.put(Array(bench.original[..<length]))
      let inspection = try SegmentInspection(path: bench.segmentPath, key: bench.key)
      var good: Set<UInt64> = []
      try inspection.forEachItem { item in
        guard item.badReason == nil else { return }
        try item.withEntry { entry in
          #expect(entry.openingFailure == nil && KnownEntry(entry) == bench.known[entry.position.sequence])
          good.insert(entry.position.sequence)
        }
      }
      #expect(good == Set(bench.frames.filter { $0.value.upperBound <= length }.keys))
    }
  }
}
