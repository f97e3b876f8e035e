import Foundation
import MailboxLog
import TestSupport
import Testing

/// Several real processes, and what a process may cost.
@Suite(.serialized) struct LogProcessTests {
  @Test("Two threads in each of four processes, with forks in the middle") func storm() throws {
    let log = LogUnderTest()
    let count = LogUnderTest.isLong ? 5_000 : 200
    let processes = try (0..<4).map { try log.start("storm", ["p\($0)", "\(count)"], ["--fork"]) }
    for process in processes {
      let outcome = process.wait(timeout: .seconds(300))
      #expect(outcome.isSuccess, "\(outcome.errorOutput)")
      #expect(outcome.output.hasPrefix("forks ") && !outcome.output.hasPrefix("forks 0"))
    }
    let opened = try log.open()
    #expect(try opened.int(forKey: "sum") == 8 * (count / 10) * 10)
    for process in 0..<4 {
      for thread in 0..<2 {
        for number in count - 19...count {
          #expect(try opened.string(forKey: "p\(process)-\(thread)-\(number % 20)") == LogValues.text(number))
        }
      }
    }
    #expect(try opened.count == 8 * 20 + 1 && opened.verify().isEmpty && !opened.contains("child"))
    try log.checkEnd()
  }

  @Test("B042: two processes count to two thousand together, and no count is lost") func b042() throws {
    let log = LogUnderTest()
    let processes = try (0..<2).map { _ in try log.start("count", ["1000"]) }
    for process in processes {
      let outcome = process.wait(timeout: .seconds(60))
      #expect(outcome.isSuccess, "\(outcome.errorOutput)")
    }
    #expect(try log.open().int(forKey: "counter") == 2_000)
  }

  @Test("B043: no lock outlives its call") func b043() throws { try LogUnderTest().run("locks") }

  @Test("B044: a suspension in the middle of writes and iterations gives up everything") func b044() throws {
    let log = LogUnderTest()
    let output = try log.run("suspend")
    // The bound is 100 ms; beyond it there is only how busy the machine is.
    #expect(output.hasPrefix("slowest "))
    #expect(try log.open().verify().isEmpty)
  }

  @Test("B009: at the limit of a file's size earlier values stay, and later ones come when it is raised", arguments: ["3c", "-"])
  func b009(key: String) throws {
    try LogUnderTest(keys: [key]).run("size-limit")
    try LogUnderTest(keys: [key]).run("size-limit", [], ["--durable"])
    try LogUnderTest(keys: [key]).run("size-limit", [], ["--unmapped"])
  }

  @Test("B031: a process that opens and closes again and again grows by nothing") func b031() throws {
    let lines = try LogUnderTest().run("open-set-close", [LogUnderTest.isLong ? "2000" : "400"]).split(separator: "\n")
    #expect(lines.count == 2)
    let (first, last) = (
      lines[0].split(separator: " ").compactMap { Int($0) }, lines[1].split(separator: " ").compactMap { Int($0) }
    )
    #expect(last[1] == first[1] && last[2] <= first[2] + 2, "\(lines)")
    #expect(last[0] - first[0] <= 128, "\(lines)")
  }

  @Test(
    "Each change of another process is told within a second; idle it costs nothing", arguments: [[], ["--unmapped"], ["--durable"]])
  func changes(options: [String]) throws {
    let log = LogUnderTest()
    let listener = try log.start("listen", [], options.filter { $0 == "--unmapped" }, input: nil)
    #expect(listener.waitForOutput("ready"))
    let other = try log.open()
    let count = LogUnderTest.isLong ? 1_000 : 100
    for number in 0..<count {
      usleep(UInt32.random(in: 0...3_000))
      try other.set(number, forKey: "n\(number)")
      #expect(listener.waitForOutput("got +n\(number)\n", timeout: .seconds(3)), "n\(number) wasn't told")
      if number % 10 == 0 {
        try other.removeValue(forKey: "n\(number)")
        #expect(listener.waitForOutput("got -n\(number)\n", timeout: .seconds(3)), "n\(number) wasn't told")
      }
      if number % 25 == 0 { try other.compact() }
    }
    try other.removeAll()
    #expect(listener.waitForOutput("got -n\(count - 1)\n", timeout: .seconds(3)))
    listener.write("\n")
    #expect(listener.waitForOutput("idle "))
    let idle = listener.outputSoFar.split(separator: "\n").last { $0.hasPrefix("idle ") }.flatMap { Int($0.dropFirst(5)) } ?? .max
    #expect(idle < 20_000, "\(idle) us of processor time in two idle seconds")
    listener.closeInput()
    #expect(listener.waitForOutput("ended"))
    #expect(listener.wait().isSuccess)
  }
}
