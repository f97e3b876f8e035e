import RawMemory
import Sealing
import StorageEngine
import TestSupport
import Testing

/// Keys in order: pages are left full, and written while their transaction goes on.
@Suite struct RunTests {
  private func key(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

  @Test(arguments: [(false, true), (false, false), (true, false)])
  func agreesWithADictionary(isSealed: Bool, isMapped: Bool) throws {
    var options = EngineOptions()
    options.pageByteCount = 512
    options.mapsPages = isMapped
    if isSealed { options.key = .secret(SecretBytes.random(count: 32)) }
    let bench = try EngineBench(options)
    var random = SplitMix64(seed: 5)
    var next = 0
    for round in 0..<6 {
      let transaction = try bench.engine.begin()
      var model = bench.committed["a", default: [:]]
      for _ in 0..<5 {
        // Ascending runs, some undone, so that what was written behind them must come back.
        let (start, before) = (next, model)
        try transaction.beginSavepoint()
        for _ in 0..<900 {
          let (key, value) = (key(next * 4), [UInt8](repeating: UInt8(truncatingIfNeeded: next), count: 30))
          _ = try transaction.put(key.span.raw, value.span.raw, in: "a")
          model[key] = value
          next += 1
        }
        for _ in 0..<40 {
          let key = key(Int.random(in: 0..<next * 4, using: &random))
          if Bool.random(using: &random) {
            _ = try transaction.put(key.span.raw, key.span.raw, in: "a")
            model[key] = key
          } else {
            #expect(try transaction.delete(key.span.raw, in: "a") == (model[key] != nil))
            model[key] = nil
          }
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
          transaction.rollBack()
          (model, next) = (before, start)
        } else {
          transaction.releaseSavepoint()
        }
      }
      try EngineBench.check(try transaction.tree("a"), model)
      if round == 3 {
        transaction.abort()
        next = (bench.committed["a", default: [:]].keys.map { $0.reduce(0) { $0 << 8 | Int($1) } }.max() ?? 0) / 4 + 1
      } else {
        _ = try transaction.commit(round % 2 == 0 ? .powerLoss : .ordered)
        bench.committed["a"] = model
      }
      try bench.verify()
      if round % 2 == 1 { try bench.reopen() }
      try bench.check(try bench.engine.snapshot(), bench.committed)
    }
  }
}
