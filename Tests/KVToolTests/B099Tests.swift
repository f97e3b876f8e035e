import Foundation
import MailboxLog
import TestSupport
import Testing

/// Whatever is in a file, looking at it ends in an exit code, in bounded memory and time.
@Suite struct B099Tests {
  /// 32 MiB of anonymous memory, and 300,000 KiB of addresses.
  private static let limits = "ulimit -v 300000; ulimit -d 32768; exec $kvtool "

  @Test func verifySurvivesAnyDamage() throws {
    let mailbox = try TestMailbox { writer in
      for index in 0..<30 { try writer.append(id: "id-\(index)", payload: [UInt8](repeating: UInt8(index), count: 100)) }
      try writer.appendBatch { batch in for index in 0..<5 { batch.append(id: "batch-\(index)", payload: [1]) } }
      try writer.append(id: "fields", schemaVersion: 2) { fields in
        fields.set("text", "hello")
        fields.set("number", 5)
      }
    }
    let whole = try mailbox.segmentBytes()
    var generator = SplitMix64(seed: 99)
    for round in 0..<200 {
      try mailbox.replaceSegment(damaged(whole, round, &generator))
      let path = round % 2 == 0 ? mailbox.path : mailbox.segmentPath
      let started = ContinuousClock.now
      let verify = try ToolProcess.shell(Self.limits + "verify '\(path)'")
      #expect(ContinuousClock.now - started < .seconds(5))
      #expect([0, 1, 65].contains(verify.code), "round \(round): \(verify.code) \(verify.errorOutput)")
      if verify.code == 1 { #expect(verify.output.contains("damaged")) }
      if round % 10 == 0 { try lookAtEverything(mailbox, round) }
    }
  }

  private func lookAtEverything(_ mailbox: TestMailbox, _ round: Int) throws {
    for verb in ["info", "ls", "dump", "pending", "tail", "hexdump"] {
      for path in verb == "hexdump" ? [mailbox.segmentPath] : [mailbox.path, mailbox.segmentPath] {
        let run = try ToolProcess.shell(Self.limits + "\(verb) '\(path)'")
        #expect([0, 1, 2, 65].contains(run.code), "\(verb), round \(round): \(run.code) \(run.errorOutput)")
      }
    }
    let output = mailbox.directory.path(of: "out-\(round)")
    let recover = try ToolProcess.shell(Self.limits + "recover '\(mailbox.path)' -o '\(output)'")
    #expect([0, 2].contains(recover.code), "round \(round): \(recover.code) \(recover.errorOutput)")
    #expect(try ToolProcess.run("verify", output).code == 0)
    #expect(litter(in: mailbox.directory.path).isEmpty)
  }

  private func damaged(_ whole: [UInt8], _ round: Int, _ generator: inout SplitMix64) -> [UInt8] {
    var bytes = whole
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      // Half of them in the two blocks at the front, where a byte matters most.
      let isInFront = Bool.random(using: &generator)
      let offset = Int.random(in: isInFront ? 0..<8192 : 8192..<17_000, using: &generator)
      bytes[offset] = UInt8.random(in: 0...255, using: &generator)
    }
    if round % 4 == 0 {
      let offset = 8192 + 8 * Int.random(in: 0..<1000, using: &generator)
      bytes.replaceSubrange(offset..<offset + 4, with: [0xF0, 0xFF, 0xFF, 0xFF])
    }
    return round % 10 == 5 ? Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))) : bytes
  }

  @Test func lengthsThatLieAreFindings() throws {
    let mailbox = try TestMailbox { writer in
      for index in 0..<10 { try writer.append(id: "id-\(index)", payload: [UInt8](repeating: 7, count: 64)) }
    }
    let whole = try mailbox.segmentBytes()
    // Total, id and value bytes of the first frame.
    for offset in [4, 28, 32] {
      var bytes = whole
      bytes.replaceSubrange(8192 + offset..<8192 + offset + 4, with: [0xF0, 0xFF, 0xFF, 0xFF])
      try mailbox.replaceSegment(bytes)
      let verify = try ToolProcess.shell(Self.limits + "verify '\(mailbox.path)'")
      #expect(verify.code == 1)
      #expect(verify.output.contains("bytes 8192..<"))
      let dump = try ToolProcess.run("dump", mailbox.path)
      #expect(dump.code == 2)
      #expect(dump.lines.count == 9)
    }
  }

  @Test func whatIsNotOursIsSaidToBe() throws {
    let directory = TemporaryDirectory()
    directory.write((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }, to: "photo.jpg")
    let foreign = directory.path(of: "photo.jpg")
    for verb in ["info", "ls", "tail", "pending", "verify", "dump", "hexdump"] {
      let run = try ToolProcess.run(verb, foreign)
      #expect(run.code == 65, "\(verb): \(run.code)")
      #expect(run.errorOutput.hasPrefix("kvtool: \(foreign): "))
      #expect(try ToolProcess.run(verb, "/dev/zero").code == 65, "\(verb)")
      if verb != "hexdump" { #expect(try ToolProcess.run(verb, directory.path).code == 65, "\(verb)") }
      #expect(try ToolProcess.run(verb, directory.path(of: "none")).code == 66)
    }
    let empty = TemporaryDirectory()
    for verb in ["info", "ls", "tail", "pending", "verify", "dump"] {
      #expect(try ToolProcess.run(verb, empty.path).code == 0, "an empty directory is an empty mailbox: \(verb)")
    }
  }
}
