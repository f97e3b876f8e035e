import Foundation
import MailboxLog
import TestSupport
import Testing

/// Ids of any bytes print on one line each, and can be typed.
@Suite struct B094Tests {
  @Test func everyIDIsALineAndReadsBack() throws {
    let ids =
      (0...0x1F).map { String(Unicode.Scalar(UInt8($0))) } + [
        "\u{FF}", "a\nb", "\u{1B}[31m", "\\n", "tab\tend ", "\u{202E}x", "a,\"b\"",
      ]
    let mailbox = try TestMailbox { writer in
      for (index, id) in ids.enumerated() { try writer.append(id: id, payload: Array("\(index)".utf8)) }
    }
    let list = try ToolProcess.run("ls", mailbox.path)
    #expect(list.code == 0)
    #expect(list.lines.count == ids.count)
    #expect(!list.standardOutput.contains(0x1B) && !list.standardOutput.contains(0))
    for (index, line) in list.lines.enumerated() {
      let cells = line.split(separator: "\t")
      #expect(cells.count == 4)
      #expect(try ToolProcess.run("get", mailbox.path, "--raw", "--", String(cells[3])).output == "\(index)", "\(line)")
    }
    let json = try ToolProcess.run("ls", mailbox.path, "--format", "json")
    let parsed = try #require(try JSONSerialization.jsonObject(with: Data(json.standardOutput)) as? [[String: Any]])
    #expect(parsed.map { $0["id"] as? String } == ids)
    for format in ["csv", "hex", "jsonl"] {
      let lines = try ToolProcess.run("ls", mailbox.path, "--format", format).lines
      #expect(lines.count == ids.count + (format == "csv" ? 1 : 0))
    }
    #expect(try ToolProcess.run("ls", mailbox.path, "--prefix", "\\x1b[").lines.count == 1)
    #expect(try ToolProcess.run("ls", mailbox.path, "--limit", "3").lines.count == 3)
    #expect(try ToolProcess.run("ls", mailbox.path, "--limit", "0").lines.isEmpty)
  }

  @Test func aBinaryIDCanBeTyped() throws {
    let id = "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}"
    let mailbox = try TestMailbox { try $0.append(id: id, payload: [9, 8, 7]) }
    let file = try mailbox.file("id", Array(id.utf8))
    for text in ["0000000000000001", "base64:AAAAAAAAAAE=", "@" + file] {
      let get = try ToolProcess.run("get", mailbox.path, "--key-hex", text, "--raw")
      #expect(get.code == 0)
      #expect(get.standardOutput == [9, 8, 7])
    }
    for text in ["000", "0g", "base64:A", ""] {
      #expect(try ToolProcess.run("get", mailbox.path, "--key-hex", text).code == 64, "\(text)")
    }
    #expect(try ToolProcess.run("get", mailbox.path, "--key-hex", "@" + file + ".none").code == 66)
    #expect(try ToolProcess.run("get", mailbox.path, "--key-hex", "ff").code == 1)
    #expect(try ToolProcess.run("append", mailbox.path, "--key-hex", "ff", "--payload", "x").code == 64)
    #expect(try ToolProcess.run("append", mailbox.path, "--key-hex", "c3a9", "--payload", "x").code == 0)
    #expect(try ToolProcess.run("get", mailbox.path, "é", "--raw").output == "x")
  }
}
