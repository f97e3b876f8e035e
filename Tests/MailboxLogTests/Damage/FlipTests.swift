import Foundation
import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// One byte flipped anywhere: a right value, a typed error, or what was promised about this place; never a trap, never a wrong value.
@Suite struct FlipTests {
  /// 500 places, most of them where something is; all of them in a long run.
  private func places(_ bench: SegmentBench, seed: UInt64, count: Int) -> [Int] {
    if isLongRun { return Array(0..<bench.committedEnd + 256) }
    var generator = SplitMix64(seed: seed)
    var places: [Int] = []
    for word in SegmentLayout.Word.allCases { places += [Int(word.offset), Int(word.offset) + 7] }
    while places.count < count {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: places.append(Int.random(in: 0..<SegmentLayout.blockByteCount, using: &generator))
      case 1: places.append(Int.random(in: 4096..<8192, using: &generator))
      case 2: places.append(Int.random(in: bench.committedEnd..<bench.original.count, using: &generator))
      default: places.append(Int.random(in: 8192..<bench.committedEnd, using: &generator))
      }
    }
    return places
  }

  private func flipped(_ bench: SegmentBench, _ place: Int, _ generator: inout SplitMix64) -> [UInt8] {
    var bytes = bench.original
    bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
    return bytes
  }

  @Test(arguments: [false, true]) func theReaderKeepsEveryOtherRecord(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    var generator = SplitMix64(seed: 1)
    for place in places(bench, seed: 2, count: 500) {
      try bench.put(flipped(bench, place, &generator))
      bench.expect(try bench.read(), lost: bench.lost(at: place), isDamaged: bench.isReported(place), "byte \(place)")
    }
    try bench.put(bench.original)
    try bench.expectWhole()
  }

  @Test(arguments: [false, true]) func theReaderThatFailsChangesNothing(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    var generator = SplitMix64(seed: 3)
    for place in places(bench, seed: 4, count: 200) {
      try bench.put(flipped(bench, place, &generator))
      let before = bench.bytes
      do throws(LogError) {
        let outcome = try bench.read(.fail)
        bench.expect(outcome, lost: [], "byte \(place)")
      } catch {
        guard case .corrupted = error else {
          Issue.record("byte \(place): \(error)")
          continue
        }
        #expect(bench.bytes == before, "byte \(place)")
      }
      if !bench.lost(at: place).isEmpty { #expect(throws: LogError.self, "byte \(place)") { try bench.read(.fail) } }
    }
  }

  @Test(arguments: [false, true]) func theWriterNeverUsesAPositionAgain(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    var generator = SplitMix64(seed: 5)
    for place in places(bench, seed: 6, count: 200) {
      try bench.put(flipped(bench, place, &generator))
      try bench.expectAppend(lost: bench.lost(at: place), "byte \(place)")
    }
  }

  @Test(arguments: [false, true]) func inspectionShowsEveryOtherRecord(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    var generator = SplitMix64(seed: 7)
    for place in places(bench, seed: 8, count: 300) {
      try bench.put(flipped(bench, place, &generator))
      for key in bench.key == nil ? [nil] : [bench.key, nil] {
        do {
          let inspection = try SegmentInspection(path: bench.segmentPath, key: key)
          if inspection.headerFault != nil {
            #expect(place < SegmentLayout.blockByteCount)
            #expect(throws: LogError.self) { try inspection.forEachItem { _ in } }
            continue
          }
          #expect(place >= SegmentLayout.blockByteCount)
          var seen: Set<UInt64> = []
          try inspection.forEachItem { item in
            guard item.badReason == nil else { return }
            try item.withEntry { entry in
              if bench.key != nil, key == nil {
                #expect(entry.openingFailure == .keyRequired)
              } else {
                #expect(KnownEntry(entry) == bench.known[entry.position.sequence])
              }
              seen.insert(entry.position.sequence)
            }
          }
          let hit = bench.frames.first { $0.value.contains(place) }?.key
          #expect(Set(bench.known.keys).subtracting(seen).isSubset(of: hit.map(bench.batch) ?? []), "byte \(place)")
        } catch {
          guard place < SegmentLayout.blockByteCount, let error = error as? LogError, case .notALog = error else {
            Issue.record("byte \(place): \(error)")
            continue
          }
        }
      }
    }
  }
}
