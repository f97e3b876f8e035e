import StorageIO
import Testing

@testable import MailboxLog

/// Words damaged one by one, and words that pass their check and say something impossible.
@Suite struct WordDamageTests {
  private func wiped(_ bench: SegmentBench, _ words: [SegmentLayout.Word], with byte: UInt8) -> [UInt8] {
    var bytes = bench.original
    for word in words { for i in 0..<8 { bytes[Int(word.offset) + i] = byte } }
    return bytes
  }

  @Test(arguments: [false, true], [UInt8(0), 0xFF, 0x5A])
  func eachWordIsRebuiltAndReported(isEncrypted: Bool, byte: UInt8) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    let needed: Set<SegmentLayout.Word> = [.lastSequence, .committedEnd, .state, .consumedEnd, .consumedSequence]
    for word in SegmentLayout.Word.allCases {
      try bench.put(wiped(bench, [word], with: byte))
      let outcome = try bench.read()
      bench.expect(outcome, lost: [], "\(word.name)")
      #expect(outcome.events.contains(.recovered) == needed.contains(word), "\(word.name)")
      let inspection = try SegmentInspection(path: bench.segmentPath, key: bench.key)
      for rebuilt in inspection.words() where needed.contains(where: { $0.name == rebuilt.name }) {
        #expect(rebuilt.value != nil, "\(rebuilt.name) after damage to \(word.name)")
      }
      if needed.contains(word) { #expect(inspection.stateName == "sealed", "\(word.name)") }
      try bench.expectAppend(lost: [], "\(word.name)")
    }
  }

  @Test(arguments: [false, true]) func allWordsAtOnce(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    try bench.put(wiped(bench, SegmentLayout.Word.allCases, with: 0))
    let outcome = try bench.read()
    // Nothing says what was consumed, so what was comes again: never skipped.
    #expect(outcome.delivered == bench.known.filter { $0.key != 8 && $0.key != 12 })
    #expect(outcome.events.contains(.recovered))
    try bench.put(wiped(bench, SegmentLayout.Word.allCases, with: 0))
    #expect(throws: LogError.corrupted(offset: SegmentLayout.Word.lastSequence.offset, reason: "")) { try bench.read(.fail) }
    #expect(bench.bytes == wiped(bench, SegmentLayout.Word.allCases, with: 0))
  }

  @Test func theSealedSegmentIsDrainedAndRemoved() throws {
    let bench = try variedBench(isEncrypted: false)
    try bench.put(wiped(bench, [.committedEnd], with: 0))
    let writer = try bench.writer()
    let position = try writer.append(id: "after", payload: [])
    #expect(position.segment != bench.segmentID)
    let reader = try bench.reader()
    var positions: [MailboxPosition] = []
    #expect(try reader.forEachPending { positions.append($0.position) } == bench.pending.count + 1)
    try reader.acknowledge(positions)
    #expect(try reader.pendingCount == 0)
    #expect(bench.bytes == nil)
    try bench.expectWhole()
  }

  @Test(arguments: [false, true]) func aReaderThatIsOpenNotices(isMapped: Bool) throws {
    let bench = try variedBench(isEncrypted: false)
    bench.system.fileSystemKind = isMapped ? .overwritesInPlace : .mayAllocateAgain
    try bench.put(bench.original)
    let reader = try bench.reader()
    #expect(try reader.pendingCount == bench.pending.count)
    try bench.put(wiped(bench, [.consumedEnd, .consumedSequence], with: 0x77))
    var positions: [MailboxPosition] = []
    try reader.forEachPending { positions.append($0.position) }
    #expect(positions.count == bench.pending.count + 2)
    try reader.acknowledge(positions)
    #expect(try reader.pendingCount == 0)
    #expect(bench.events.values.contains { $0.kind == .recovered })
  }

  @Test(
    "B016: a committed end that passes its check and can't be", arguments: [false, true],
    [0, 1, 4096, 8191, 65_537, 65_536, 0x7FFF_FFFF, 0xFFFF_FFFF, WordCoding.valueMax])
  func impossibleCommittedEnds(isEncrypted: Bool, value: UInt64) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    #expect(bench.original.count == 65_536)
    try bench.put(bench.with(.committedEnd, value))
    let outcome = try bench.read()
    bench.expectRight(outcome, "\(value)")
    #expect(Set(outcome.delivered.keys) == bench.pending)
    try bench.expectAppend(lost: [], "\(value)")
  }

  @Test(arguments: [SegmentLayout.Word.lastSequence, .lastAppendTime, .consumedEnd, .consumedSequence, .state, .syncedEnd])
  func otherImpossibleValues(word: SegmentLayout.Word) throws {
    let bench = try variedBench(isEncrypted: false)
    for value in [0, 1, 5, 8193, 1 << 20, 1 << 40, WordCoding.valueMax - 1, WordCoding.valueMax] {
      if word == .lastSequence, value < 14 { continue }
      try bench.put(bench.with(word, value))
      let outcome = try bench.read()
      for (sequence, entry) in outcome.delivered { #expect(entry == bench.known[sequence], "\(word.name) \(value)") }
      try bench.put(bench.with(word, value))
      let writer = try bench.writer()
      let position = try writer.append(id: "after", payload: [9])
      if position.segment == bench.segmentID { #expect(position.sequence > 14) }
      writer.close()
    }
  }

  @Test(arguments: [false, true]) func damagedMarksAreDeliveredAgain(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    for sequence in [UInt64(8), 12] {
      let mark = try #require(bench.frames[sequence]).lowerBound + SegmentLayout.Frame.acknowledged
      for bit in 0..<64 {
        var bytes = bench.original
        bytes[mark + bit / 8] ^= 1 << (bit % 8)
        try bench.put(bytes)
        let outcome = try bench.read()
        bench.expect(outcome, lost: [], "bit \(bit)")
        #expect(outcome.delivered[sequence] == bench.known[sequence], "bit \(bit)")
      }
    }
    // A mark of another record doesn't count.
    let (one, other) = (try #require(bench.frames[8]), try #require(bench.frames[13]))
    var bytes = bench.original
    for i in 0..<8 { bytes[other.lowerBound + 112 + i] = bench.original[one.lowerBound + 112 + i] }
    try bench.put(bytes)
    #expect(try bench.read().delivered[13] == bench.known[13])
  }
}
