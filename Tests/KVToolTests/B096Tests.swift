import MailboxLog
import TestSupport
import Testing

/// `get --raw` prints the exact bytes.
@Suite struct B096Tests {
  @Test func rawIsExact() throws {
    var generator = SplitMix64(seed: 96)
    var mebibyte: [UInt8] = []
    while mebibyte.count < 1 << 20 { mebibyte.append(UInt8.random(in: 0...255, using: &generator)) }
    let payloads: [[UInt8]] = [
      [], Array("line".utf8), Array("line\n".utf8), [0], [0x0A], [0x0D, 0x0A], (0...255).map { UInt8($0) }, mebibyte,
    ]
    let mailbox = try TestMailbox { writer in
      for (index, payload) in payloads.enumerated() { try writer.append(id: "v\(index)", payload: payload) }
    }
    for (index, payload) in payloads.enumerated() {
      let get = try ToolProcess.run("get", mailbox.path, "v\(index)", "--raw")
      #expect(get.code == 0)
      #expect(get.standardOutput == payload, "payload \(index)")
      // And in: what append reads from standard input and from a file is what get prints.
      let file = try mailbox.file("in\(index)", payload)
      #expect(try ToolProcess.run("append", mailbox.path, "--id", "s\(index)", input: payload).code == 0)
      #expect(try ToolProcess.run("append", mailbox.path, "--id", "f\(index)", "--payload", "@" + file).code == 0)
      for id in ["s\(index)", "f\(index)"] {
        #expect(try ToolProcess.run("get", mailbox.path, id, "--raw").standardOutput == payload, "payload \(index)")
      }
    }
  }

  @Test func anAbsentIDIsANo() throws {
    let mailbox = try TestMailbox { try $0.append(id: "a", payload: [1]) }
    let get = try ToolProcess.run("get", mailbox.path, "b", "--raw")
    #expect(get.code == 1)
    #expect(get.standardOutput.isEmpty)
  }

  @Test func ofTwoWithOneIDTheOldestIsRawAndAllArePrinted() throws {
    let mailbox = try TestMailbox { writer in
      try writer.append(id: "a", payload: [1])
      try writer.append(id: "a", payload: [2])
    }
    let raw = try ToolProcess.run("get", mailbox.path, "a", "--raw")
    #expect(raw.standardOutput == [1])
    #expect(raw.errorOutput.contains("1 more"))
    #expect(try ToolProcess.run("get", mailbox.path, "a", "--format", "jsonl").lines.count == 2)
    #expect(try ToolProcess.run("get", mailbox.path, "a", "--format", "hex").output == "01\n02\n")
  }
}
