import Foundation
import MailboxLog
import TestSupport
import Testing

/// What writes a log anew: through another file and a swap, and never by half.
@Suite struct LogRewriteTests {
  private static let first = [UInt8](repeating: 1, count: 32)
  private static let second = (0..<64).map { UInt8($0) }

  private func dump(_ path: String, _ option: [String] = []) throws -> String {
    let run = try ToolProcess.run(["dump", path] + option)
    #expect(run.code == 0, "\(run.errorOutput)")
    return run.output
  }

  @Test func aLogGetsAKeyAnotherAndNone() throws {
    let log = try TestLog.mixed()
    let contents = try dump(log.path)
    let (first, second) = (try log.file("first", Self.first), try log.file("second", Self.second))
    #expect(try ToolProcess.run("encrypt", log.path, "--key-file", first).output.hasPrefix("encrypted: 8 keys, "))
    #expect(!(try log.bytes()).contains("later"))
    #expect(try dump(log.path, ["--key-file", first]) == contents)
    #expect(try ToolProcess.run("encrypt", log.path, "--key-file", first).code == 77)
    let rekey = try ToolProcess.run("rekey", log.path, "--key-file", first, "--new-key-file", second)
    #expect(rekey.code == 0 && rekey.output.hasPrefix("rekeyed: 8 keys, "), "\(rekey.errorOutput)")
    #expect(try ToolProcess.run("dump", log.path, "--key-file", first).code == 77)
    #expect(try dump(log.path, ["--key-file", second]) == contents)
    #expect(try ToolProcess.run("decrypt", log.path, "--key-file", second).output.hasPrefix("decrypted: 8 keys, "))
    #expect(try dump(log.path) == contents)
    #expect(try ToolProcess.run("decrypt", log.path).code == 77)
    #expect(try ToolProcess.run("rekey", log.path, "--new-key-file", second).code == 77)
    #expect(litter(in: log.directory.path).isEmpty)
  }

  /// A missing key, a wrong one, and one for a plain file: three sentences, one exit code, and not a byte is changed.
  @Test func keysThatDoNotFitChangeNothing() throws {
    let (sealed, plain) = (try TestLog.mixed(key: Self.first), try TestLog.mixed())
    let (right, wrong) = (try sealed.file("right", Self.first), try sealed.file("wrong", Self.second))
    let copy = try TestLog.mixed()
    let before = try (Fingerprint(sealed.directory.path), Fingerprint(plain.directory.path))
    let verbs = [
      ["ls"], ["tail"], ["dump"], ["stat"], ["info"], ["verify"], ["get", "int"], ["set", "a", "b"], ["rm", "int"], ["compact"],
      ["rekey", "--new-key-file", wrong], ["decrypt"], ["recover", "-o", copy.path + ".new"], ["price"],
      ["load", copy.path + ".none"], ["backup", copy.path + ".new"], ["restore", copy.path],
    ]
    let needNone = ["info", "stat", "verify", "backup", "restore"]
    for words in verbs {
      // The dump has to be there for a key to be asked for.
      let words = words[0] == "load" ? ["load", try copy.file("dump", [])] : words
      let (verb, rest) = (words[0], Array(words.dropFirst()))
      let other = try ToolProcess.run([verb, sealed.path] + rest + ["--key-file", wrong])
      #expect(other.code == 77 && other.errorOutput.contains("not this file's"), "\(verb): \(other.code) \(other.errorOutput)")
      if !needNone.contains(verb) {
        let none = try ToolProcess.run([verb, sealed.path] + rest)
        #expect(none.code == 77 && none.errorOutput.contains("no key was given"), "\(verb): \(none.code) \(none.errorOutput)")
      }
      let unasked = try ToolProcess.run([verb, plain.path] + rest + ["--key-file", right])
      #expect(
        unasked.code == 77 && unasked.errorOutput.contains("not encrypted"), "\(verb): \(unasked.code) \(unasked.errorOutput)")
      #expect(try Fingerprint(sealed.directory.path) == before.0, "\(verb)")
      #expect(try Fingerprint(plain.directory.path) == before.1, "\(verb)")
    }
    #expect(try ToolProcess.run("verify", sealed.path).output.contains("tags were not, for want of the key"))
    let both = ["rekey", sealed.path, "--key-file", right, "--new-key-file", wrong, "--new-key-env", "X"]
    #expect(try ToolProcess.run(both).code == 64)
    #expect(try ToolProcess.run("rekey", sealed.path, "--key-file", right).code == 64)
    #expect(try ToolProcess.run("encrypt", plain.path).code == 64)
    #expect(try ToolProcess.run("encrypt", plain.path, "--key", "abc").errorOutput.contains("list of processes"))
  }

  @Test func aDryRunChangesNothing() throws {
    let log = try TestLog.mixed()
    let key = try log.file("key", Self.first)
    let backup = log.directory.path(of: "backup")
    #expect(try ToolProcess.run("backup", log.path, backup).code == 0)
    let before = try Fingerprint(log.directory.path)
    for arguments in [
      ["compact", log.path], ["encrypt", log.path, "--key-file", key], ["backup", log.path, log.path + "2"],
      ["restore", backup, log.path],
    ] {
      let run = try ToolProcess.run(arguments + ["--dry-run"])
      #expect(run.code == 0 && run.output.hasPrefix("would be "), "\(arguments): \(run.errorOutput)")
      #expect(try Fingerprint(log.directory.path) == before, "\(arguments)")
    }
  }

  @Test(arguments: [false, true]) func aBackupIsPutBack(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.first : nil
    let log = try TestLog.mixed(key: key)
    let (option, backup) = (try log.keyOption(key), log.directory.path(of: "backup"))
    let contents = try dump(log.path, option)
    // Without the key: records are copied as they are.
    #expect(try ToolProcess.run("backup", log.path, backup).output.hasPrefix("backed up: 11 records, "))
    #expect(try ToolProcess.run("backup", log.path, backup).code == 73)
    #expect(try ToolProcess.run("backup", log.path, backup + "/no/place").code == 73)
    #expect(try dump(backup, option) == contents)
    let open = try KeyValueLog(path: log.path, options: LogOptions(key: try key.map { try EncryptionKey($0) }))
    #expect(try ToolProcess.run(["rm", log.path, "--all"] + option).code == 0)
    #expect(try open.count == 0)
    #expect(try ToolProcess.run("restore", backup, log.path).output.hasPrefix("restored: 11 records, "))
    #expect(try dump(log.path, option) == contents)
    // B066: who has it open sees what was restored, and writes to that.
    #expect(try open.string(forKey: "text") == "a\tb é")
    try open.set(1, forKey: "x")
    #expect(try ToolProcess.run(["get", log.path, "x"] + option).code == 0)
    #expect(litter(in: log.directory.path).isEmpty)
  }

  @Test func onlyALogGivesWay() throws {
    let log = try TestLog.mixed()
    let photo = try log.file("photo", [UInt8](repeating: 5, count: 100))
    let run = try ToolProcess.run("restore", log.path, photo)
    #expect(run.code == 65 && run.errorOutput.contains("isn't replaced"))
    #expect(log.directory.contents("photo") == [UInt8](repeating: 5, count: 100))
    #expect(try ToolProcess.run("restore", log.path, log.path).code == 64)
    #expect(try ToolProcess.run("restore", photo, log.path).code == 65)
    #expect(try ToolProcess.run("verify", log.path).code == 0)
  }

  /// What can't be read would be gone: nothing is written anew, put back or made plain without being told to.
  @Test func aDamagedLogIsLeftAlone() throws {
    let log = try TestLog.mixed()
    var bytes = try log.bytes()
    let pattern = Array("later".utf8)
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: pattern) })
    bytes[offset] ^= 1
    try log.replace(bytes)
    let (good, key) = (try TestLog.mixed(), try log.file("key", Self.first))
    for arguments in [["compact", log.path], ["encrypt", log.path, "--key-file", key], ["restore", log.path, good.path]] {
      let run = try ToolProcess.run(arguments)
      #expect(run.code == 65 && run.errorOutput.contains("--force"), "\(arguments): \(run.code)")
    }
    #expect(try log.bytes() == bytes)
    #expect(try ToolProcess.run("verify", good.path).code == 0)
    let backup = try ToolProcess.run("backup", log.path, log.path + ".backup")
    #expect(backup.code == 2 && backup.errorOutput.contains("checksum"))
    let output = log.path + ".recovered"
    let recover = try ToolProcess.run("recover", log.path, "-o", output)
    #expect(recover.code == 2 && recover.output.contains("lost bytes ") && recover.output.contains("recovered 7 keys"))
    #expect(recover.output.contains("older value"))
    #expect(try ToolProcess.run("ls", output).lines.count == 7)
    #expect(try ToolProcess.run("recover", log.path, "-o", output).code == 73)
    #expect(try ToolProcess.run("compact", log.path, "--force").code == 0)
    #expect(try ToolProcess.run("verify", log.path).code == 0)
  }

  /// The disk is full: the log is as it was, it is said so, and nothing is left behind.
  @Test func aFullDiskLeavesTheLogAsItWas() throws {
    let log = try TestLog { log in for index in 0..<200 { try log.set([UInt8](repeating: 9, count: 1000), forKey: "k\(index)") } }
    let key = try log.file("key", Self.first)
    let before = try log.bytes()
    for line in ["compact", "encrypt --key-file '\(key)'"] {
      let verb = line.split(separator: " ", maxSplits: 1)
      let run = try ToolProcess.shell(
        "trap '' XFSZ; ulimit -f 64; exec $kvtool \(verb[0]) '\(log.path)' \(verb.count > 1 ? verb[1] : "")")
      #expect(run.code == 74 && run.errorOutput.contains("the log is as it was"), "\(line): \(run.code) \(run.errorOutput)")
      #expect(try log.bytes() == before)
    }
    for verb in ["backup '\(log.path)' '\(log.path).copy'", "recover '\(log.path)' -o '\(log.path).copy'"] {
      let run = try ToolProcess.shell("trap '' XFSZ; ulimit -f 64; exec $kvtool \(verb)")
      #expect(run.code == 74, "\(verb): \(run.code) \(run.errorOutput)")
    }
    #expect(log.directory.names == ["app.kvlog", "key"])
  }

  /// Killed at any instant, exactly one of the two keys opens everything.
  @Test func aRekeyThatIsKilledLeavesOneKey() throws {
    let log = try TestLog(key: Self.first) { log in
      for index in 0..<300 { try log.set([UInt8](repeating: 9, count: 200), forKey: "k\(index)") }
    }
    var (old, new) = (try log.file("first", Self.first), try log.file("second", Self.second))
    for round in 0..<12 {
      let rekey = try ChildProcess("kvtool", ["rekey", log.path, "--key-file", old, "--new-key-file", new])
      usleep(UInt32(round * 8000))
      rekey.kill()
      rekey.wait()
      let codes = try [old, new].map { try ToolProcess.run("verify", log.path, "--key-file", $0).code }
      #expect(codes.sorted() == [0, 77], "round \(round): \(codes)")
      if codes[1] == 0 { swap(&old, &new) }
      #expect(try ToolProcess.run("ls", log.path, "--key-file", old).lines.count == 300)
    }
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    let pattern = Array(text.utf8)
    return indices.contains { self[$0...].starts(with: pattern) }
  }
}
