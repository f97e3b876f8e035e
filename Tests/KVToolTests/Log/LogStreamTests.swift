import Foundation
import MailboxLog
import TestSupport
import Testing

/// Standard streams of the verbs of logs.
@Suite struct LogStreamTests {
  @Test func aFullDiskUnderTheOutputIsAnError() throws {
    let log = try TestLog.mixed()
    for line in ["ls", "dump", "info", "stat", "verify", "tail", "get", "page", "hexdump", "price", "doctor", "compact --dry-run"] {
      let words = line.split(separator: " ")
      let more = words[0] == "get" ? "text" : words[0] == "page" ? "0" : words.count > 1 ? String(words[1]) : ""
      let run = try ToolProcess.shell("exec $kvtool \(words[0]) '\(log.path)' \(more) > /dev/full")
      #expect(run.code == 74 && run.errorOutput.contains("standard output"), "\(line): \(run.code)")
    }
  }

  @Test func aClosedPipeEndsQuietly() throws {
    let log = try TestLog { log in
      for start in stride(from: 0, to: 5000, by: 500) {
        try log.update { batch in for index in start..<start + 500 { batch.set(index, forKey: "key-\(index)") } }
      }
    }
    for verb in ["ls", "dump", "tail -n 5000", "hexdump"] {
      let words = verb.split(separator: " ", maxSplits: 1)
      let more = words.count > 1 ? String(words[1]) : ""
      let run = try ToolProcess.shell("{ $kvtool \(words[0]) '\(log.path)' \(more); echo \"code $?\" >&2; } | head -n 1")
      #expect(run.lines.count == 1)
      #expect(run.errorOutput == "code 0\n", "\(verb): \(run.errorOutput)")
    }
  }

  /// Changes show as they come, through a compaction and a restore too.
  @Test func followingShowsWhatComes() throws {
    let log = try TestLog.mixed()
    let backup = log.directory.path(of: "backup")
    #expect(try ToolProcess.run("backup", log.path, backup).code == 0)
    let tail = try ChildProcess("kvtool", ["tail", "-f", "-n", "1", log.path])
    #expect(tail.waitForOutput("\texpiring\t"))
    func comes(_ text: String, _ arguments: String...) throws {
      #expect(try ToolProcess.run(arguments).code == 0, "\(arguments)")
      #expect(tail.waitForOutput(text, timeout: .seconds(10)), "\(text)")
    }
    try comes("\tnew\tvalue\n", "set", log.path, "new", "value")
    try comes("\trm\t-\t-\t-\tnew\t\n", "rm", log.path, "new")
    #expect(try ToolProcess.run("compact", log.path).code == 0)
    try comes("\tafter\tcompaction\n", "set", log.path, "after", "compaction")
    #expect(try ToolProcess.run("restore", backup, log.path).code == 0)
    usleep(1_200_000)
    try comes("\tafter\trestoring\n", "set", log.path, "after", "restoring")
    tail.kill(SIGINT)
    let outcome = tail.wait(timeout: .seconds(5))
    #expect(outcome.code == 130)
    #expect(!outcome.output.contains("\tbytes\t3\tbytes"))
  }

  @Test func interruptionEndsAWait() throws {
    let log = try TestLog.mixed()
    let before = try log.bytes()
    let set = try ChildProcess("kvtool", ["set", log.path, "x"], input: nil)
    usleep(300_000)
    set.kill(SIGINT)
    let outcome = set.wait(timeout: .seconds(5))
    #expect(outcome.code == 130 && outcome.errorOutput.isEmpty)
    #expect(try log.bytes() == before)
  }
}
