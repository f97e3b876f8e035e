import Foundation
import TestSupport
import Testing

/// Processes stopped in the middle of something: nobody waits for them, and they go on as if nothing had been.
@Suite(.serialized) struct StopTests {
  private static func waitUntilStopped(_ child: ChildProcess, at point: String) -> Bool {
    guard child.waitForOutput("at \(point)\n") else { return false }
    for _ in 0..<2000 {
      if ProcessState(child.identifier).isStopped { return true }
      usleep(500)
    }
    return false
  }

  private static func slowest(_ output: String) -> Int? {
    output.split(separator: "\n").last { $0.hasPrefix("slowest ") }.flatMap { Int($0.dropFirst(8)) }
  }

  @Test(
    "A writer stopped in the middle of an append delays no other",
    arguments: ["lockTaken", "recordWritten", "sequenceStored", "recordPublished", "segmentMade", "segmentLinked"])
  func stoppedWriter(point: String) throws {
    let mailbox = MailboxUnderTest()
    var acknowledged = Acknowledged()
    let ordinal = point.hasPrefix("segment") ? 1 : point == "sequenceStored" ? 2 : 3
    let stopped = try mailbox.start("append", ["stopped", "5"], ["--unsynced", "--stop-at", "\(point):\(ordinal)"])
    #expect(Self.waitUntilStopped(stopped, at: point))
    // A machine that is busy with something else delays anybody: one of three has to be undisturbed.
    var best = Int.max
    for attempt in 0..<3 where best >= 50_000 {
      let output = try mailbox.run("append", ["other\(attempt)-", "1000"], ["--unsynced", "--slowest"])
      acknowledged.add(output)
      best = min(best, Self.slowest(output) ?? .max)
    }
    #expect(best < 50_000, "the slowest append took \(best) us")
    try mailbox.run("drain", [mailbox.drainedPath], ["--until-empty"])
    var drained = Drained(mailbox.place.contents("drained") ?? [])
    #expect(acknowledged.positions.allSatisfy { drained.positions[$0.key] == $0.value })
    stopped.kill(SIGCONT)
    let outcome = stopped.wait()
    #expect(outcome.isSuccess, "\(outcome.errorOutput)")
    acknowledged.add(outcome.output)
    #expect(acknowledged.positions.keys.filter { $0.hasPrefix("stopped") }.count == 5)
    try mailbox.check(acknowledged)
    drained = Drained(mailbox.place.contents("drained") ?? [])
    #expect(drained.positions.count == acknowledged.positions.count)
  }

  @Test(
    "A drainer stopped in the middle of a removal delays nobody",
    arguments: ["acknowledged", "segmentSealed", "segmentMarkedRemoved", "saltOverwritten", "segmentUnlinked"])
  func stoppedDrainer(point: String) throws {
    let mailbox = MailboxUnderTest()
    var acknowledged = Acknowledged()
    acknowledged.add(try mailbox.run("append", ["before", "50"], ["--unsynced"]))
    let stopped = try mailbox.start("drain", [mailbox.drainedPath], ["--until-empty", "--stop-at", point])
    #expect(Self.waitUntilStopped(stopped, at: point))
    var best = Int.max
    for attempt in 0..<3 where best >= 50_000 {
      let output = try mailbox.run("append", ["during\(attempt)-", "500"], ["--unsynced", "--slowest"])
      acknowledged.add(output)
      best = min(best, Self.slowest(output) ?? .max)
    }
    #expect(best < 50_000, "the slowest append took \(best) us")
    try mailbox.run("drain", [mailbox.drainedPath], ["--until-empty"])
    let drained = Drained(mailbox.place.contents("drained") ?? [])
    #expect(acknowledged.positions.allSatisfy { drained.positions[$0.key] == $0.value })
    stopped.kill(SIGCONT)
    let outcome = stopped.wait()
    #expect(outcome.isSuccess, "\(outcome.errorOutput)")
    acknowledged.add(try mailbox.run("append", ["after", "50"], ["--unsynced"]))
    try mailbox.check(acknowledged)
  }
}
