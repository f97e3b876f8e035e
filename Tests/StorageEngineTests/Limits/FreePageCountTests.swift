import RawMemory
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// B039: numbers of free pages around 2^16.
@Suite struct FreePageCountTests {
  @Test("B039: exactly so many free pages") func aroundSixteenBits() throws {
    var options = EngineOptions()
    options.pageByteCount = 512
    let bench = try EngineBench(options)
    try bench.engine.write { transaction throws(EngineError) in
      try transaction.put("large", [UInt8](repeating: 2, count: 71_000 * 512))
    }
    try bench.engine.write { transaction throws(EngineError) in try transaction.delete("large") }
    for target in [70_000, 65_536, 65_535, 65_534] as [UInt64] {
      try reach(target, bench)
      #expect(try bench.engine.snapshot().freePageCount == target)
      try bench.reopen()
      let snapshot = try bench.engine.snapshot()
      let report = try snapshot.verify()
      #expect(snapshot.freePageCount == target && report.freePageCount == target && report.isClean, "\(report.problems.prefix(3))")
    }
    // And they are used again: the file doesn't grow.
    let before = try bench.engine.snapshot().pageCount
    for index in 0..<500 {
      try bench.engine.write { transaction throws(EngineError) in try transaction.put("again \(index)", patterned(300, index)) }
    }
    let after = try bench.engine.snapshot().pageCount
    #expect(after <= before, "\(after) after \(before)")
  }

  /// Takes pages one by one, with values of one page, until the count is right.
  private func reach(_ target: UInt64, _ bench: EngineBench) throws {
    let engine: Engine = bench.engine
    for round in 0..<100 {
      let count = try engine.snapshot().freePageCount
      if count == target { return }
      let surplus = count > target ? Int(count - target) : 0
      try engine.write { transaction throws(EngineError) in
        if surplus == 0 { try transaction.delete("\(target) \(round - 1) 0") }
        for index in 0..<(surplus > 20 ? surplus * 9 / 10 : min(surplus, 1)) {
          try transaction.put("\(target) \(round) \(index)", patterned(300, index))
        }
      }
    }
  }
}
