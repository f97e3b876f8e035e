import RawMemory
import Sealing
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// Random puts, deletes, savepoints, commits, aborts and reopenings agree with a sorted dictionary; every version is verified.
@Suite struct RandomOperationTests {
  @Test(arguments: [(512, false, false), (512, false, true), (1024, true, false), (4096, false, true), (4096, true, false)])
  func agreesWithADictionary(pageByteCount: Int, isSealed: Bool, isMapped: Bool) throws {
    var options = EngineOptions()
    options.pageByteCount = pageByteCount
    options.mapsPages = isMapped
    options.pageCacheByteCountMax = 64 * pageByteCount
    options.dirtyPageByteCountMax = 48 * pageByteCount
    if isSealed { options.key = .secret(SecretBytes.random(count: 32)) }
    let bench = try EngineBench(options)
    var random = SplitMix64(seed: UInt64(pageByteCount + (isSealed ? 1 : 0)))
    var held: [(Snapshot, [String: [[UInt8]: [UInt8]]])] = []
    for round in 0..<60 {
      let transaction = try bench.engine.begin()
      var model = bench.committed
      for _ in 0..<Int.random(in: 1...120, using: &random) {
        try change(transaction, &model, pageByteCount, &random)
        if Int.random(in: 0..<12, using: &random) == 0 {
          var inner = model
          try transaction.beginSavepoint()
          for _ in 0..<Int.random(in: 0..<40, using: &random) { try change(transaction, &inner, pageByteCount, &random) }
          if Bool.random(using: &random) {
            transaction.rollBack()
          } else {
            transaction.releaseSavepoint()
            model = inner
          }
        }
      }
      for (name, entries) in model { try EngineBench.check(try transaction.tree(name), entries) }
      if Int.random(in: 0..<5, using: &random) == 0 {
        transaction.abort()
      } else {
        _ = try transaction.commit(round % 3 == 0 ? .powerLoss : .ordered)
        bench.committed = model
      }
      try bench.check(try bench.engine.snapshot(), bench.committed)
      try bench.verify()
      if Int.random(in: 0..<3, using: &random) == 0 { held.append((try bench.engine.snapshot(), bench.committed)) }
      if held.count > 4 {
        let (snapshot, model) = held.remove(at: Int.random(in: 0..<held.count, using: &random))
        try bench.check(snapshot, model)
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        held.removeAll()
        try bench.reopen()
      }
    }
  }

  private func change(
    _ transaction: EngineTransaction, _ model: inout [String: [[UInt8]: [UInt8]]], _ pageByteCount: Int, _ random: inout SplitMix64
  ) throws {
    let name = ["a", "b", "c"].randomElement(using: &random)!
    let key = randomKey(&random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6:
      let length = [0, 3, 8, 30, 60, 90, 400, 3 * pageByteCount, 20_000]
        .randomElement(using: &random)!
      let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 &+ Int(key.count) &+ length) }
      let isNew = try transaction.put(key.span.raw, value.span.raw, in: name)
      #expect(isNew == (model[name]?[key] == nil))
      model[name, default: [:]][key] = value
    default:
      let existing = Bool.random(using: &random) ? model[name]?.keys.randomElement(using: &random) : nil
      let target = existing ?? key
      let wasThere = try transaction.delete(target.span.raw, in: name)
      #expect(wasThere == (model[name]?[target] != nil))
      model[name]?[target] = nil
    }
  }

  private func randomKey(_ random: inout SplitMix64) -> [UInt8] {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return Array("conversation-\(Int.random(in: 0..<20, using: &random))/message-\(Int.random(in: 0..<200, using: &random))".utf8)
    case 1: return (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
    case 2: return withBigEndian(UInt32.random(in: 0..<500, using: &random))
    default: return (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
  }
  private func withBigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) } }
}
