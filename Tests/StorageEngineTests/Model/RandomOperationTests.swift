import RawMemory
import Sealing
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// Random puts, deletes, savepoints, commits, aborts and reopenings agree with a sorted dictionary: 200,000 operations over all, a million in
/// the long form.
@Suite struct RandomOperationTests {
  @Test(arguments: [(512, false, false), (512, false, true), (1024, true, false), (4096, false, true), (4096, true, false)])
  func agreesWithADictionary(pageByteCount: Int, isSealed: Bool, isMapped: Bool) throws {
    var options = EngineOptions()
    options.pageByteCount = pageByteCount
    options.mapsPages = isMapped
    options.pageCacheByteCountMax = 64 * pageByteCount
    options.dirtyPageByteCountMax = 48 * pageByteCount
    if isSealed { options.key = .secret(SecretBytes.random(count: 32)) }
    var run = RandomRun(try EngineBench(options), seed: UInt64(pageByteCount + (isSealed ? 1 : 0)))
    let count = isLongRun ? 200_000 : 40_000
    var round = 0
    while run.operationCount < count {
      try run.round(round)
      round += 1
    }
    try run.check()
  }
}

/// The state of one run: what was committed is in the bench, versions that are held are here.
private struct RandomRun {
  private let bench: EngineBench
  private var random: SplitMix64
  private var held: [(Snapshot, [String: Contents])] = []
  private(set) var operationCount = 0
  /// Values by length; of each some that differ.
  private let values: [[[UInt8]]]

  init(_ bench: EngineBench, seed: UInt64) {
    self.bench = bench
    random = SplitMix64(seed: seed)
    let lengths = [0, 3, 8, 8, 30, 30, 60, 60, 60, 90, 90, 400, 3 * bench.options.pageByteCount, 20_000]
    values = lengths.map { length in (0..<4).map { patterned(length, $0 &* 77 &+ length) } }
  }

  /// One transaction, large or small. Everything is compared and verified every tenth time.
  mutating func round(_ number: Int) throws {
    let isThorough = number % 10 == 9
    let transaction = try bench.engine.begin()
    var model = bench.committed
    for _ in 0..<Int.random(in: 1...(number % 3 == 0 ? 1500 : 300), using: &random) {
      try change(transaction, &model)
      if Int.random(in: 0..<40, using: &random) == 0 { try savepoint(transaction, &model, depth: 0) }
    }
    if isThorough { for (name, entries) in model { try EngineBench.check(try transaction.tree(name), entries) } }
    if Int.random(in: 0..<5, using: &random) == 0 {
      transaction.abort()
    } else {
      _ = try transaction.commit([.powerLoss, .ordered, .processCrash][number % 3])
      bench.committed = model
    }
    if isThorough { try check() }
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

  func check() throws {
    try bench.check(try bench.engine.snapshot(), bench.committed)
    try bench.verify()
  }

  private mutating func savepoint(_ transaction: EngineWriter, _ model: inout [String: Contents], depth: Int) throws {
    var inner = model
    try transaction.beginSavepoint()
    for _ in 0..<Int.random(in: 0..<40, using: &random) { try change(transaction, &inner) }
    if depth < 3, Int.random(in: 0..<3, using: &random) == 0 { try savepoint(transaction, &inner, depth: depth + 1) }
    if Bool.random(using: &random) {
      transaction.rollBack()
    } else {
      transaction.releaseSavepoint()
      model = inner
    }
  }

  private mutating func change(_ transaction: EngineWriter, _ model: inout [String: Contents]) throws {
    operationCount += 1
    let name = ["a", "b", "c"].randomElement(using: &random)!
    if Int.random(in: 0..<3000, using: &random) == 0 {
      let wasThere = try transaction.deleteTree(name)
      #expect(wasThere || model[name] == nil)
      model[name] = nil
      return
    }
    let key = randomKey()
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6:
      let value = values.randomElement(using: &random)!.randomElement(using: &random)!
      let isNew = try transaction.put(key.span.raw, value.span.raw, in: name)
      if isNew != (model[name]?[key] == nil) { Issue.record("put said \(isNew)") }
      model[name, default: [:]][key] = value
    default:
      let existing = Bool.random(using: &random) ? model[name]?.keys.randomElement(using: &random) : nil
      let target = existing ?? key
      let wasThere = try transaction.delete(target.span.raw, in: name)
      if wasThere != (model[name]?[target] != nil) { Issue.record("delete said \(wasThere)") }
      model[name]?[target] = nil
    }
  }

  private mutating func randomKey() -> [UInt8] {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let (conversation, message) = (Int.random(in: 0..<20, using: &random), Int.random(in: 0..<200, using: &random))
      return Array("conversation-\(conversation)/message-\(message)".utf8)
    case 1: return (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
    case 2:
      let value = UInt32.random(in: 0..<500, using: &random)
      return (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) }
    default: return (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
  }
}
