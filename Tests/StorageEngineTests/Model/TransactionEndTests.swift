import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import StorageEngine

/// What nobody ended, and what refers to what is gone.
@Suite struct TransactionEndTests {
  private func bench(isSealed: Bool = false) throws -> EngineBench {
    var options = EngineOptions()
    options.pageByteCount = 512
    options.lockTimeout = .milliseconds(1)
    return try EngineBench(options)
  }

  @Test func aTransactionThatIsLetGoRollsBack() throws {
    let bench = try bench()
    let engine: Engine = bench.engine
    try engine.write { transaction throws(EngineError) in try transaction.put("a", [1]) }
    var handle: TreeHandle?
    do {
      let transaction = try engine.begin()
      for index in 0..<500 { try transaction.put("key \(index)", patterned(80, index)) }
      try transaction.beginSavepoint()
      try transaction.put("a", [2])
      handle = try transaction.handle("t")
      weak let inner = handle?.writer.transaction
      #expect(inner != nil)
    }
    // The next one waits for nobody: neither for the handle's lock nor for the file's.
    let other = try Engine.open(path: bench.path, options: bench.options, system: SystemCalls())
    for writer in [engine, other] {
      try writer.write { transaction throws(EngineError) in try transaction.put("b", [3]) }
    }
    #expect(try engine.value("a") == [1] && engine.value("key 7") == nil)
    // What was kept of it is void, and keeps nothing locked.
    let tree = handle!.tree
    #expect(throws: EngineError.self) { _ = try tree.value(forKey: [97].span.raw) }
    try bench.verify()
  }

  @Test func aTransactionThatIsLetGoLeavesMemory() throws {
    let bench = try bench()
    weak var inner: EngineTransaction?
    do {
      let transaction = try bench.engine.begin()
      try transaction.put("a", [1])
      inner = try transaction.handle("t").writer.transaction
      #expect(inner != nil)
    }
    #expect(inner == nil)
  }

  private func isTreeDeleted(_ body: () throws(EngineError) -> Void) -> Bool {
    do throws(EngineError) { try body() } catch {
      if case .treeDeleted = error { return true }
    }
    return false
  }

  @Test("A handle of a tree that was removed", arguments: [false, true]) func handles(isNew: Bool) throws {
    let bench = try bench()
    let engine: Engine = bench.engine
    if !isNew {
      try engine.write { transaction throws(EngineError) in
        for index in 0..<200 { try transaction.put("key \(index)", patterned(80, index)) }
      }
    }
    let transaction = try engine.begin()
    let handle = try transaction.handle("t")
    let (key, value) = ([UInt8](repeating: 9, count: 20), patterned(90, 1))
    try transaction.put(key.span.raw, value.span.raw, in: handle)
    #expect(try transaction.deleteTree("t"))
    #expect(isTreeDeleted { () throws(EngineError) in try transaction.put(key.span.raw, value.span.raw, in: handle) })
    #expect(isTreeDeleted { () throws(EngineError) in try transaction.delete(key.span.raw, in: handle) })
    #expect(isTreeDeleted { () throws(EngineError) in _ = try transaction.value(forKey: key.span.raw, in: handle) })
    #expect(handle.tree.count == 0)
    // The transaction goes on, and another tree may have the name.
    let second = try transaction.handle("t")
    try transaction.put([1].span.raw, value.span.raw, in: second)
    #expect(isTreeDeleted { () throws(EngineError) in try transaction.put(key.span.raw, value.span.raw, in: handle) })
    _ = try transaction.commit()
    #expect(try engine.snapshot().tree("t")?.contents() == [[1]: value])
    try bench.verify()
  }

  @Test func handlesAndSavepoints() throws {
    let bench = try bench()
    let engine: Engine = bench.engine
    let value = patterned(90, 1)
    let transaction = try engine.begin()
    let old = try transaction.handle("old")
    try transaction.put([1].span.raw, value.span.raw, in: old)
    try transaction.beginSavepoint()
    try transaction.deleteTree("old")
    let made = try transaction.handle("made")
    try transaction.put([2].span.raw, value.span.raw, in: made)
    transaction.rollBack()
    // The removal is undone, and so is the making.
    try transaction.put([3].span.raw, value.span.raw, in: old)
    #expect(isTreeDeleted { () throws(EngineError) in try transaction.put([4].span.raw, value.span.raw, in: made) })
    _ = try transaction.commit()
    #expect(try engine.snapshot().treeNames() == ["old"])
    #expect(try engine.snapshot().tree("old")?.contents() == [[1]: value, [3]: value])
    try bench.verify()
    // Nor is a handle good in another transaction.
    let next = try engine.begin()
    #expect(throws: EngineError.self) { try next.put([5].span.raw, value.span.raw, in: old) }
    next.abort()
    try bench.verify()
  }
}
