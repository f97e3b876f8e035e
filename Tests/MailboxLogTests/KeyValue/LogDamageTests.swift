import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// Logs with damage: a right value, a typed error, or what was promised of this place; never a trap, never a wrong value.
@Suite struct LogDamageTests {
  private static let isLong = LogUnderTest.isLong

  @Test("One byte flipped anywhere", arguments: [false, true]) func flips(isSealed: Bool) throws {
    let bench = try LogBench(isSealed: isSealed)
    var random = SplitMix64(seed: 1)
    var places = SegmentLayout.Word.allCases.flatMap { [Int($0.offset), Int($0.offset) + 3, Int($0.offset) + 7] }
    if Self.isLong { places = Array(0..<bench.committedEnd) }
    for frame in bench.frames {
      places.append(frame.range.randomElement(using: &random)!)
      if frame.kind == RecordKind.index.rawValue { places += (0..<25).map { _ in frame.range.randomElement(using: &random)! } }
    }
    places += (0..<20).map { _ in Int.random(in: 0..<4096, using: &random) }
    for place in places {
      var bytes = bench.original
      bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      bench.put(bytes)
      do throws(LogError) {
        let log = try bench.open()
        let problems = try bench.problems(log, mayDiffer: bench.affected(by: place))
        #expect(problems.isEmpty, "byte \(place): \(problems.prefix(3))")
        try check(goesOn: log, bench, place)
      } catch {
        // In the header everything is vouched for together.
        #expect(place < 4096, "byte \(place): \(error)")
      }
    }
  }

  /// Damage anywhere but in the header doesn't keep a log from being written to, and nothing of it is lost by that.
  private func check(goesOn log: KeyValueLog, _ bench: LogBench, _ place: Int) throws(LogError) {
    let before = try contents(log)
    try log.set([1, 2, 3], forKey: "later")
    log.close()
    let fresh = try bench.open()
    #expect(try fresh.bytes(forKey: "later") == [1, 2, 3], "byte \(place)")
    var after = try contents(fresh)
    after["later"] = nil
    #expect(after == before, "byte \(place): changed by a write")
    try fresh.compact()
    var compacted = try contents(fresh)
    compacted["later"] = nil
    #expect(compacted == before, "byte \(place): changed by a compaction")
    #expect(try fresh.verify().isEmpty, "byte \(place)")
  }
  private func contents(_ log: KeyValueLog) throws(LogError) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    try log.forEach { entry throws(LogError) in found[entry.key] = entry.bytes }
    return found
  }

  @Test("A handle that is to fail does, or has everything", arguments: [false, true]) func failing(isSealed: Bool) throws {
    let bench = try LogBench(isSealed: isSealed)
    var random = SplitMix64(seed: 2)
    for _ in 0..<(Self.isLong ? 5_000 : 150) {
      let place = Int.random(in: 4096..<bench.committedEnd, using: &random)
      var bytes = bench.original
      bytes[place] ^= 0x10
      bench.put(bytes)
      do throws(LogError) {
        let log = try bench.open(.fail)
        // What an index covers is looked at when it is asked for.
        let problems = try bench.problems(log, mayDiffer: bench.affected(by: place))
        #expect(problems.isEmpty, "byte \(place): \(problems.prefix(3))")
      } catch {
        guard case .corrupted = error else {
          Issue.record("byte \(place): \(error)")
          continue
        }
      }
    }
  }

  @Test("Files that hold anything: random, overwritten, moved, cut, with numbers that make no sense", arguments: [false, true])
  func fuzz(isSealed: Bool) throws {
    let bench = try LogBench(isSealed: isSealed)
    var random = SplitMix64(seed: 3)
    for seed in 0..<(Self.isLong ? 50_000 : 400) {
      // Numbers that pass their checks and make no sense may hide what is written; in a plain file they may also be a value.
      let isForged = Int.random(in: 0..<7, using: &random) >= 5
      bench.put(file(bench, isForged, &random))
      do throws(LogError) {
        let log = try bench.open()
        let problems = try bench.problems(log, mayDiffer: Set(bench.history.keys))
        #expect(problems.isEmpty || isForged && !isSealed, "seed \(seed): \(problems.prefix(3))")
        _ = try log.verify()
        try log.set(1, forKey: "later")
        try log.compact()
        let later = try log.int(forKey: "later")
        #expect(later == 1 || isForged, "seed \(seed): what was set is \(later.map(String.init) ?? "gone")")
      } catch {
        switch error {
        case .corrupted, .notALog, .unsupportedVersion, .wrongKey, .keyRequired, .keyNotExpected, .noSpace, .system: break
        default: Issue.record("seed \(seed): \(error)")
        }
      }
    }
  }

  private func file(_ bench: LogBench, _ isForged: Bool, _ random: inout SplitMix64) -> [UInt8] {
    let end = bench.committedEnd + 64
    var bytes = Array(bench.original[..<end])
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    switch isForged ? number(5..<7) : number(0..<5) {
    case 0: return (0..<number(0..<12_000)).map { _ in UInt8.random(in: 0...255, using: &random) }
    case 1: for index in 8192..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
    case 2:
      for _ in 0..<number(1..<20) {
        let start = number(4096..<end - 40)
        for index in start..<start + number(1..<40) { bytes[index] = UInt8.random(in: 0...255, using: &random) }
      }
    case 3:
      for _ in 0..<number(1..<6) {
        let (from, to, count) = (number(8192..<end - 700), number(8192..<end - 700), number(8..<700))
        bytes.replaceSubrange(to..<to + count, with: Array(bytes[from..<from + count]))
      }
    case 4: bytes.removeSubrange(number(0..<end)...)
    case 5:
      let coding = WordCoding(identifier: bench.identifier)
      for word in SegmentLayout.Word.allCases where Bool.random(using: &random) {
        let value = random.next() & WordCoding.valueMax >> UInt64(number(0..<48))
        let encoded = coding.encode(value, index: word.rawValue)
        for index in 0..<8 { bytes[Int(word.offset) + index] = UInt8(truncatingIfNeeded: encoded >> UInt64(8 * index)) }
      }
    default: forge(&bytes, bench, &random)
    }
    return bytes
  }

  /// Changes the numbers of some frames, and of blocks of the index, and makes their checksums fit: a writer gone wrong, or one with bad intent.
  private func forge(_ bytes: inout [UInt8], _ bench: LogBench, _ random: inout SplitMix64) {
    let checksum = FrameChecksum(identifier: bench.identifier, kind: .keyValueLog)
    let extremes: [UInt64] = [0, 1, 2, 7, 8, 127, 255, 8192, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 47, 1 << 48, 1 << 63, .max]
    for frame in bench.frames where Int.random(in: 0..<3, using: &random) == 0 {
      let buffer = ByteBuffer(count: frame.range.count)
      buffer.copy(Array(bytes[frame.range]).span, at: 0)
      if frame.kind == RecordKind.index.rawValue, Bool.random(using: &random) {
        let block = SegmentLayout.Frame.body + Int.random(in: 0..<(buffer.count - 120) / 4096, using: &random) * 4096
        for _ in 0..<3 {
          buffer.store(extremes.randomElement(using: &random)!, at: block + 8 * Int.random(in: 0..<20, using: &random))
        }
        let place = UInt64(frame.range.lowerBound + block)
        let sum = checksum.blockChecksum(buffer, block..<block + IndexLayout.payloadByteCount, fileOffset: place)
        buffer.store(sum, at: block + IndexLayout.tag)
      } else {
        for _ in 0..<3 {
          let value = Bool.random(using: &random) ? extremes.randomElement(using: &random)! : random.next()
          buffer.store(UInt32(truncatingIfNeeded: value), at: Int.random(in: 1..<28, using: &random) * 4)
        }
      }
      buffer.store(checksum.bodyChecksum(buffer, at: 0, totalByteCount: buffer.count), at: SegmentLayout.Frame.bodyChecksum)
      buffer.store(
        checksum.headerChecksum(buffer, at: 0, fileOffset: UInt64(frame.range.lowerBound)), at: SegmentLayout.Frame.headerChecksum)
      bytes.replaceSubrange(frame.range, with: buffer.bytes(0..<buffer.count))
    }
  }
}
