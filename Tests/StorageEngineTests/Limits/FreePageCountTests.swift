import Foundation
import RawMemory
import StorageEngine
import TestSupport
import Testing

/// B039: numbers of free pages around 2^16 are nothing special.
@Suite struct FreePageCountTests {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["ANTEROOM_LONG"] != nil, "minutes long without optimization"))
  func B039FreePagesAroundSixteenBits() throws {
    var options = EngineOptions()
    options.pageByteCount = 512
    let bench = try EngineBench(options)
    for target in [65_534, 65_535, 65_536, 70_000] as [UInt64] {
      try reach(target, bench)
      #expect(try bench.engine.snapshot().freePageCount == target)
      try bench.reopen()
      let report = try bench.engine.snapshot().verify()
      #expect(report.freePageCount == target && report.isClean, "\(report.problems.prefix(3))")
    }
  }

  /// Takes pages with long values, or makes further ones free, until the count is right.
  private func reach(_ target: UInt64, _ bench: EngineBench) throws {
    for round in 0..<40 {
      let count = try bench.engine.snapshot().freePageCount
      if count == target { return }
      let key = Array("\(target) \(round)".utf8)
      if count > target {
        try put(key, [UInt8](repeating: 1, count: Int(count - target) * 512 - 100), bench)
      } else {
        // No free run is as long: the file grows.
        try put(key, [UInt8](repeating: 2, count: Int(target - count + 20) * 512 + Int(count) * 512), bench)
        let transaction = try bench.engine.begin()
        try transaction.delete(key.span.raw, in: "a")
        _ = try transaction.commit(.ordered)
      }
    }
  }

  private func put(_ key: [UInt8], _ value: [UInt8], _ bench: EngineBench) throws {
    let transaction = try bench.engine.begin()
    try transaction.put(key.span.raw, value.span.raw, in: "a")
    _ = try transaction.commit(.ordered)
  }
}
