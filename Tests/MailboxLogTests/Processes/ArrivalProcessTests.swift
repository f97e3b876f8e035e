import Foundation
import MailboxLog
import TestSupport
import Testing

/// Arrivals in one process, appends in others.
@Suite(.serialized) struct ArrivalProcessTests {
  @Test(
    "Each append of another process wakes within a second",
    arguments: [["--unsynced"], [], ["--unsynced", "--unmapped"], ["--unsynced", "--one-shot"], ["--unsynced", "--read-only"]])
  func wakes(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    let isReadOnly = options.contains("--read-only")
    // Looked at twice a second, a hundred rounds would take a minute.
    let count = MailboxUnderTest.isLong ? 1000 : isReadOnly ? 6 : 100
    let listening = options.filter { $0 == "--unmapped" || $0 == "--read-only" }
    if isReadOnly { try mailbox.run("append", ["zero", "1"]) }
    let listener = try mailbox.start("listen", [], listening, input: nil)
    #expect(listener.waitForOutput("ready"))
    // Paced by what has arrived, at changing distances: the writer goes on with each line.
    let writer = try mailbox.start("append", ["m", "\(count)"], options.filter { $0 != "--read-only" } + ["--each-line"], input: nil)
    #expect(writer.waitForOutput("ready"))
    var random = SplitMix64(seed: 6)
    var slowest = Duration.zero
    for index in 0..<count {
      usleep(UInt32.random(in: 0...4000, using: &random))
      let begin = ContinuousClock.now
      writer.write("\n")
      #expect(writer.waitForOutput("m\(index) "))
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

  @Test("A writer that dies right before it rings silences nobody else", arguments: [[], ["--unmapped"]])
  func deadRinger(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    let listener = try mailbox.start("listen", [], options, input: nil)
    #expect(listener.waitForOutput("ready"))
    for round in 0..<5 {
      // A first record makes the segment, which wakes; the one that dies has to ring for an idle listener.
      try mailbox.run("append", ["first\(round)-", "1"], options + ["--unsynced"])
      #expect(listener.waitForOutput("got first\(round)-0"))
      usleep(20_000)
      let dead = try mailbox.start("append", ["dead\(round)-", "1000"], options + ["--unsynced", "--kill-at", "bell:1"]).wait()
      #expect(dead.signal == SIGKILL)
      try mailbox.run("append", ["next\(round)-", "1"], options + ["--unsynced"])
      #expect(listener.waitForOutput("got next\(round)-0", timeout: .seconds(2)), "round \(round)")
    }
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
