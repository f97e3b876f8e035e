import Foundation
import MailboxLog
import TestSupport
import Testing

/// A file that was cut is damage, and what is left of it is printed only where it authenticates.
@Suite struct B018Tests {
  @Test(arguments: [false, true]) func aCutFileIsDamage(isEncrypted: Bool) throws {
    let key: [UInt8]? = isEncrypted ? [UInt8](repeating: 7, count: 32) : nil
    let mailbox = try TestMailbox(key: key) { writer in
      for index in 0..<20 { try writer.append(id: "id-\(index)", payload: Array("payload \(index)".utf8)) }
    }
    let keyOption = try key.map { ["--key-file", try mailbox.file("key", $0)] } ?? []
    let whole = try mailbox.segmentBytes()
    let end = try committedEnd(mailbox.segmentPath)
    for length in [8192 + 1, 8192 + 150, end - 200, end - 8, end - 1] {
      try mailbox.replaceSegment(whole.prefix(length))
      let dump = try ToolProcess.run(["dump", mailbox.path] + keyOption)
      #expect(dump.code == 2, "cut to \(length): \(dump.errorOutput)")
      #expect(dump.errorOutput.hasPrefix("kvtool: "))
      for (index, line) in dump.lines.enumerated() {
        #expect(line.contains("\"id\":\"id-\(index)\"") && line.contains("\"payload\":\"payload \(index)\""))
      }
      #expect(dump.lines.count < 20)
      let verify = try ToolProcess.run(["verify", mailbox.path] + keyOption)
      #expect(verify.code == 1, "cut to \(length)")
      #expect(verify.output.contains("damaged"))
    }
    for length in [0, 1, 4095, 8191] {
      try mailbox.replaceSegment(whole.prefix(length))
      for verb in ["verify", "ls", "dump", "info"] {
        #expect(try ToolProcess.run([verb, mailbox.segmentPath] + keyOption).code == 65, "\(verb), cut to \(length)")
      }
    }
  }

  private func committedEnd(_ segment: String) throws -> Int {
    let info = try ToolProcess.run("info", segment, "--format", "json")
    let facts = try #require(try JSONSerialization.jsonObject(with: Data(info.standardOutput)) as? [String: Any])
    let words = try #require(facts["words"] as? [String: Any])
    return try #require(words["committed end"] as? Int)
  }
}
