import Foundation
import MailboxLog
import TestSupport
import Testing

@testable import KVToolCommands

@Suite struct LogInspectionTests {
  /// What a verb needs beside the log.
  private func more(_ verb: String) -> [String] { verb == "get" ? ["text"] : verb == "page" ? ["2"] : [] }
  private static let reading = CommandTable.all.flatMap(\.forms).filter { $0.subject == .log && !$0.writes }.map(\.name)

  /// Names, contents, sizes, modes and every time stay, of the file and its directory, for each verb that doesn't write.
  @Test(arguments: [false, true]) func inspectingChangesNothing(isEncrypted: Bool) throws {
    let key: [UInt8]? = isEncrypted ? [UInt8](repeating: 7, count: 32) : nil
    let (log, other) = (try TestLog.mixed(key: key), TemporaryDirectory())
    other.write(key ?? [], to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other.path(of: "key"))
    let option = isEncrypted ? ["--key-file", other.path(of: "key")] : []
    let before = try Fingerprint(log.directory.path)
    #expect(Set(Self.reading).isSuperset(of: ["info", "stat", "ls", "get", "tail", "verify", "dump", "price", "page", "hexdump"]))
    for verb in Self.reading {
      let needsKey = verb != "page" && verb != "hexdump"
      let run = try ToolProcess.run([verb, log.path] + more(verb) + (needsKey ? option : []))
      #expect(run.code == 0 && !run.output.isEmpty && run.errorOutput.isEmpty, "\(verb): \(run.code) \(run.errorOutput)")
      #expect(try Fingerprint(log.directory.path) == before, "\(verb)")
    }
    for arguments in [
      ["recover", log.path, "-o", other.path(of: "out")], ["backup", log.path, other.path(of: "backup")], ["doctor", log.path],
      ["stat", log.path, "--format", "prometheus"], ["compact", log.path, "--dry-run"],
      ["restore", log.path, log.path + ".no", "--dry-run"],
    ] {
      let run = try ToolProcess.run(arguments + option)
      #expect(run.code == 0, "\(arguments): \(run.errorOutput)")
      #expect(try Fingerprint(log.directory.path) == before, "\(arguments)")
    }
  }

  /// B069: reading needs the right to read, and no other.
  @Test func b069AReadOnlyDirectoryCanBeRead() throws {
    let log = try TestLog.mixed()
    try setMode(0o444, log.path)
    try setMode(0o555, log.directory.path)
    for verb in Self.reading { #expect(try ToolProcess.run([verb, log.path] + more(verb)).code == 0, "\(verb)") }
    try setMode(0o755, log.directory.path)
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func keysAndValuesAsTheyAre() throws {
    let log = try TestLog.mixed()
    let list = try ToolProcess.run("ls", log.path)
    #expect(TestLog.keys(list) == ["bytes", "int", "uint", "double", "bool", "date", "text", "expiring"])
    #expect(TestLog.keys(try ToolProcess.run("ls", log.path, "--type", "int")) == ["int"])
    #expect(TestLog.keys(try ToolProcess.run("ls", log.path, "--prefix", "b", "--limit", "1")) == ["bytes"])
    let texts = [
      "bytes": "00ff0a", "int": "-9223372036854775808", "uint": "18446744073709551615", "double": "-0.5", "bool": "true",
    ]
    for (key, text) in texts { #expect(try ToolProcess.run("get", log.path, key).output.hasSuffix("): \(text)\n"), "\(key)") }
    let get = try ToolProcess.run("get", log.path, "text")
    #expect(get.output.hasSuffix("string (6 bytes): a\\tb é\n") && get.output.contains("expires: never\n"))
    #expect(try ToolProcess.run("get", log.path, "date").output.contains("2001-01-01T00:00:00.250000Z"))
    #expect(try ToolProcess.run("get", log.path, "int", "--format", "hex").output == "0000000000000080\n")
    #expect(try ToolProcess.run("get", log.path, "int", "--format", "jsonl").output.contains(#""key":"int","value":{"int":"-9223"#))
    for key in ["removed", "never"] {
      let absent = try ToolProcess.run("get", log.path, key)
      #expect(absent.code == 1 && absent.output.isEmpty && absent.errorOutput.contains("no value under this key"))
    }
    let info = try ToolProcess.run("info", log.path).output
    #expect(info.contains("kind: log\n") && info.contains("record count: 11\n") && info.contains("key count: 8\n"))
    let stat = try ToolProcess.run("stat", log.path).output
    #expect(stat.contains("expiring count: 1\n") && stat.contains("string:\n  key count: 2\n"))
  }

  @Test func theLastChangesInTheirOrder() throws {
    let log = try TestLog.mixed()
    let tail = try ToolProcess.run("tail", log.path, "-n", "3").lines.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(tail.map { $0[2] } == ["rm", "set", "set"])
    #expect(tail.map { $0[6] } == ["removed", "text", "expiring"])
    #expect(try ToolProcess.run("tail", log.path, "--prefix", "text").lines.count == 2)
    #expect(try ToolProcess.run("tail", log.path, "-n", "0").output.isEmpty)
    for format in ["jsonl", "csv", "hex"] {
      #expect(try ToolProcess.run("tail", log.path, "-n", "99", "--format", format).lines.count == (format == "csv" ? 12 : 11))
    }
  }

  @Test func pagesAndBytesAreAnnotated() throws {
    let log = try TestLog.mixed()
    let dump = try ToolProcess.run("hexdump", log.path)
    for words in ["magic", "file kind: 2", "index block", "frame, bytes 8192..<", "expires at"] {
      #expect(dump.output.contains(words), "\(words)")
    }
    #expect(try ToolProcess.run("page", log.path, "0").output.hasPrefix("00000000  41 4e 54 45 52 4f 4f 4d"))
    #expect(try ToolProcess.run("page", log.path, "100000").code == 1)
  }

  /// The table of verbs and kinds, whole: a verb does what it does on its kinds, and is a usage error on the others.
  @Test func aVerbThatIsForOthersIsAUsageError() async throws {
    let paths: [(Subject, String, Any)] = [
      try {
        let log = try TestLog.mixed(); return (.log, log.path, log)
      }(),
      try {
        let box = try TestMailbox { try $0.append(id: "a", payload: [1]) }; return (.mailbox, box.path, box)
      }(),
      try await {
        let store = try await TestStore(); return (.store, store.path, store)
      }(),
    ]
    for (kind, path, _) in paths {
      for command in CommandTable.all where command.subject != .nothing && !command.forms.contains(where: { $0.subject == kind }) {
        let more = [String](repeating: "0", count: command.forms[0].operandCounts.lowerBound - 1)
        let run = try ToolProcess.run([command.name, path] + more)
        #expect(run.code == 64, "\(command.name) on a \(kind): \(run.code)")
        #expect(run.errorOutput.contains("is a \(kind.rawValue); what \(kind.plural) have is"), "\(command.name)")
      }
    }
    for verb in ["set", "rm", "compact", "rekey", "encrypt", "decrypt", "backup", "restore"] {
      let command = try #require(CommandTable.command(verb))
      #expect(command.forms.map(\.subject) == [.log] && command.writes, "\(verb)")
    }
    for verb in ["append", "pending", "query"] {
      #expect(CommandTable.command(verb)?.forms.contains { $0.subject == .log } == false)
    }
  }

  /// Any name will do; what a file is shows in its first bytes.
  @Test func theKindIsToldByTheBytes() throws {
    let log = try TestLog.mixed()
    let renamed = try log.file("settings", log.bytes())
    #expect(try ToolProcess.run("ls", renamed).lines.count == 8)
    let (photo, empty) = (try log.file("photo.kvlog", [UInt8](repeating: 0xFF, count: 9000)), try log.file("empty.kvlog", []))
    for verb in Self.reading + ["rm", "compact", "backup", "recover", "decrypt"] {
      let arguments =
        more(verb) + (verb == "rm" ? ["x"] : verb == "backup" ? [log.path + ".copy"] : verb == "recover" ? ["-o", "x"] : [])
      for path in [photo, empty] {
        let run = try ToolProcess.run([verb, path] + arguments)
        #expect(run.code == 65 && run.output.isEmpty, "\(verb): \(run.code) \(run.errorOutput)")
      }
      let none = try ToolProcess.run([verb, log.path + ".none"] + arguments)
      #expect(none.code == 66, "\(verb): \(none.code) \(none.errorOutput)")
    }
    #expect(try ToolProcess.run("set", photo, "a", "b").code == 65)
    #expect(try ToolProcess.run("set", log.directory.path(of: "no/such/place.kvlog"), "a", "b").code == 73)
  }
}
