import Foundation
import RawMemory
import Sealing
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// What a version that is held costs.
@Suite struct PinnedVersionTests {
  @Test("B034: a thousand commits beside a pinned version", arguments: [false, true]) func thousandCommits(isSealed: Bool) throws {
    var options = EngineOptions()
    if isSealed { options.key = .secret(SecretBytes.random(count: 32)) }
    let bench = try EngineBench(options)
    let engine: Engine = bench.engine
    // 100 KiB.
    func rewrite(_ number: Int, _ durability: EngineDurability) throws {
      let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1000)
      try engine.write(durability) { transaction throws(EngineError) in
        for index in 0..<100 { try transaction.put("key \(index)", value) }
      }
    }
    for number in 0..<4 { try rewrite(number, .powerLoss) }
    let start = try engine.statistics().fileByteCount
    var pinned: Snapshot? = try engine.snapshot()
    let first = try pinned!.tree("t")!.contents()
    for number in 0..<1000 { try rewrite(number, number % 50 == 0 ? .powerLoss : number % 2 == 0 ? .ordered : .processCrash) }
    let during = try engine.statistics()
    #expect(during.fileByteCount <= 2 << 20, "\(during.fileByteCount)")
    #expect(try pinned!.tree("t")!.contents() == first)
    let pin = try #require(during.pins.first)
    #expect(during.pins.count == 1 && pin.version == pinned!.version && pin.processID == ProcessInfo.processInfo.processIdentifier)
    #expect(pin.age > .zero && pin.heldPageCount > 20 && pin.heldPageCount < 150, "\(pin)")
    #expect(try engine.snapshot().verify().isClean)
    pinned = nil
    for number in 0..<10 { try rewrite(number, .powerLoss) }
    let after = try engine.statistics()
    #expect(after.pins.isEmpty && after.fileByteCount <= 3 * start, "\(after.fileByteCount) and \(start) before")
    #expect(UInt64(after.freePageCount) > pin.heldPageCount)
  }

  /// Versions in between, held and dropped at random, show what they did, and nothing of them is lost or kept too long.
  @Test func manyPins() throws {
    var options = EngineOptions()
    options.pageByteCount = 512
    let bench = try EngineBench(options)
    let engine: Engine = bench.engine
    var random = SplitMix64(seed: 34)
    var held: [(Snapshot, Contents)] = []
    var contents: Contents = [:]
    for _ in 0..<(isLongRun ? 3000 : 300) {
      try engine.write(.ordered) { transaction throws(EngineError) in
        for _ in 0..<8 {
          let key = "\(Int.random(in: 0..<200, using: &random))"
          let value = patterned(Int.random(in: 0..<90, using: &random), Int.random(in: 0..<256, using: &random))
          try transaction.put(key, value)
          contents[Array(key.utf8)] = value
        }
      }
      held.append((try engine.snapshot(), contents))
      while held.count > 20 || Bool.random(using: &random) && !held.isEmpty {
        let (snapshot, expected) = held.remove(at: Int.random(in: 0..<held.count, using: &random))
        if try snapshot.tree("t")!.contents() != expected { Issue.record("version \(snapshot.version) is another one") }
      }
    }
    #expect(try engine.snapshot().verify().isClean)
    let pages = try engine.snapshot().pageCount
    #expect(pages < 3000, "\(pages)")
  }
}
