import Foundation
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// Writers that are killed, while readers go on.
@Suite(.serialized) struct KillTests {
  /// What the writer had mapped keeps the lock file open, and with it the lock, wherever it is still mapped.
  @Test("B046: a writer killed in the middle of a write holds no lock through its child", arguments: [false, true])
  func b046(isSealed: Bool) throws {
    let store = StoreUnderTest(isSealed: isSealed)
    let first = try store.open()
    try first.write { transaction throws(EngineError) in try transaction.put("key", Array("1 ".utf8)) }
    let outcome = try store.start("fork-hold").wait()
    #expect(outcome.signal == SIGKILL, "\(outcome.output)")
    let child = try #require(outcome.output.split(separator: "\n").first.flatMap { Int32($0.dropFirst(6)) })
    defer { kill(child, SIGKILL) }
    for engine in [first, try store.open()] {
      try engine.write { transaction throws(EngineError) in try transaction.put("key", Array("2 ".utf8)) }
    }
    #expect(kill(child, 0) == 0)
    #expect(try store.number(first) == 2)
  }

  @Test("B002, B040: kills of writers with readers alive", arguments: [false, true]) func writers(isSealed: Bool) throws {
    let store = StoreUnderTest(isSealed: isSealed)
    let engine = try store.open()
    let reader = try store.start("loop")
    #expect(reader.waitForOutput("looping"))
    var holder = try store.start("hold")
    #expect(holder.waitForOutput("holding"))
    var random = SplitMix64(seed: 40)
    var (last, acknowledged) = (0, 0)
    for round in 0..<(isLongRun ? 500 : 30) {
      let writer = try store.start("write", "\(last)")
      // From before it has opened the store to the middle of its commits.
      if round % 3 > 0 { #expect(writer.waitForOutput("\n")) }
      usleep(useconds_t(Int.random(in: 0..<60_000, using: &random)))
      writer.kill()
      let outcome = writer.wait()
      acknowledged = max(acknowledged, StoreUnderTest.acknowledged(outcome.output))
      let number = try store.number(engine) ?? 0
      if number < acknowledged || number < last { Issue.record("\(number) after \(acknowledged)") }
      // The next writer waits for nobody.
      let clock = ContinuousClock()
      let start = clock.now
      try engine.write { transaction throws(EngineError) in try transaction.put("round", Array("\(round)".utf8), in: "u") }
      if clock.now - start > .seconds(1) { Issue.record("it took \(clock.now - start)") }
      last = max(number, acknowledged)
      if round % 5 == 4 {
        let report = try engine.snapshot().verify()
        if !report.isClean { Issue.record("\(report.problems)") }
      }
      if round % 10 == 9 {
        holder.closeInput()
        let outcome = holder.wait()
        let words = outcome.output.split(whereSeparator: \.isWhitespace)
        if words.count != 4 || words[1] != words[3] { Issue.record("\(outcome.output)") }
        holder = try store.start("hold")
        #expect(holder.waitForOutput("holding"))
      }
    }
    reader.closeInput()
    let outcome = reader.wait()
    #expect(outcome.isSuccess && outcome.output.contains("read"), "\(outcome.output)")
    #expect(last > 10)
    // Opened anew by a process that knows nothing.
    let fresh = try store.start("hold")
    #expect(fresh.waitForOutput("holding \(last)"))
    #expect(litter(in: store.place.path) == [])
  }

  @Test("B047: readers that were killed pin nothing", arguments: [false]) func readers(isSealed: Bool) throws {
    let store = StoreUnderTest(isSealed: isSealed)
    let engine = try store.open()
    func rewrite(_ number: Int) throws {
      try engine.write(.ordered) { transaction throws(EngineError) in
        for index in 0..<100 { try transaction.put("key \(index)", patterned(900, number &+ index), in: "u") }
      }
    }
    for number in 0..<10 { try rewrite(number) }
    let start = try engine.statistics().fileByteCount
    let count = isLongRun ? 300 : 40
    var children: [ChildProcess] = []
    for index in 0..<count {
      let child = try store.start("hold")
      children.append(child)
      if children.count == 10 || index == count - 1 {
        for child in children { #expect(child.waitForOutput("holding")) }
        try rewrite(index)
        for child in children { child.kill() }
        for child in children { child.wait() }
        children = []
      }
    }
    let clock = ContinuousClock()
    let began = clock.now
    for number in 0..<(isLongRun ? 500 : 100) { try rewrite(number) }
    #expect(clock.now - began < .seconds(60))
    let statistics = try engine.statistics()
    #expect(statistics.pins.isEmpty)
    #expect(statistics.fileByteCount <= 2 * start, "\(statistics.fileByteCount) and \(start)")
    #expect(try engine.snapshot().verify().isClean)
  }
}
