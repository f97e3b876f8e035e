import Foundation
import MailboxLog
import TestSupport
import Testing

@Suite struct LogWritingTests {
  @Test func typedValues() throws {
    let log = try TestLog { _ in }
    let values = [
      ("s", "string", "a=b \\n", #"{"string":"a=b \\n"}"#), ("i", "int", "-7", #"{"int":-7}"#),
      ("u", "uint", "18446744073709551615", #"{"uint":"18446744073709551615"}"#), ("d", "double", "0.5", #"{"double":0.5}"#),
      ("t", "bool", "true", #"{"bool":true}"#), ("b", "bytes", "base64:AAE=", #"{"bytes":"AAE="}"#),
      ("w", "date", "2026-01-31T09:30:00Z", #"{"date":791544600.0}"#),
    ]
    for (key, type, text, _) in values {
      let set = try ToolProcess.run("set", log.path, "--type", type, "--", key, text)
      #expect(set.code == 0 && set.output.isEmpty, "\(key): \(set.errorOutput)")
    }
    #expect(try ToolProcess.run("dump", log.path).lines.map(String.init) == values.map { #"{"key":"\#($0.0)","value":\#($0.3)}"# })
    for (type, text) in [
      ("int", "5.0"), ("int", ""), ("uint", "-1"), ("bool", "yes"), ("bytes", "f"), ("date", "today"), ("double", "x"),
    ] {
      #expect(try ToolProcess.run("set", log.path, "--type", type, "--", "k", text).code == 64, "\(type) \(text)")
    }
    #expect(try ToolProcess.run("set", log.path, "k", "v", "--type", "sting").errorOutput.contains("did you mean 'string'"))
    // A number that a shell prints has a line end behind it; of a text that is a part.
    #expect(try ToolProcess.run("set", log.path, "i", "--type", "int", input: Array("12\n".utf8)).code == 0)
    #expect(try ToolProcess.run("get", log.path, "i").output.hasSuffix(": 12\n"))
    #expect(try ToolProcess.run("set", log.path, "s", "-", input: Array("x\n".utf8)).code == 0)
    #expect(try ToolProcess.run("get", log.path, "s", "--raw").output == "x\n")
    #expect(try ToolProcess.run("set", log.path, "s", input: [0xFF]).code == 64)
    #expect(try ToolProcess.run("set", log.path, "s", "@" + log.path + ".none").code == 66)
    #expect(try ToolProcess.run("set", log.path, String(repeating: "k", count: 1025), "x").code == 65)
    #expect(try ToolProcess.run("ls", log.path).lines.count == 7)
  }

  @Test func expiry() throws {
    let log = try TestLog { _ in }
    for (time, seconds) in [("90", 90), ("90s", 90), ("15m", 900), ("12h", 43_200), ("7d", 604_800), ("2w", 1_209_600)] {
      #expect(try ToolProcess.run("set", log.path, "k", "v", "--expires-after", time).code == 0, "\(time)")
      let reader = try KeyValueLog(path: log.path)
      var moment: LogTimestamp?
      try reader.forEach { entry throws(LogError) in moment = entry.expiresAt }
      let left = try #require(moment).secondsSinceReferenceDate - LogTimestamp.now.secondsSinceReferenceDate
      #expect(left <= Double(seconds) && left > Double(seconds) - 60, "\(time): \(left)")
    }
    for time in ["", "-1", "1.5h", "h", "3y", "99999999999999999999", "9999999w"] {
      #expect(try ToolProcess.run("set", log.path, "k", "v", "--expires-after=\(time)").code == 64, "\(time)")
    }
    #expect(try ToolProcess.run("set", log.path, "k", "v", "--expires-after", "0").code == 0)
    #expect(try ToolProcess.run("get", log.path, "k").code == 1)
  }

  @Test func aKeyIsRemovedOnce() throws {
    let log = try TestLog.mixed()
    #expect(try ToolProcess.run("rm", log.path, "text").code == 0)
    let before = try log.bytes()
    let again = try ToolProcess.run("rm", log.path, "text")
    #expect(again.code == 1 && again.errorOutput.contains("no value under this key"))
    #expect(try log.bytes() == before)
    for arguments in [[], ["a", "--all"], ["--all", "--key-hex", "61"], ["a", "--key-hex", "61"]] {
      #expect(try ToolProcess.run(["rm", log.path] + arguments).code == 64, "\(arguments)")
    }
    #expect(try ToolProcess.run("rm", log.path, "--all").code == 0)
    #expect(try ToolProcess.run("ls", log.path).output.isEmpty)
    #expect(try ToolProcess.run("tail", log.path, "-n1").output.contains("\trm-all\t"))
  }

  @Test func malformedLinesAreReportedAndSkipped() throws {
    let log = try TestLog { _ in }
    let lines = """
      {"key":"a","value":{"int":1}}
      nonsense
      {"key":"","value":{"int":1}}
      {"key":"b"}
      {"key":"b","value":{"int":"x"}}
      {"key":"b","value":{"int":1},"color":"red"}
      {"keyBase64":"/w==","value":{"int":1}}
      {"key":"b","value":{"int":1},"expiresAt":"soon"}
      {"id":"b","payload":"x"}
      {"key":"old","value":{"int":1},"expiresAt":"2020-01-01T00:00:00Z"}
      {"keyBase64":"Yw==","value":{"bytes":"AAE="},"expiresAt":"2999-01-01T00:00:00.000001Z","sequence":7}
      """
    let load = try ToolProcess.run("load", log.path, input: Array(lines.utf8))
    #expect(load.code == 2)
    #expect(load.output == "loaded 2 entries, 1 had expired, skipped 8 lines\n")
    for number in 2...9 { #expect(load.errorOutput.contains("line \(number): "), "\(number)") }
    #expect(
      try ToolProcess.run("dump", log.path).output == """
        {"key":"a","value":{"int":1}}
        {"key":"c","value":{"bytes":"AAE="},"expiresAt":"2999-01-01T00:00:00.000001Z"}

        """)
    // What isn't there yet is a log when its name says so; a dump that is loaded into the other kind says what to do.
    let wrong = try ToolProcess.run("load", log.directory.path(of: "new"), input: Array(#"{"key":"a","value":{"int":1}}"#.utf8))
    #expect(wrong.code == 2 && wrong.errorOutput.contains("*.kvlog"))
    #expect(try ToolProcess.run("load", log.path, log.path + ".none").code == 66)
  }

  /// Another process holds the lock: a second later it is said, and nothing is changed.
  @Test func aHeldLockIsBusy() throws {
    let log = try TestLog.mixed()
    let before = try log.bytes()
    let holder = try ChildProcess("/bin/sh", ["-c", "exec flock -x -F '\(log.path)' sh -c 'echo held; exec sleep 60'"])
    #expect(holder.waitForOutput("held"))
    for arguments in [["set", log.path, "a", "b"], ["rm", log.path, "text"], ["restore", log.path, log.path + "2"]] {
      let expected: Int32 = arguments[0] == "restore" ? 0 : 75
      #expect(try ToolProcess.run(arguments).code == expected, "\(arguments)")
    }
    #expect(try ToolProcess.run("restore", log.path + "2", log.path).code == 75)
    let doctor = try ToolProcess.run("doctor", log.path)
    #expect(doctor.code == 1 && doctor.output.contains("has held its lock"))
    for verb in ["ls", "dump", "verify", "info"] { #expect(try ToolProcess.run(verb, log.path).code == 0, "\(verb)") }
    holder.kill()
    holder.wait()
    #expect(try log.bytes() == before)
  }
}
