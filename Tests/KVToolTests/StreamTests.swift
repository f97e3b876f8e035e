import Foundation
import MailboxLog
import TestSupport
import Testing

/// Standard streams, signals and the texts about the tool itself.
@Suite struct StreamTests {
  private func mailbox(_ count: Int = 3) throws -> TestMailbox {
    try TestMailbox(durability: .processCrash) { writer in
      for index in 0..<count { try writer.append(id: "id-\(index)", payload: [0x78]) }
    }
  }

  @Test func aFullDiskIsAnError() throws {
    let mailbox = try mailbox()
    for verb in ["ls", "dump", "info", "verify", "tail"] {
      let run = try ToolProcess.shell("exec $kvtool \(verb) '\(mailbox.path)' > /dev/full")
      #expect(run.code == 74, "\(verb)")
      #expect(run.errorOutput.contains("standard output"))
    }
  }

  @Test func aClosedPipeEndsQuietly() throws {
    let mailbox = try mailbox(20_000)
    for verb in ["ls", "dump"] {
      let run = try ToolProcess.shell("{ $kvtool \(verb) '\(mailbox.path)'; echo \"code $?\" >&2; } | head -n 1")
      #expect(run.lines.count == 1)
      #expect(run.errorOutput == "code 0\n")
    }
  }

  @Test func followingShowsWhatArrivesAndEndsWithInterruption() throws {
    let mailbox = try mailbox()
    for path in [mailbox.path, mailbox.segmentPath] {
      let tail = try ChildProcess("kvtool", ["tail", "-f", "-n", "1", path])
      #expect(tail.waitForOutput("\tid-2\t"))
      #expect(!tail.outputSoFar.contains("id-1"))
      let name = path == mailbox.path ? "first" : "second"
      #expect(try ToolProcess.run("append", mailbox.path, "--id", name, "--payload", "new").code == 0)
      #expect(tail.waitForOutput("\t\(name)\tnew\n", timeout: .seconds(5)))
      tail.kill(SIGINT)
      #expect(tail.wait(timeout: .seconds(5)).code == 130)
      #expect(try ToolProcess.shell("$kvtool append '\(mailbox.path)' --id id-2 --payload x").code == 0)
    }
  }

  @Test func followingEndsWhenNobodyReads() throws {
    let mailbox = try mailbox()
    let run = try ToolProcess.shell("{ $kvtool tail -f '\(mailbox.path)'; echo \"code $?\" >&2; } | head -n 1")
    #expect(run.errorOutput == "code 0\n")
  }

  @Test func interruptionEndsAWait() throws {
    let mailbox = try mailbox()
    let append = try ChildProcess("kvtool", ["append", mailbox.path, "--id", "x"], input: nil)
    usleep(300_000)
    append.kill(SIGINT)
    let outcome = append.wait(timeout: .seconds(5))
    #expect(outcome.code == 130 && outcome.errorOutput.isEmpty)
    #expect(try ToolProcess.run("ls", mailbox.path).lines.count == 3)
  }

  @Test func theToolExplainsItself() throws {
    let version = try ToolProcess.run("--version")
    #expect(version.code == 0 && version.output.hasPrefix("kvtool "))
    for arguments in [
      ["help"], ["--help"], ["-h"], ["help", "get"], ["get", "--help"], ["help", "stat"], ["help", "keys"], ["help", "exit-codes"],
    ] {
      let help = try ToolProcess.run(arguments)
      #expect(help.code == 0 && !help.output.isEmpty && help.errorOutput.isEmpty, "\(arguments)")
    }
    let none = try ToolProcess.run()
    #expect(none.code == 64 && none.output.isEmpty && none.errorOutput.hasPrefix("usage: "))
    let mistyped = try ToolProcess.run("veriyf", "x")
    #expect(mistyped.code == 64 && mistyped.errorOutput == "kvtool: no command 'veriyf'; did you mean 'verify'?\n")
    #expect(try ToolProcess.run("help", "key").errorOutput.contains("did you mean 'keys'"))
    #expect(try ToolProcess.run("ls", "\u{1B}[2J").errorOutput.contains("\\x1b[2J"))
  }

  @Test func aNewerFormatIsTold() throws {
    let mailbox = try mailbox()
    var bytes = try mailbox.segmentBytes()
    bytes[8] = 9
    // The checksum of the header: zlib's CRC-32 over everything before it.
    let checksum = crc32(bytes[..<4092])
    for index in 0..<4 { bytes[4092 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) }
    try mailbox.replaceSegment(bytes)
    for path in [mailbox.path, mailbox.segmentPath] {
      for verb in ["ls", "verify", "dump"] {
        let run = try ToolProcess.run(verb, path)
        #expect(run.code == 65 && (run.errorOutput + run.output).contains("newer"), "\(verb): \(run.code) \(run.errorOutput)")
      }
    }
  }

  private func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var value = ~UInt32(0)
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = value & 1 == 1
        value >>= 1
        if isOdd { value ^= 0xEDB8_8320 }
      }
    }
    return ~value
  }
}
