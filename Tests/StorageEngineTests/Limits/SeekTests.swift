import RawMemory
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// B060: seeking after many deletes.
@Suite struct SeekTests {
  private func key(_ index: Int) -> [UInt8] { Array("\(100_000 + index)".utf8) }

  private func bench(_ pageByteCount: Int) throws -> EngineBench {
    var options = EngineOptions()
    options.pageByteCount = pageByteCount
    return try EngineBench(options)
  }

  @Test("B060: seek across a thousand deleted keys", arguments: [512, 4096]) func acrossDeleted(pageByteCount: Int) throws {
    let bench = try bench(pageByteCount)
    try bench.engine.write { transaction throws(EngineError) in
      for index in 0..<2000 { try transaction.put(key(index), patterned(20, index)) }
    }
    let transaction = try bench.engine.begin()
    for index in 500..<1500 { try transaction.delete(key(index)) }
    try check(try transaction.tree("t")!)
    _ = try transaction.commit()
    try check(try bench.engine.snapshot().tree("t")!)
    #expect(try bench.engine.snapshot().verify().isClean)
  }

  private func check(_ tree: Tree) throws {
    var cursor = tree.cursor()
    #expect(try cursor.seek(to: key(500).span.raw) && cursor.key == key(1500) && cursor.position == 500)
    #expect(try cursor.previous() && cursor.key == key(499))
    #expect(try cursor.seek(before: key(1499).span.raw) && cursor.key == key(499))
    #expect(try cursor.next() && cursor.key == key(1500))
    #expect(try tree.count(from: key(500), to: key(1500)) == 0 && tree.count == 1000)
  }

  /// Ranges are deleted and filled again; from everywhere the neighbours are those of a sorted array.
  @Test("B060: 200 rounds of random ranges") func randomRanges() throws {
    let bench = try bench(512)
    var random = SplitMix64(seed: 60)
    var present = Set<Int>()
    for round in 0..<200 {
      let transaction = try bench.engine.begin()
      let start = Int.random(in: 0..<1800, using: &random)
      let range = start..<start + Int.random(in: 1..<200, using: &random)
      for index in range {
        if round % 2 == 0 {
          try transaction.put(key(index), patterned(index % 60, index))
          present.insert(index)
        } else {
          let wasThere = try transaction.delete(key(index))
          if wasThere != (present.remove(index) != nil) { Issue.record("delete of \(index) said \(wasThere)") }
        }
      }
      _ = try transaction.commit(.processCrash)
      guard let tree = try bench.engine.snapshot().tree("t") else { continue }
      let sorted = present.sorted()
      var cursor = tree.cursor()
      for _ in 0..<30 {
        let target = Int.random(in: 0..<2100, using: &random)
        let place = sorted.firstIndex { $0 >= target } ?? sorted.count
        let isThere = try cursor.seek(to: key(target).span.raw)
        if isThere != (place < sorted.count) || isThere && cursor.key != key(sorted[place]) { Issue.record("seek to \(target)") }
        if isThere, cursor.position != UInt64(place) { Issue.record("position of \(target)") }
        let isBefore = try cursor.seek(before: key(target).span.raw)
        if isBefore != (place > 0) || isBefore && cursor.key != key(sorted[place - 1]) { Issue.record("seek before \(target)") }
        if try tree.position(of: key(target).span.raw) != UInt64(place) { Issue.record("position \(target)") }
        if place < sorted.count {
          let isFound = try cursor.seek(toPosition: UInt64(place))
          if !isFound || cursor.key != key(sorted[place]) { Issue.record("seek to position \(place)") }
        }
      }
      if round % 20 == 19 { #expect(try bench.engine.snapshot().verify().isClean) }
    }
  }
}
