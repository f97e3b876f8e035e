import Foundation
import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// Files that hold anything: never a trap, bounded time and memory, and what is delivered was written.
@Suite struct FuzzTests {
  private static let seedCount = isLongRun ? 100_000 : 2_000

  /// A file of some seed: random bytes, or a good file with pieces overwritten, moved or repeated, or with numbers that pass their
  /// checks and make no sense.
  private func file(_ bench: SegmentBench, _ kind: inout Int, _ generator: inout SplitMix64) -> [UInt8] {
    let end = bench.committedEnd + 64
    var bytes = Array(bench.original[..<end])
    func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    kind = random(0..<8)
    switch kind {
    case 0:
      return (0..<random(0..<12_000)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    case 1:
      for i in 8192..<end { bytes[i] = UInt8.random(in: 0...255, using: &generator) }
    case 2:
      for _ in 0..<random(1..<20) {
        let start = random(4096..<end - 40)
        for i in start..<start + random(1..<40) { bytes[i] = UInt8.random(in: 0...255, using: &generator) }
      }
    case 3:
      for _ in 0..<random(1..<6) {
        let (from, to, count) = (random(4096..<end - 700), random(4096..<end - 700), random(8..<700))
        bytes.replaceSubrange(to..<to + count, with: Array(bytes[from..<from + count]))
      }
    case 4:
      for word in SegmentLayout.Word.allCases where Bool.random(using: &generator) {
        let value = generator.next() & WordCoding.valueMax >> UInt64(random(0..<48))
        let encoded = bench.coding.encode(value, index: word.rawValue)
        for i in 0..<8 { bytes[Int(word.offset) + i] = UInt8(truncatingIfNeeded: encoded >> UInt64(8 * i)) }
      }
    case 5: bytes.removeSubrange(random(0..<end)...)
    case 6: forge(&bytes, bench, &generator)
    default:
      for _ in 0..<random(1..<4) { bytes[random(0..<end)] ^= UInt8(1) << UInt8(random(0..<8)) }
    }
    return bytes
  }

  /// Changes the numbers of some frames and makes their checksums fit: a writer gone wrong, or one with bad intent.
  private func forge(_ bytes: inout [UInt8], _ bench: SegmentBench, _ generator: inout SplitMix64) {
    let checksum = FrameChecksum(identifier: bench.segmentID)
    let extremes: [UInt64] = [0, 1, 2, 7, 8, 127, 255, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 47, 1 << 48, 1 << 63, .max]
    for range in bench.frames.values where Int.random(in: 0..<3, using: &generator) == 0 {
      let frame = ByteBuffer(count: range.count)
      frame.copy(Array(bytes[range]).span, at: 0)
      for _ in 0..<3 {
        let offset = Int.random(in: 1..<14, using: &generator) * 8
        let value = Bool.random(using: &generator) ? extremes.randomElement(using: &generator)! : generator.next()
        if Bool.random(using: &generator) {
          frame.store(value, at: offset)
        } else {
          frame.store(UInt32(truncatingIfNeeded: value), at: offset + 4 * Int.random(in: 0...1, using: &generator))
        }
      }
      frame.store(checksum.bodyChecksum(frame, at: 0, totalByteCount: frame.count), at: SegmentLayout.Frame.bodyChecksum)
      frame.store(
        checksum.headerChecksum(frame, at: 0, fileOffset: UInt64(range.lowerBound)), at: SegmentLayout.Frame.headerChecksum)
      bytes.replaceSubrange(range, with: frame.bytes(0..<frame.count))
    }
  }

  private func drainAll(_ bench: SegmentBench) throws(LogError) -> [KnownEntry] {
    var entries: [KnownEntry] = []
    let reader = try bench.reader()
    _ = try reader.damage()
    _ = try reader.backlog()
    var positions: [MailboxPosition] = []
    try reader.forEachPending { entry throws(LogError) in
      positions.append(entry.position)
      entries.append(KnownEntry(entry))
      do throws(LogError) { try entry.forEachField { _, _, _ in } } catch {
        guard case .corrupted = error else { throw error }
      }
    }
    try reader.acknowledge(positions.reversed())
    try reader.forEachPending { entry in #expect(!positions.contains(entry.position)) }
    reader.close()
    return entries
  }

  @Test("2,000 seeds through reader, writer and inspection", arguments: [false, true])
  func anything(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    var generator = SplitMix64(seed: isEncrypted ? 51 : 52)
    let known = Set(bench.known.values.map(\.id))
    let clock = ContinuousClock()
    for seed in 0..<Self.seedCount / 2 {
      var kind = 0
      let bytes = file(bench, &kind, &generator)
      try bench.put(bytes)
      let began = clock.now
      do {
        let inspection = try SegmentInspection(path: bench.segmentPath, key: nil)
        _ = (inspection.words(), inspection.stateName, inspection.headerFields())
        if inspection.headerFault == nil { try inspection.forEachItem { _ = try inspection.frameFields(at: $0.range.lowerBound) } }
      } catch { #expect(error is LogError, "seed \(seed)") }
      var position: MailboxPosition?
      do throws(LogError) {
        let writer = try bench.writer()
        _ = try writer.contains(id: "nothing")
        _ = try writer.backlog()
        position = try writer.append(id: "after", payload: [1])
      } catch { #expect(!error.description.isEmpty, "seed \(seed)") }
      do throws(LogError) {
        let entries = try drainAll(bench)
        // A forged number can hide what comes after it, which shows as damage; anything else can't.
        if position != nil, kind != 4, kind != 6 {
          #expect(entries.contains { $0.id == "after" }, "seed \(seed), kind \(kind): the append is lost")
        }
        // Sealed records can't be forged without the key, whatever else is done to the file.
        if isEncrypted {
          for entry in entries { #expect(known.contains(entry.id) || entry.id == "after", "seed \(seed): made up") }
        }
      } catch { Issue.record("seed \(seed): \(error)") }
      #expect(began.duration(to: clock.now) < .seconds(5), "seed \(seed)")
    }
  }

  @Test("Values full of plausible headers cost no more than their bytes")
  func plausibleHeaders() throws {
    let frame = Array(plausibleFrames[..<SegmentLayout.Frame.body])
    let bench = try SegmentBench(isEncrypted: false) { writer in
      for i in 1...4 {
        let payload = (0..<400).flatMap { _ in frame }
        try writer.append(id: "e\(i)", payload: payload)
      }
      try writer.append(id: "last", payload: [])
    }
    var bytes = bench.original
    for sequence in UInt64(1)...4 { bytes[try #require(bench.frames[sequence]).lowerBound] ^= 1 }
    try bench.put(bytes)
    let began = ContinuousClock.now
    bench.expect(try bench.read(), lost: [1, 2, 3, 4], "plausible headers")
    #expect(began.duration(to: .now) < .seconds(10))
  }
}
