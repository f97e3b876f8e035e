import Foundation
import MailboxLog
import TestSupport
import Testing

/// Processes killed at random moments and at named points of every operation: nothing acknowledged is lost, no key comes back.
@Suite(.serialized) struct LogKillTests {
  static let killCount = LogUnderTest.isLong ? 10_000 : 60
  static let points = [
    "lockTaken", "recordWritten", "sequenceStored", "recordPublished", "lockReleased", "recordSynced", "logSuperseding",
    "logReplaced",
    "segmentMade", "segmentLinked",
  ]

  private static func trap(_ random: inout SplitMix64) -> [String] {
    let point = points.randomElement(using: &random)!
    return [
      "--kill-at",
      "\(point):\(point.hasPrefix("segment") ? 1 : Int.random(in: 1...(point.hasPrefix("log") ? 4 : 60), using: &random))",
    ]
  }

  /// Three writers at once, one of which dies at a point of its own choice, if it gets there in time, and for a rekeyed log one that rekeys it.
  @Test("Killed writers", arguments: [["3c"], ["-"], ["3c", "7d", "-"]], [[], ["--durable"], ["--unmapped"]])
  func writers(keys: [String], options: [String]) throws {
    let log = LogUnderTest(keys: keys)
    var random = SplitMix64(seed: UInt64(keys.count * 10 + options.joined().utf8.count))
    let writerCount = 3
    for round in 0..<max(Self.killCount / 9 / writerCount, 2) {
      var writers = try (0..<writerCount).map { index in
        try log.start("write", ["w\(index)-", "\(random.next() >> 8)", "0"], options + (index == 0 ? Self.trap(&random) : []))
      }
      let rekeying = keys.count > 1 ? try log.start("rekey", [], round % 2 == 0 ? Self.trap(&random) : []) : nil
      for writer in writers { _ = writer.waitForOutput("ready") }
      usleep(UInt32.random(in: 0...40_000, using: &random))
      writers.shuffle(using: &random)
      rekeying?.kill()
      for writer in writers { writer.kill() }
      var outputs: [String] = []
      for writer in writers {
        let outcome = writer.wait()
        #expect(outcome.signal == SIGKILL, "\(outcome.errorOutput)")
        outputs.append(outcome.output)
      }
      if let outcome = rekeying?.wait() { #expect(outcome.signal == SIGKILL, "\(outcome.errorOutput)") }
      try log.check(outputs)
    }
    try log.checkEnd()
  }

  @Test("Processes that nobody kills agree with a dictionary", arguments: [["3c"], ["-"]]) func together(keys: [String]) throws {
    let log = LogUnderTest(keys: keys)
    let count = LogUnderTest.isLong ? 125_000 : 400
    let writers = try (0..<4).map { try log.start("write", ["w\($0)-", "\($0 + 100)", "\(count)"]) }
    var outputs: [String] = []
    for writer in writers {
      let outcome = writer.wait(timeout: .seconds(3_000))
      #expect(outcome.isSuccess, "\(outcome.errorOutput)")
      outputs.append(outcome.output)
    }
    try log.check(outputs)
    try log.checkEnd()
  }

  @Test("A writer alone, which also removes everything", arguments: [["3c"], ["-"]])
  func alone(keys: [String]) throws {
    let log = LogUnderTest(keys: keys)
    var random = SplitMix64(seed: 77)
    for _ in 0..<max(Self.killCount / 6, 3) {
      let writer = try log.start("write", ["a", "\(random.next() >> 8)", "0"], ["--alone"] + Self.trap(&random))
      _ = writer.waitForOutput("ready")
      usleep(UInt32.random(in: 0...60_000, using: &random))
      writer.kill()
      try log.check([writer.wait().output])
    }
    try log.checkEnd()
  }

  @Test("A writer killed at each point leaves a log that goes on", arguments: points, [[], ["--durable"], ["--unmapped"]])
  func eachPoint(point: String, options: [String]) throws {
    let log = LogUnderTest()
    let ordinal = point.hasPrefix("segment") ? 1 : point.hasPrefix("log") ? 2 : 33
    let killed = try log.start("write", ["k", "5", "600"], options + ["--kill-at", "\(point):\(ordinal)"]).wait()
    // The one only where words are mapped, the other only where something is synced.
    let isReached = point != "sequenceStored" || options != ["--unmapped"]
    if point != "recordSynced" || options == ["--durable"] { #expect(killed.signal == (isReached ? SIGKILL : nil)) }
    try log.check([killed.output])
    try log.check([try log.run("write", ["k", "6", "200"], options)])
    try log.checkEnd()
  }

  @Test("A rekeying killed at each point leaves exactly one key that opens everything", arguments: points)
  func rekeying(point: String) throws {
    let log = LogUnderTest(keys: ["3c", "7d"])
    try log.check([try log.run("write", ["k", "9", "300"])])
    for ordinal in 1...2 {
      let killed = try log.start("rekey", [], ["--kill-at", "\(point):\(ordinal)"])
      usleep(150_000)
      killed.kill()
      #expect(killed.wait().signal == SIGKILL)
      var opened = 0
      for key in log.keys {
        let options = LogOptions(key: try EncryptionKey([UInt8](repeating: UInt8(key, radix: 16)!, count: 32)))
        do {
          _ = try KeyValueLog(path: log.path, options: options)
          opened += 1
        } catch { #expect(error == .wrongKey) }
      }
      #expect(opened == 1)
      try log.check([])
    }
    try log.checkEnd()
  }
}
