import Foundation
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// Processes that share a store.
@Suite(.serialized) struct TogetherTests {
  @Test("B026: readers loop over every entry while a writer commits", arguments: [true, false]) func readersAndWriter(
    isSealed: Bool
  ) throws {
    let store = StoreUnderTest(isSealed: isSealed)
    let engine = try store.open()
    let readers = try (0..<2).map { _ in try store.start("loop") }
    for reader in readers { #expect(reader.waitForOutput("looping")) }
    for number in 1...(isLongRun ? 1000 : 200) {
      try engine.write(number % 10 == 0 ? .powerLoss : .processCrash) { transaction throws(EngineError) in
        for index in 0..<60 {
          let count = index % 20 == 0 ? 2000 : 20 + (number + index) % 90
          let value = Array("\(number) ".utf8) + [UInt8](repeating: UInt8(truncatingIfNeeded: number &+ index), count: count)
          try transaction.put("key \(index)", value)
        }
      }
    }
    for reader in readers { reader.closeInput() }
    for reader in readers {
      let outcome = reader.wait()
      #expect(outcome.isSuccess && outcome.output.contains("read"), "\(outcome.output)")
    }
  }

  /// Pages that a reader of another process still needs aren't used again, while its later ones are.
  @Test(arguments: [true, false]) func aPinnedVersionStays(isSealed: Bool) throws {
    let store = StoreUnderTest(isSealed: isSealed)
    let engine = try store.open()
    let writer = try store.start("write", "0")
    #expect(writer.waitForOutput("4\n"))
    let holders = try (0..<4).map { _ in
      usleep(20_000)
      return try store.start("hold")
    }
    for holder in holders { #expect(holder.waitForOutput("holding")) }
    usleep(isLongRun ? 3_000_000 : 500_000)
    for holder in holders {
      holder.closeInput()
      let words = holder.wait().output.split(whereSeparator: \.isWhitespace)
      #expect(words.count == 4 && words[1] == words[3], "\(words)")
    }
    writer.kill()
    writer.wait()
    #expect(try engine.snapshot().verify().isClean)
  }

  @Test("A writer that is stopped keeps its lock: busy within the deadline, and readers go on") func suspendedWriter() throws {
    let store = StoreUnderTest(isSealed: false)
    let engine = try store.open()
    try engine.write { transaction throws(EngineError) in try transaction.put("a", [1], in: "u") }
    let writer = try store.start("begin")
    #expect(writer.waitForOutput("begun"))
    writer.kill(SIGSTOP)
    let clock = ContinuousClock()
    let start = clock.now
    let waited = waitedInVain(engine)
    #expect(waited.map { $0 >= .milliseconds(290) } == true)
    #expect(clock.now - start < .seconds(3))
    #expect(try engine.value("a", in: "u") == [1])
    // The same from another thread of this process, then killed: its lock goes with it.
    writer.kill()
    writer.wait()
    try engine.write { transaction throws(EngineError) in try transaction.put("a", [2], in: "u") }
    #expect(try engine.value("a", in: "u") == [2] && store.number(engine) == nil)
  }

  private func waitedInVain(_ engine: Engine) -> Duration? {
    do throws(EngineError) {
      try engine.begin(until: Deadline(after: .milliseconds(300), .live)).abort()
      return nil
    } catch {
      if case .busy(let waited) = error { return waited }
      return nil
    }
  }

  @Test("Readers and a writer of other processes through compactions", arguments: [true, false]) func compactions(isSealed: Bool)
    throws
  {
    let store = StoreUnderTest(isSealed: isSealed)
    let engine = try store.open()
    let reader = try store.start("loop")
    #expect(reader.waitForOutput("looping"))
    let writer = try store.start("write", "0")
    #expect(writer.waitForOutput("2\n"))
    var last = 0
    for _ in 0..<(isLongRun ? 200 : 20) {
      try engine.compact()
      let number = try store.number(engine) ?? 0
      if number < last { Issue.record("\(number) after \(last)") }
      last = number
      usleep(5000)
    }
    reader.closeInput()
    let outcome = reader.wait()
    #expect(outcome.isSuccess && outcome.output.contains("read"), "\(outcome.output)")
    writer.kill()
    let acknowledged = StoreUnderTest.acknowledged(writer.wait().output)
    #expect(try store.number(engine) ?? 0 >= acknowledged)
    #expect(try engine.snapshot().verify().isClean)
    #expect(litter(in: store.place.path) == [])
  }

  @Test("B011: a limit on the size of files is noSpace and no signal", arguments: [0, 4, 47]) func limitedFileSize(kibibytes: Int)
    throws
  {
    let store = StoreUnderTest(isSealed: false)
    let worker = try #require(BuiltExecutable.path("storage-worker"))
    let script = "ulimit -f \(kibibytes * 2) && exec \"$0\" store create \"$1\" plain"
    let limited = try ChildProcess("/bin/sh", ["-c", script, worker, store.path]).wait()
    #expect(limited.output == "no space\n", "\(limited)")
    #expect(try store.start("create").wait().output == "created\n")
    #expect(try store.number(try store.open()) == 1)
  }
}
