import Foundation
import MailboxLog
import TestSupport
import Testing

@testable import KVToolCommands

@Suite struct InspectionTests {
  private func mailbox() throws -> TestMailbox {
    let mailbox = try TestMailbox { writer in
      for index in 0..<12 { try writer.append(id: "id-\(index)", payload: Array("payload \(index)".utf8)) }
      try writer.append(id: "fields", schemaVersion: 3) { fields in
        fields.set("text", "a\tb")
        fields.set("number", -5)
        fields.set("when", LogTimestamp(secondsSinceReferenceDate: 0))
      }
    }
    let reader = try MailboxReader(directory: mailbox.path)
    var positions: [MailboxPosition] = []
    try reader.forEachPending(limit: 5) { entry throws(LogError) in positions.append(entry.position) }
    try reader.acknowledge([positions[0], positions[1], positions[4]])
    reader.close()
    return mailbox
  }

  /// Names, contents, sizes, modes and every time stay, of files and directory, for each command that doesn't write.
  @Test func inspectingChangesNothing() throws {
    let mailbox = try mailbox()
    let before = try Fingerprint(mailbox.path)
    for command in CommandTable.all where !command.writes && command.subject == .mailbox {
      let paths = command.name == "page" || command.name == "hexdump" ? [mailbox.segmentPath] : [mailbox.path, mailbox.segmentPath]
      for path in paths {
        let more = command.name == "get" ? ["id-3"] : command.name == "page" ? ["2"] : []
        let run = try ToolProcess.run([command.name, path] + more)
        #expect(run.code == 0, "\(command.name): \(run.errorOutput)")
        #expect(try Fingerprint(mailbox.path) == before, "\(command.name)")
      }
    }
    _ = try ToolProcess.run("recover", mailbox.path, "-o", mailbox.directory.path(of: "out"))
    #expect(try Fingerprint(mailbox.path) == before)
  }

  /// B069: reading needs the right to read, and no other.
  @Test func b069AReadOnlyDirectoryCanBeRead() throws {
    let mailbox = try mailbox()
    try setMode(0o444, mailbox.segmentPath)
    try setMode(0o555, mailbox.path)
    for verb in ["info", "ls", "tail", "pending", "verify", "dump"] {
      #expect(try ToolProcess.run(verb, mailbox.path).code == 0, "\(verb)")
    }
    try setMode(0o755, mailbox.path)
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func aMailboxAndItsSegmentListTheSame() throws {
    let mailbox = try mailbox()
    for verb in ["ls", "dump", "tail", "pending"] {
      let both = try [mailbox.path, mailbox.segmentPath].map { try ToolProcess.run(verb, $0).output }
      #expect(both[0] == both[1] && !both[0].isEmpty, "\(verb)")
    }
    #expect(try ToolProcess.run("ls", mailbox.path).lines.count == 10)
    #expect(try ToolProcess.run("pending", mailbox.path).output.contains("entries: 10\n"))
    #expect(try ToolProcess.run("info", mailbox.path).output.contains("record count: 13\n"))
    #expect(
      try ToolProcess.run("tail", mailbox.path, "-n", "1").output.hasSuffix(
        "\tfields\ttext=a\\tb number=-5 when=2001-01-01T00:00:00.000000Z\n"))
    #expect(try ToolProcess.run("tail", mailbox.path, "-n3", "--format", "jsonl").lines.count == 3)
    #expect(try ToolProcess.run("tail", mailbox.path, "-n", "0").output.isEmpty)
  }

  @Test func pagesAndBytesAreAnnotated() throws {
    let mailbox = try mailbox()
    let dump = try ToolProcess.run("hexdump", mailbox.segmentPath)
    for words in ["magic", "format version: 1", "committed end", "writer id", "frame, bytes 8192..<", "acknowledged"] {
      #expect(dump.output.contains(words), "\(words)")
    }
    #expect(!dump.output.contains("\u{1B}"))
    #expect(try ToolProcess.run("page", mailbox.segmentPath, "0").output.hasPrefix("00000000  41 4e 54 45 52 4f 4f 4d"))
    #expect(try ToolProcess.run("page", mailbox.segmentPath, "100000").code == 1)
    for number in ["-1", "x", "99999999999999999999"] {
      #expect(try ToolProcess.run("page", mailbox.segmentPath, "--", number).code == 64, "\(number)")
    }
    #expect(try ToolProcess.run("page", mailbox.path, "0").code == 64)
  }

  /// A value altered behind its checksum: what follows is still listed, and the altered record isn't.
  @Test func damageInTheMiddleIsLeftOut() throws {
    let mailbox = try mailbox()
    var bytes = try mailbox.segmentBytes()
    let pattern = Array("payload 7".utf8)
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: pattern) })
    bytes[offset] ^= 1
    try mailbox.replaceSegment(bytes)
    for path in [mailbox.path, mailbox.segmentPath] {
      let list = try ToolProcess.run("ls", path)
      #expect(list.code == 2)
      #expect(list.lines.count == 9 && !list.output.contains("id-7\n") && list.output.contains("id-8\n"))
      #expect(try ToolProcess.run("get", path, "id-8").code == 0)
      #expect(try ToolProcess.run("get", path, "id-7").code == 2)
    }
    let output = mailbox.directory.path(of: "out.mailbox")
    let recover = try ToolProcess.run("recover", mailbox.path, "-o", output)
    #expect(recover.code == 2 && recover.output.contains("lost bytes") && recover.output.contains("recovered 9 records"))
    #expect(try ToolProcess.run("ls", output).lines.count == 9)
    #expect(try ToolProcess.run("verify", output).code == 0)
    let all = mailbox.directory.path(of: "all.mailbox")
    #expect(try ToolProcess.run("recover", mailbox.segmentPath, "--all", "-o", all).output.contains("recovered 12 records"))
    #expect(try ToolProcess.run("recover", mailbox.path, "-o", output).code == 73)
    #expect(try ToolProcess.run("recover", mailbox.path, "-o", output + "/no/such/place").code == 73)
  }
}
