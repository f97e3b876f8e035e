import Foundation
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// Random operations against a model in memory. What holds after each: what waits is what was appended and not acknowledged, each once,
/// as appended within a segment, across segments by time; no position names two entries; every file is whole.
@Suite struct RandomOperationTests {
  private struct Run {
    let bench: APIBench
    var generator: SplitMix64
    var writers: [MailboxWriter] = []
    var readers: [MailboxReader] = []
    /// What waits, by position.
    var waiting: [MailboxPosition: (id: String, value: [UInt8])] = [:]
    var given: Set<MailboxPosition> = []
    var next = 0

    init(seed: UInt64, isEncrypted: Bool) throws {
      bench = try APIBench(isEncrypted: isEncrypted, system: DialCalls(now: 1_750_000_000_000_000))
      generator = SplitMix64(seed: seed)
      for _ in 0..<2 { writers.append(try bench.writer()) }
      for _ in 0..<2 { readers.append(try bench.reader()) }
    }

    mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func entry() -> (id: String, value: [UInt8]) {
      next += 1
      return (
        "e\(next)",
        [UInt8](repeating: UInt8(truncatingIfNeeded: next), count: random(0..<20) == 0 ? random(0..<5000) : random(0..<80))
      )
    }

    mutating func note(_ position: MailboxPosition, _ entry: (id: String, value: [UInt8])) {
      #expect(given.insert(position).inserted, "a position names two entries")
      waiting[position] = entry
    }

    mutating func append() throws {
      let entry = entry()
      note(try writers[random(0..<2)].append(id: entry.id, payload: entry.value), entry)
    }
    mutating func appendBatch() throws {
      let entries = (0..<random(1..<7)).map { _ in entry() }
      let positions = try writers[random(0..<2)].appendBatch { batch in
        for entry in entries { batch.append(id: entry.id, payload: entry.value) }
      }
      #expect(positions.count == entries.count)
      for (position, entry) in zip(positions, entries) { note(position, entry) }
    }
    /// The writer finds every segment held, and makes another.
    mutating func appendWhileHeld() throws {
      let files = try mailboxSegmentPaths(in: bench.directory).map { try StorageFile(.live, path: $0, flags: OpenFlag.readWrite) }
      for file in files { _ = try file.tryLock() }
      try append()
      for file in files { file.unlock() }
    }

    mutating func read(limit: Int) throws -> [MailboxPosition] {
      var seen: [MailboxPosition] = []
      var lastTime = LogTimestamp(secondsSinceReferenceDate: -.infinity)
      var lastSequence: [MailboxSegmentID: UInt64] = [:]
      let waiting = waiting
      let count = try readers[random(0..<2)].forEachPending(limit: limit) { entry in
        let position = entry.position
        #expect(waiting[position]?.id == entry.id && waiting[position]?.value == entry.payload, "\(entry.id)")
        #expect(entry.appendedAt >= lastTime && position.sequence > lastSequence[position.segment] ?? 0, "order of \(entry.id)")
        lastTime = entry.appendedAt
        lastSequence[position.segment] = position.sequence
        seen.append(position)
      }
      #expect(count == min(limit, waiting.count))
      // Nothing of a segment is passed over.
      for (segment, last) in lastSequence {
        let before = waiting.keys.filter { $0.segment == segment && $0.sequence <= last }.count
        #expect(before == seen.filter { $0.segment == segment }.count)
      }
      return seen
    }
    mutating func acknowledge() throws {
      var chosen = try read(limit: random(1..<30))
      chosen = chosen.filter { _ in random(0..<4) != 0 }
      if random(0..<3) == 0, let stale = given.randomElement(using: &generator), waiting[stale] == nil { chosen.append(stale) }
      chosen.shuffle(using: &generator)
      try readers[random(0..<2)].acknowledge(chosen)
      for position in chosen { waiting[position] = nil }
    }

    mutating func step() throws {
      switch random(0..<100) {
      case 0..<45: try append()
      case 45..<53: try appendBatch()
      case 53: try appendWhileHeld()
      case 54..<84: try acknowledge()
      case 84..<88: _ = try read(limit: random(0..<10))
      case 88..<90: writers[random(0..<2)] = try bench.writer()
      case 90..<92: readers[random(0..<2)] = try bench.reader()
      case 92:
        let writer = writers[random(0..<2)]
        writer.suspend()
        try writer.resume()
      case 93:
        let reader = readers[random(0..<2)]
        reader.suspend()
        try reader.resume()
      case 94: bench.system.fileSystemKind = random(0..<2) == 0 ? .overwritesInPlace : .mayAllocateAgain
      case 95:
        // The boot changes: what is there is drained, and appended to no more. Handles of another boot don't exist.
        bench.system.currentBoot += 1
        for index in 0..<2 {
          writers[index] = try bench.writer()
          readers[index] = try bench.reader()
        }
      case 96: bench.system.now = (bench.system.now ?? 0) + Int64(random(-60_000_000..<60_000_000))
      default: bench.system.now = (bench.system.now ?? 0) + Int64(random(0..<5_000_000))
      }
    }

    mutating func checkAll() throws {
      #expect(Set(try read(limit: .max)) == Set(waiting.keys))
      for reader in readers {
        #expect(try reader.pendingCount == waiting.count && reader.damage().isEmpty)
        #expect(try reader.backlog().entryCount == waiting.count)
      }
      #expect(try writers[0].pendingCount >= waiting.count)
      if let some = waiting.values.randomElement(using: &generator) { #expect(try writers[1].contains(id: some.id)) }
      try bench.expectWhole()
    }

    mutating func drain() throws {
      while true {
        let seen = try read(limit: 50)
        if seen.isEmpty { break }
        try readers[0].acknowledge(seen)
        for position in seen { waiting[position] = nil }
      }
      #expect(waiting.isEmpty)
      #expect(try writers[0].pendingCount == 0)
      #expect(bench.segmentNames.count <= 2)
    }
  }

  @Test(arguments: [UInt64(71), 72, 73, 74]) func randomOperations(seed: UInt64) throws {
    var run = try Run(seed: seed, isEncrypted: seed % 2 == 0)
    let count = isLongRun ? 200_000 : 5_000
    for step in 1...count {
      try run.step()
      if step % 250 == 0 { try run.checkAll() }
      if step % 1000 == 0 { try run.drain() }
    }
    try run.drain()
    try run.bench.expectWhole()
  }
}
