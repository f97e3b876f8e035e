import Foundation
import MailboxLog
import TestSupport
import Testing

@Suite struct WritingTests {
  /// The lines of a dump without what an append gives a record.
  private func portable(_ dump: ChildOutcome) -> [String] {
    dump.lines.map { String($0.replacing(/"position":\{[^}]*\},"appendedAt":"[^"]*",/, with: "")) }
  }

  /// B067: a dump that is loaded and dumped again is the same.
  @Test(arguments: [false, true]) func b067LoadingADumpGivesTheSameRecords(isEncrypted: Bool) throws {
    var generator = SplitMix64(seed: 67)
    let key: [UInt8]? = isEncrypted ? [UInt8](repeating: 3, count: 32) : nil
    let mailbox = try TestMailbox(key: key, durability: .processCrash) { writer in
      for index in 0..<1000 {
        if index % 3 == 0 {
          try writer.append(id: "fields \(index)", schemaVersion: UInt32(index)) { fields in
            fields.set("s", "text \"\\ \u{1} é \u{1F680}")
            fields.set("i", Int64(bitPattern: generator.next()))
            fields.set("u", generator.next())
            fields.set("d", Double(bitPattern: generator.next()))
            fields.set("b", [UInt8(index & 255), 0, 255])
            fields.set("t", index % 2 == 0)
            fields.set("w", LogTimestamp(secondsSinceReferenceDate: Double(index) * 0.1))
          }
        } else {
          let payload = (0..<index % 50).map { _ in UInt8.random(in: index % 3 == 1 ? 0...255 : 32...126, using: &generator) }
          try writer.append(id: "p\n\(index)", payload: payload)
        }
      }
    }
    let keyOption = try key.map { ["--key-file", try mailbox.file("key", $0)] } ?? []
    let dump = try ToolProcess.run(["dump", mailbox.path] + keyOption)
    #expect(dump.code == 0 && dump.lines.count == 1000)
    let copy = mailbox.directory.path(of: "copy.mailbox")
    let load = try ToolProcess.run(["load", copy] + keyOption, input: dump.standardOutput)
    #expect(load.code == 0 && load.output == "loaded 1000 records\n", "\(load.errorOutput)")
    #expect(portable(try ToolProcess.run(["dump", copy] + keyOption)) == portable(dump))
    #expect(try ToolProcess.run(["verify", copy] + keyOption).code == 0)
    let salvaged = mailbox.directory.path(of: "salvaged.mailbox")
    #expect(try ToolProcess.run(["recover", mailbox.path, "-o", salvaged] + keyOption).code == 0)
    #expect(portable(try ToolProcess.run(["dump", salvaged] + keyOption)) == portable(dump))
  }

  @Test func fieldsFromArguments() throws {
    let path = TemporaryDirectory().path + ".mailbox"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let append = try ToolProcess.run(
      "append", path, "--id", "m", "--schema-version", "4", "--field", "text=string:a=b:c", "--field", "n=int:-7", "--field",
      "u=uint:18446744073709551615", "--field", "d=double:0.5", "--field", "ok=bool:true", "--field", "b=bytes:base64:AAE=",
      "--field",
      "t=date:2026-01-31T09:30:00Z")
    #expect(append.code == 0, "\(append.errorOutput)")
    #expect(
      try ToolProcess.run("dump", path).output.hasSuffix(
        #""schemaVersion":4,"fields":{"text":{"string":"a=b:c"},"n":{"int":-7},"u":{"uint":"18446744073709551615"},"d":{"double":0.5},"#
          + #""ok":{"bool":true},"b":{"bytes":"AAE="},"t":{"date":791544600.0}}}"# + "\n"))
    for field in ["x", "=int:5", "n=int", "n=int:x", "n=int:5.0", "n=integer:5", "b=bytes:f", "t=date:yesterday", "ok=bool:yes"] {
      let refused = try ToolProcess.run("append", path, "--id", "m", "--field", field)
      #expect(refused.code == 64, "\(field)")
    }
    #expect(try ToolProcess.run("append", path, "--payload", "x").code == 64)
    #expect(try ToolProcess.run("append", path, "--id", "", "--payload", "x").code == 64)
    #expect(try ToolProcess.run("append", path, "--id", "a", "--payload", "x", "--field", "n=int:5").code == 64)
    #expect(try ToolProcess.run("append", path, "--id", "a", "--payload", "x", "--schema-version", "1").code == 64)
    #expect(try ToolProcess.run("ls", path).lines.count == 1)
    #expect(try ToolProcess.run("append", path + "/no/such/place.mailbox", "--id", "a", "--payload", "x").code == 73)
  }

  @Test func aBatchIsAllOrNothing() throws {
    let mailbox = try TestMailbox { try $0.append(id: "a", payload: [1]) }
    let good = Array("{\"id\":\"b\",\"payload\":\"x\"}\n\n{\"id\":\"c\",\"fields\":{\"n\":{\"int\":1}}}".utf8)
    let bad = try ToolProcess.run("append", mailbox.path, "--batch", input: good + Array("\n{\"id\":\"d\"}\n".utf8))
    #expect(bad.code == 65 && bad.errorOutput.contains("line 4"))
    #expect(try ToolProcess.run("ls", mailbox.path).lines.count == 1)
    #expect(try ToolProcess.run("append", mailbox.path, "--batch", input: good).lines.count == 2)
    #expect(try ToolProcess.run("ls", mailbox.path).lines.count == 3)
    #expect(try ToolProcess.run("append", mailbox.path, "--batch").code == 65)
    #expect(try ToolProcess.run("append", mailbox.path, "--batch", "--id", "x").code == 64)
  }

  @Test func malformedLinesAreReportedAndSkipped() throws {
    let mailbox = try TestMailbox { try $0.append(id: "a", payload: [1]) }
    let input = Array(
      "{\"id\":\"b\",\"payload\":\"x\"}\nnonsense\n{\"id\":\"c\",\"payload\":\"y\"}\n{\"id\":\"\",\"payload\":\"y\"}".utf8)
    let load = try ToolProcess.run("load", mailbox.path, input: input)
    #expect(load.code == 2)
    #expect(load.errorOutput.contains("line 2: ") && load.errorOutput.contains("line 4: "))
    #expect(load.output == "loaded 2 records, skipped 2 lines\n")
    let file = try mailbox.file("dump.jsonl", Array("{\"id\":\"d\",\"payload\":\"z\"}\n".utf8))
    #expect(try ToolProcess.run("load", mailbox.path, file).code == 0)
    #expect(try ToolProcess.run("load", mailbox.path, file + ".none").code == 66)
    #expect(try ToolProcess.run("ls", mailbox.path).lines.count == 4)
  }

  @Test func whatIsTooLargeIsRefused() throws {
    let mailbox = try TestMailbox { try $0.append(id: "a", payload: [1]) }
    let large = try mailbox.file("large", [UInt8](repeating: 0x78, count: 16 << 20 + 1))
    #expect(try ToolProcess.run("append", mailbox.path, "--id", "b", "--payload", "@" + large).code == 65)
    #expect(try ToolProcess.shell("$kvtool append '\(mailbox.path)' --id b < '\(large)'").code == 65)
    let line = "(printf '{\"id\":\"b\",\"payload\":\"'; head -c 17000000 /dev/zero | tr '\\0' x; printf '\"}\\n')"
    let load = try ToolProcess.shell("\(line) | $kvtool load '\(mailbox.path)'")
    #expect(load.code == 65 && load.errorOutput.contains("line 1"), "\(load.code) \(load.errorOutput)")
    #expect(try ToolProcess.shell("head -c 120000000 /dev/zero | $kvtool load '\(mailbox.path)'").code == 65)
    #expect(try ToolProcess.run("ls", mailbox.path).lines.count == 1)
  }
}
