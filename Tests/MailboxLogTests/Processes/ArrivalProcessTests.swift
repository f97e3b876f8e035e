import Foundation
import MailboxLog
import TestSupport
import Testing

/// Arrivals in one process, appends in others.
@Suite(.serialized) struct ArrivalProcessTests {
  @Test(
    "Each append of another process wakes within a second",
    arguments: [
      ["--unsynced"], [], ["--unsynced", "--unmapped"], ["--unsynced", "--one-shot"], ["--unsynced", "--read-only"],
      ["--unsynced", "--keep"], ["--keep", "--unmapped"],
    ])
  func wakes(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    let isReadOnly = options.contains("--read-only")
    // Looked at twice a second, a hundred rounds would take a minute.
    let count = MailboxUnderTest.isLong ? 1000 : isReadOnly ? 6 : 100
    let listening = options.filter { $0 == "--unmapped" || $0 == "--read-only" || $0 == "--keep" }
    if isReadOnly { try mailbox.run("append", ["zero", "1"]) }
    let listener = try mailbox.start("listen", [], listening, input: nil)
    #expect(listener.waitForOutput("ready"))
    // Paced by what has arrived, at changing distances: the writer goes on with each line.
    let writing = options.filter { $0 != "--read-only" && $0 != "--keep" } + ["--each-line"]
    let writer = try mailbox.start("append", ["m", "\(count)"], writing, input: nil)
    #expect(writer.waitForOutput("ready"))
    var random = SplitMix64(seed: 6)
    var slowest = Duration.zero
    for index in 0..<count {
      usleep(UInt32.random(in: 0...4000, using: &random))
      writer.write("\n")
      #expect(writer.waitForOutput("m\(index) "))
      let begin = ContinuousClock.now
      let isThere = listener.waitForOutput("got m\(index)\n", timeout: .seconds(3))
      #expect(isThere, "m\(index) didn't wake")
      slowest = max(slowest, ContinuousClock.now - begin)
      if !isThere { break }
    }
    #expect(slowest < .seconds(1), "\(slowest)")
    #expect(writer.wait().isSuccess)
    listener.write("\n")
    #expect(listener.waitForOutput("idle "))
    let idle = listener.outputSoFar.split(separator: "\n").last { $0.hasPrefix("idle ") }.flatMap { Int($0.dropFirst(5)) } ?? .max
    #expect(idle < 20_000, "\(idle) us of processor time in two idle seconds")
    listener.closeInput()
    #expect(listener.waitForOutput("ended"))
    #expect(listener.wait().isSuccess)
  }

  @Test("A writer that dies right before it rings silences nobody else")
  func deadRinger() throws {
    let mailbox = MailboxUnderTest()
    // Nothing is acknowledged, so that the segment stays. A second append of a handle goes through its mapping, and raises no event.
    let listener = try mailbox.start("listen", [], ["--keep"], input: nil)
    let writer = try mailbox.start("append", ["m", "0"], ["--unsynced", "--each-line"], input: nil)
    #expect(listener.waitForOutput("ready") && writer.waitForOutput("ready"))
    for index in 0..<2 {
      writer.write("\n")
      #expect(listener.waitForOutput("got m\(index)\n"))
    }
    for round in 0..<5 {
      let trap = ["--each-line", "--kill-at", "bell:2"]
      let dead = try mailbox.start("append", ["dead\(round)-", "2"], ["--unsynced"] + trap, input: nil)
      dead.write("\n")
      #expect(listener.waitForOutput("got dead\(round)-0\n"))
      // The listener is asleep again when the second append finds its wish.
      usleep(50_000)
      dead.write("\n")
      #expect(dead.wait().signal == SIGKILL)
      usleep(20_000)
      writer.write("\n")
      #expect(listener.waitForOutput("got m\(round + 2)\n", timeout: .seconds(2)), "round \(round)")
    }
    writer.kill()
    listener.closeInput()
    #expect(listener.wait().isSuccess)
  }

  @Test("An iteration ends with its task and with its reader", arguments: [[], ["--read-only"]])
  func ends(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    try FileManager.default.createDirectory(atPath: mailbox.path, withIntermediateDirectories: true)
    #expect(try mailbox.run("listen-end", [], options) == "ok\n")
  }
}
