import RawMemory
import Sealing
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// A limit on the file's size.
@Suite struct FullStoreTests {
  private func bench(_ isSealed: Bool) throws -> EngineBench {
    var options = EngineOptions()
    options.fileByteCountMax = 2 << 20
    if isSealed { options.key = .secret(SecretBytes.random(count: 32)) }
    return try EngineBench(options)
  }

  /// - Returns: how many entries fitted.
  private func fill(_ bench: EngineBench, from start: Int = 0) throws -> Int {
    var count = start
    while try add(count, bench.engine) { count += 10 }
    return count
  }

  /// - Returns: false when there is no room for ten more.
  private func add(_ count: Int, _ engine: Engine) throws -> Bool {
    do throws(EngineError) {
      try engine.write(.ordered) { transaction throws(EngineError) in
        for index in 0..<10 { try transaction.put("key \(100_000 + count + index)", patterned(700, count &+ index)) }
      }
      return true
    } catch {
      guard case .full(let limit) = error else { throw error }
      #expect(limit == 2 << 20)
      return false
    }
  }

  @Test("A full store takes a small delete, and then more", arguments: [false, true]) func fullStore(isSealed: Bool) throws {
    let bench = try bench(isSealed)
    let engine: Engine = bench.engine
    let count = try fill(bench)
    #expect(count > 1000)
    #expect(try engine.statistics().fileByteCount <= 2 << 20)
    #expect(try engine.snapshot().tree("t")!.count == UInt64(count))
    // Within a transaction that was full, nothing goes on; the next one does.
    let transaction = try engine.begin()
    #expect(throws: EngineError.self) {
      while true { try transaction.put("more \(Int.random(in: 0..<1 << 60))", patterned(900, 1)) }
    }
    #expect(throws: EngineError.self) { try transaction.commit() }
    // One at a time, while a reader holds what there was.
    var held: Snapshot? = try engine.snapshot()
    for index in 0..<30 { try engine.write { transaction throws(EngineError) in try transaction.delete("key \(100_000 + index)") } }
    #expect(try held!.tree("t")!.count == UInt64(count))
    held = nil
    for index in 30..<count {
      try engine.write(index % 20 == 0 ? .powerLoss : .ordered) { transaction throws(EngineError) in
        try transaction.delete("key \(100_000 + index)")
      }
    }
    #expect(try engine.snapshot().tree("t")!.count == 0)
    #expect(try engine.snapshot().verify().isClean)
    try bench.reopen()
    let again = try fill(bench)
    #expect(again * 10 >= count * 9, "\(again) after \(count)")
    #expect(try bench.engine.snapshot().verify().isClean)
    #expect(try bench.engine.statistics().fileByteCount <= 2 << 20)
  }

  @Test("B053: values of 17 MiB", arguments: [(false, true), (false, false), (true, false)]) func longValues(
    isSealed: Bool, isMapped: Bool
  ) throws {
    var options = EngineOptions()
    options.mapsPages = isMapped
    if isSealed { options.key = .secret(SecretBytes.random(count: 32)) }
    let bench = try EngineBench(options)
    let count = 17 << 20
    var value = [UInt8](repeating: 3, count: count)
    for index in stride(from: 0, to: count, by: 4093) { value[index] = UInt8(truncatingIfNeeded: index >> 4) }
    try bench.engine.write { transaction throws(EngineError) in
      try transaction.put("a", value)
      try transaction.put("b", value)
      try transaction.delete("b")
      try transaction.put("small", [1])
    }
    try bench.reopen()
    let found = try bench.engine.value("a")
    #expect(found == value)
    #expect(try bench.engine.value("small") == [1] && bench.engine.value("b") == nil)
    try bench.engine.write { transaction throws(EngineError) in try transaction.put("a", [2]) }
    #expect(try bench.engine.value("a") == [2])
    #expect(try bench.engine.snapshot().verify().isClean)
  }

  @Test func keysAboveTheLimit() throws {
    let bench = try EngineBench(EngineOptions())
    let limit = bench.engine.keyByteCountMax
    let transaction = try bench.engine.begin()
    let longest = [UInt8](repeating: 9, count: limit)
    try transaction.put(longest, [])
    let longer = longest + [1]
    #expect(throws: EngineError.self) { try transaction.put(longer, []) }
    // The transaction goes on.
    try transaction.put("a", [1])
    _ = try transaction.commit()
    #expect(try bench.engine.snapshot().tree("t")!.count == 2)
  }
}
