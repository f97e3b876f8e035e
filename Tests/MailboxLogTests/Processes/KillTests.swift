import Foundation
import MailboxLog
import TestSupport
import Testing

/// Processes killed at random moments and at each named point: nothing acknowledged is lost, nothing doubles, nothing is left behind.
@Suite(.serialized) struct KillTests {
  static let killCount = MailboxUnderTest.isLong ? 1000 : 60
  static let writerPoints = [
    "segmentMade", "segmentLinked", "lockTaken", "recordWritten", "sequenceStored", "recordPublished", "lockReleased",
    "recordSynced",
  ]
  static let drainerPoints = [
    "acknowledged", "segmentSealed", "segmentMarkedRemoved", "saltOverwritten", "segmentUnlinked", "directorySynced",
  ]

  @Test(
    "Killed writers lose nothing that they acknowledged",
    arguments: [["--unsynced"], ["--unsynced", "--one-shot"], [], ["--one-shot"], ["--unsynced", "--batch", "7"], ["--unmapped"]])
  func killedWriters(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    var random = SplitMix64(seed: 20 &+ UInt64(options.joined().utf8.count))
    var acknowledged = Acknowledged()
    var drainer = try mailbox.start("drain", [mailbox.drainedPath])
    for round in 0..<Self.killCount / 4 {
      // Four at once; two of them die at a point of their own choice, if they get there in time.
      let writers = try (0..<4).map { index in
        let point = Self.writerPoints.randomElement(using: &random)!
        let ordinal = point.hasPrefix("segment") ? 1 : Int.random(in: 1...9, using: &random)
        let trap = index < 2 ? ["--kill-at", "\(point):\(ordinal)"] : []
        return try mailbox.start("append", ["r\(round)w\(index)-", "0"], options + trap)
      }
      for writer in writers {
        _ = writer.waitForOutput("ready")
        usleep(UInt32.random(in: 0...6000, using: &random))
        writer.kill()
        acknowledged.add(writer.wait().output)
      }
      if round % 5 == 4 {
        drainer.kill()
        drainer.wait()
        drainer = try mailbox.start("drain", [mailbox.drainedPath])
      }
    }
    drainer.kill()
    drainer.wait()
    #expect(acknowledged.positions.count > Self.killCount)
    try mailbox.check(acknowledged)
  }

  @Test("Killed drainers lose nothing and repeat nothing that they acknowledged", arguments: [[], ["--unmapped"]])
  func killedDrainers(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    var random = SplitMix64(seed: 30)
    // Paced, so that the mailbox runs empty again and again, and segments are removed.
    let begin = Int(Date().timeIntervalSince1970 * 1e6)
    let writing = ["--unsynced", "--size", "900", "--reopen", "50", "--at", "\(begin)", "--pace", "500"]
    let writers = try ["x", "y"].map { try mailbox.start("append", [$0, "0"], options + writing, input: nil) }
    for _ in 0..<Self.killCount {
      let point = Self.drainerPoints.randomElement(using: &random)!
      let trap = Bool.random(using: &random) ? ["--kill-at", "\(point):\(Int.random(in: 1...3, using: &random))"] : []
      let limit = ["--limit", "\(Int.random(in: 1...500, using: &random))"]
      let drainer = try mailbox.start("drain", [mailbox.drainedPath], options + trap + limit)
      _ = drainer.waitForOutput("ready")
      // Stopped for a while, the writers let the drainer get to the end.
      for writer in writers { writer.kill(Bool.random(using: &random) ? SIGSTOP : SIGCONT) }
      usleep(UInt32.random(in: 0...25_000, using: &random))
      drainer.kill()
      drainer.wait()
    }
    var acknowledged = Acknowledged()
    for writer in writers {
      writer.kill()
      acknowledged.add(writer.wait().output)
    }
    try mailbox.check(acknowledged)
  }

  @Test(
    "A writer killed at each point leaves a mailbox that goes on", arguments: writerPoints, [["--unsynced"], [], ["--unmapped"]])
  func eachWriterPoint(point: String, options: [String]) throws {
    let mailbox = MailboxUnderTest()
    var acknowledged = Acknowledged()
    let ordinal = point.hasPrefix("segment") ? 1 : point == "sequenceStored" ? 2 : 3
    let killed = try mailbox.start("append", ["k", "5"], options + ["--kill-at", "\(point):\(ordinal)"]).wait()
    acknowledged.add(killed.output)
    // The one only where words are mapped, the other only where something is synced.
    let isReached = point == "sequenceStored" ? options == ["--unsynced"] : point != "recordSynced" || options != ["--unsynced"]
    #expect(killed.signal == (isReached ? SIGKILL : nil))
    acknowledged.add(try mailbox.run("append", ["after", "5"], options))
    try mailbox.check(acknowledged)
  }

  @Test(
    "A drainer killed between the two words that it moves makes nothing look damaged",
    arguments: ["consumedEnd", "consumedSequence"])
  func betweenTwoWords(word: String) throws {
    let mailbox = MailboxUnderTest()
    var acknowledged = Acknowledged()
    acknowledged.add(try mailbox.run("append", ["before", "50"], ["--unsynced"]))
    let killed = try mailbox.start("drain", [mailbox.drainedPath], ["--unmapped", "--limit", "20", "--kill-at", word]).wait()
    #expect(killed.signal == SIGKILL)
    let reader = try mailbox.reader()
    #expect(try reader.damage().isEmpty)
    #expect(try [30, 50].contains(reader.pendingCount))
    acknowledged.add(try mailbox.run("append", ["after", "5"], ["--unsynced"]))
    try mailbox.check(acknowledged)
  }

  @Test("A drainer killed at each point leaves a mailbox that goes on", arguments: drainerPoints, [[], ["--unmapped"]])
  func eachDrainerPoint(point: String, options: [String]) throws {
    let mailbox = MailboxUnderTest()
    var acknowledged = Acknowledged()
    acknowledged.add(try mailbox.run("append", ["before", "5"], ["--unsynced"]))
    let killed = try mailbox.start("drain", [mailbox.drainedPath], options + ["--until-empty", "--kill-at", point]).wait()
    #expect(killed.signal == SIGKILL)
    #expect(try mailbox.reader().damage().isEmpty)
    acknowledged.add(try mailbox.run("append", ["after", "5"], options + ["--unsynced"]))
    try mailbox.check(acknowledged)
  }
}
