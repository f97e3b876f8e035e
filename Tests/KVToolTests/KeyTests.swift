import MailboxLog
import TestSupport
import Testing

/// Keys: their forms, where they come from, and what is said when they don't fit. None of it changes a byte.
@Suite struct KeyTests {
  private static let key = (0..<32).map { UInt8($0 * 7 + 1) }
  private static let hex = key.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()

  private func encrypted(_ key: [UInt8] = Self.key) throws -> TestMailbox {
    try TestMailbox(key: key) { try $0.append(id: "a", payload: Array("secret".utf8)) }
  }

  @Test func everyForm() throws {
    let mailbox = try encrypted()
    let forms: [[UInt8]] = [
      Self.key, Array(Self.hex.utf8), Array((Self.hex + "\n").utf8), Array((Self.hex + "\r\n").utf8),
      Array(Self.hex.uppercased().utf8),
    ]
    for (index, form) in forms.enumerated() {
      let get = try ToolProcess.run("get", mailbox.path, "a", "--raw", "--key-file", try mailbox.file("key\(index)", form))
      #expect(get.output == "secret", "form \(index): \(get.errorOutput)")
    }
    let wide = (0..<64).map { UInt8($0 * 3 + 128 - $0) }
    let wideMailbox = try encrypted(wide)
    for form in [wide, Array(wide.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined().utf8)] {
      #expect(
        try ToolProcess.run("get", wideMailbox.path, "a", "--raw", "--key-file", try mailbox.file("wide", form)).output == "secret")
    }
    let lengths: [[UInt8]] = [[], [1], Self.key + [0x0A], Array((Self.hex + "\n\n").utf8), [UInt8](repeating: 1, count: 100_000)]
    for form in lengths {
      let get = try ToolProcess.run("get", mailbox.path, "a", "--key-file", try mailbox.file("bad", form))
      #expect(get.code == 77, "\(form.count) bytes")
      #expect(get.errorOutput.contains("32 or 64 bytes"))
    }
  }

  @Test func everySource() throws {
    let mailbox = try encrypted()
    let file = try mailbox.file("key", Array(Self.hex.utf8))
    let path = mailbox.path
    #expect(
      try ToolProcess.run("get", path, "a", "--raw", "--key-env", "BOX_KEY", environment: ["BOX_KEY": Self.hex]).output == "secret")
    #expect(try ToolProcess.shell("exec $kvtool get '\(path)' a --raw --key-fd 3 3< '\(file)'").output == "secret")
    #expect(try ToolProcess.run("get", path, "a", "--raw", "--key-command", "cat '\(file)'").output == "secret")
    #expect(try ToolProcess.run("get", path, "a", "--key-env", "NO_SUCH_KEY").code == 77)
    #expect(try ToolProcess.run("get", path, "a", "--key-command", "exit 3").code == 77)
    #expect(try ToolProcess.run("get", path, "a", "--key-command", "kill -9 $$").code == 77)
    #expect(try ToolProcess.run("get", path, "a", "--key-fd", "99").code == 74)
    #expect(try ToolProcess.run("get", path, "a", "--key-file", file + ".none").code == 66)
    #expect(try ToolProcess.run("get", path, "a", "--key-file", file, "--key-env", "X").code == 64)
    for mode in [0o640, 0o604, 0o620, 0o644] {
      let get = try ToolProcess.run("get", path, "a", "--key-file", try mailbox.file("open", Self.key, mode: mode))
      #expect(get.code == 77)
      #expect(get.errorOutput.contains("chmod 600"))
    }
  }

  @Test func anArgumentIsNeverAKey() throws {
    let mailbox = try encrypted()
    for arguments in [
      ["get", mailbox.path, "a", "--key", Self.hex], ["get", "--key=" + Self.hex, mailbox.path, "a"], ["--key=" + Self.hex],
    ] {
      let get = try ToolProcess.run(arguments)
      #expect(get.code == 64)
      #expect(get.errorOutput.contains("list of processes") && !get.errorOutput.contains(Self.hex))
    }
  }

  @Test func keysThatDoNotFitChangeNothing() throws {
    let (sealed, plain) = (try encrypted(), try TestMailbox { try $0.append(id: "a", payload: [1]) })
    let key = try sealed.file("key", Self.key)
    let wrong = try sealed.file("wrong", [UInt8](repeating: 9, count: 32))
    let (sealedBefore, plainBefore) = (try Fingerprint(sealed.path), try Fingerprint(plain.path))
    for path in [sealed.path, sealed.segmentPath] {
      for verb in ["ls", "tail", "pending", "dump", "verify", "info"] {
        let other = try ToolProcess.run(verb, path, "--key-file", wrong)
        #expect(other.code == 77 && other.errorOutput.contains("not this file's"), "\(verb): \(other.code) \(other.errorOutput)")
        // Structure and counts show without the key.
        let none = try ToolProcess.run(verb, path)
        #expect(none.code == (verb == "verify" || verb == "info" ? 0 : 77), "\(verb): \(none.code)")
      }
    }
    for path in [plain.path, plain.segmentPath] {
      for verb in ["ls", "tail", "pending", "dump", "verify", "info"] {
        let run = try ToolProcess.run(verb, path, "--key-file", key)
        #expect(run.code == 77 && run.errorOutput.contains("not encrypted"), "\(verb): \(run.code) \(run.errorOutput)")
      }
    }
    let output = sealed.directory.path(of: "out.mailbox")
    for arguments in [[sealed.path], [sealed.path, "--key-file", wrong], [plain.path, "--key-file", key]] {
      #expect(try ToolProcess.run(["recover", "-o", output] + arguments).code == 77)
      #expect(try ToolProcess.run(["append", "--id", "b", "--payload", "x"] + arguments).code == 77)
      #expect(try ToolProcess.run(["load"] + arguments, input: Array(#"{"id":"b","payload":"x"}"#.utf8)).code == 77)
    }
    #expect(litter(in: sealed.directory.path).isEmpty && !sealed.directory.names.contains("out.mailbox"))
    #expect(try Fingerprint(sealed.path) == sealedBefore)
    #expect(try Fingerprint(plain.path) == plainBefore)
  }
}
