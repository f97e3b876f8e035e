import Foundation
import MailboxLog
import TestSupport
import Testing

@Suite struct CopiedSegmentTests {
  @Test("A copied segment gives nothing twice to a rescue") func copied() throws {
    let mailbox = try TestMailbox(key: nil) { writer in
      for index in 0..<7 { try writer.append(id: "id-\(index)", payload: [UInt8(index)]) }
    }
    try FileManager.default.copyItem(atPath: mailbox.segmentPath, toPath: mailbox.path + "/00000007.segment")
    let output = mailbox.directory.path(of: "out")
    let recover = try ToolProcess.run("recover", mailbox.path, "-o", output)
    #expect(recover.output.contains("recovered 7 records") && recover.output.contains("earlier copy"))
    #expect(try ToolProcess.run("verify", mailbox.path).code == 1)
  }

  @Test("A segment that was cut to nothing is damage to verify and to a rescue") func cutToNothing() throws {
    let mailbox = try TestMailbox(key: nil) { writer in try writer.append(id: "a", payload: []) }
    try mailbox.replaceSegment(Data())
    #expect(try ToolProcess.run("verify", mailbox.path).code == 1)
    #expect(try ToolProcess.run("recover", mailbox.path, "-o", mailbox.directory.path(of: "out")).code == 2)
  }

  @Test("A pipe or a directory isn't a key file, and isn't waited for") func keyFileKinds() throws {
    let mailbox = try TestMailbox(key: [UInt8](repeating: 7, count: 32)) { writer in try writer.append(id: "a", payload: []) }
    let pipe = mailbox.directory.path(of: "pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    for path in [pipe, mailbox.directory.path] {
      let run = try ToolProcess.run("ls", mailbox.path, "--key-file", path)
      #expect(run.code == 77 && run.errorOutput.contains("regular file"), "\(run.errorOutput)")
    }
  }
}
