import StorageIO
import Testing

@testable import MailboxLog

/// B004: of a batch of five with one record damaged come all five or none, and the damage is reported.
@Suite struct BatchDamageTests {
  enum Harm: CaseIterable { case zero, swap, truncate, flipBody }

  private func bench(_ isEncrypted: Bool) throws -> SegmentBench {
    try SegmentBench(isEncrypted: isEncrypted) { writer in
      try writer.append(id: "before", payload: [1])
      try writer.appendBatch { batch in
        for i in 1...5 { batch.append(id: "batch:\(i)", payload: [UInt8](repeating: UInt8(i), count: 48)) }
      }
      try writer.append(id: "between", payload: [2])
      try writer.appendBatch { batch in for i in 1...2 { batch.append(id: "second:\(i)", payload: [UInt8(i)]) } }
      try writer.append(id: "last", payload: [3])
    }
  }

  @Test("B004: all five or none", arguments: [false, true], Harm.allCases)
  func allOrNone(isEncrypted: Bool, harm: Harm) throws {
    let bench = try bench(isEncrypted)
    let batch: Set<UInt64> = [2, 3, 4, 5, 6]
    for member in UInt64(2)...6 {
      let range = try #require(bench.frames[member])
      let other = try #require(bench.frames[member == 6 ? 2 : member + 1])
      var bytes = bench.original
      var lost = batch
      switch harm {
      case .zero: for i in range { bytes[i] = 0 }
      case .flipBody: bytes[range.lowerBound + SegmentLayout.Frame.body] ^= 0x10
      case .swap:
        bytes.replaceSubrange(range, with: bench.original[other])
        bytes.replaceSubrange(other, with: bench.original[range])
      case .truncate:
        bytes.removeSubrange((range.lowerBound + range.count / 2)...)
        lost = bench.pending.subtracting([1])
      }
      try bench.put(bytes)
      let outcome = try bench.read()
      if harm == .truncate {
        bench.expectRight(outcome, "\(member)")
        #expect(Set(outcome.delivered.keys) == [1])
      } else {
        bench.expect(outcome, lost: lost, "\(member)")
      }
      try bench.put(bytes)
      #expect(throws: LogError.self) { if harm == .truncate { _ = try bench.readCut() } else { _ = try bench.read(.fail) } }
    }
  }

  @Test("A batch without its end, as a power cut leaves it, isn't there", arguments: [false, true])
  func cutAtEveryRecord(isEncrypted: Bool) throws {
    let bench = try bench(isEncrypted)
    for member in UInt64(2)...6 {
      // The committed end says that the batch is only there in part: no append does that.
      try bench.put(bench.with(.committedEnd, UInt64(try #require(bench.frames[member]).upperBound)))
      let outcome = try bench.read()
      #expect(Set(outcome.delivered.keys) == (member == 6 ? [1, 2, 3, 4, 5, 6] : [1]))
      #expect(outcome.damage.isEmpty == (member == 6))
    }
  }

  @Test("A batch that was consumed in part stays readable from there", arguments: [false, true])
  func theRestOfAConsumedBatch(isEncrypted: Bool) throws {
    let bench = try bench(isEncrypted)
    try bench.put(bench.original)
    let reader = try bench.reader()
    for sequence in UInt64(1)...6 {
      var seen: [UInt64] = []
      try reader.forEachPending { seen.append($0.position.sequence) }
      #expect(seen == Array(sequence...10))
      try reader.acknowledge([MailboxPosition(segment: bench.segmentID, sequence: sequence)])
      #expect(try reader.damage().isEmpty)
    }
    reader.close()
    try bench.expectWhole()
  }
}

extension SegmentBench {
  /// For a segment that was cut off: what a reader that fails at damage says, or that it says nothing where the cut is all it sees.
  func readCut() throws -> Outcome {
    let outcome = try read(.fail)
    if pending.subtracting(outcome.delivered.keys).isEmpty { return outcome }
    Issue.record("a cut segment was read without an error")
    return outcome
  }
}
