import Foundation
import MailboxLog
import TestSupport
import Testing

/// Faults that users met, on key-value logs.
@Suite struct LogFaultTests {
  /// B018: a file that was cut is damage, and what is left of it is printed only where it authenticates.
  @Test(arguments: [false, true]) func b018ACutFileIsDamage(isEncrypted: Bool) throws {
    let key: [UInt8]? = isEncrypted ? [UInt8](repeating: 7, count: 32) : nil
    let log = try TestLog(key: key) { log in for index in 0..<20 { try log.set("value \(index)", forKey: "key-\(index)") } }
    let option = try log.keyOption(key)
    let (whole, end) = (try log.bytes(), try committedEnd(log.path))
    for length in [8192 + 1, 8192 + 150, end - 200, end - 8, end - 1] {
      try log.replace(whole.prefix(length))
      let dump = try ToolProcess.run(["dump", log.path] + option)
      #expect(dump.code == 2, "cut to \(length): \(dump.errorOutput)")
      #expect(dump.errorOutput.hasPrefix("kvtool: "))
      for (index, line) in dump.lines.enumerated() {
        #expect(line == #"{"key":"key-\#(index)","value":{"string":"value \#(index)"}}"#)
      }
      #expect(dump.lines.count < 20)
      #expect(try ToolProcess.run(["verify", log.path] + option).code == 1, "cut to \(length)")
      #expect(try ToolProcess.run(["get", log.path, "key-19"] + option).code == 2, "cut to \(length)")
      #expect(try ToolProcess.run(["compact", log.path] + option).code == 65, "cut to \(length)")
    }
    for length in [0, 1, 4095, 8191] {
      try log.replace(whole.prefix(length))
      for verb in ["verify", "ls", "dump", "info"] {
        #expect(try ToolProcess.run([verb, log.path] + option).code == 65, "\(verb), cut to \(length)")
      }
    }
  }

  private func committedEnd(_ path: String) throws -> Int {
    let info = try ToolProcess.run("info", path, "--format", "json")
    let facts = try #require(try JSONSerialization.jsonObject(with: Data(info.standardOutput)) as? [String: Any])
    return try #require((facts["words"] as? [String: Any])?["committed end"] as? Int)
  }

  /// B050: an empty value is a value, and an empty key is refused.
  @Test func b050EmptyValuesAreValues() throws {
    let log = try TestLog { _ in }
    for (key, type, value) in [("s", "string", ""), ("b", "bytes", ""), ("f", "bool", "false"), ("z", "int", "0")] {
      #expect(try ToolProcess.run("set", log.path, key, value, "--type", type).code == 0, "\(key)")
    }
    #expect(
      try ToolProcess.run("dump", log.path).output == """
        {"key":"s","value":{"string":""}}
        {"key":"b","value":{"bytes":""}}
        {"key":"f","value":{"bool":false}}
        {"key":"z","value":{"int":0}}

        """)
    let empty = try ToolProcess.run("get", log.path, "s", "--raw")
    #expect(empty.code == 0 && empty.standardOutput.isEmpty)
    let before = try log.bytes()
    for arguments in [["set", log.path, "", "x"], ["rm", log.path, ""], ["get", log.path, ""]] {
      #expect(try ToolProcess.run(arguments).code == 64)
    }
    #expect(try log.bytes() == before)
    #expect(try ToolProcess.run("rm", log.path, "s").code == 0)
    #expect(try ToolProcess.run("get", log.path, "s").code == 1)
  }

  /// B064: what has expired is in no listing, and a compaction drops it.
  @Test func b064WhatHasExpiredIsNowhere() throws {
    let log = try TestLog { log in
      try log.set("here", forKey: "stays")
      try log.set("gone", forKey: "expires", expiresAfter: .milliseconds(1))
    }
    usleep(5000)
    #expect(TestLog.keys(try ToolProcess.run("ls", log.path)) == ["stays"])
    #expect(try ToolProcess.run("dump", log.path).lines.count == 1)
    #expect(try ToolProcess.run("get", log.path, "expires").code == 1)
    #expect(try ToolProcess.run("stat", log.path).output.contains("key count: 1\n"))
    #expect(try ToolProcess.run("info", log.path).output.contains("record count: 2\n"))
    #expect(try ToolProcess.run("compact", log.path).output.hasPrefix("compacted: 1 key,"))
    #expect(try ToolProcess.run("info", log.path).output.contains("record count: 1\n"))
    #expect(try ToolProcess.run("rm", log.path, "expires").code == 1)
  }

  /// B067: a dump that is loaded and dumped again is the same, types, bytes and moments of expiry.
  @Test(arguments: [false, true]) func b067LoadingADumpGivesTheSameEntries(isEncrypted: Bool) throws {
    var generator = SplitMix64(seed: 67)
    let key: [UInt8]? = isEncrypted ? [UInt8](repeating: 3, count: 32) : nil
    let log = try TestLog(key: key) { log in
      for index in 0..<1000 {
        let (name, after) = ("key \u{1}\(index)\n", index % 4 == 0 ? Duration.microseconds(3_600_000_000 + index) : nil)
        switch index % 7 {
        case 0: try log.set("text \"\\ \u{1} é \u{1F680}", forKey: name, expiresAfter: after)
        case 1: try log.set(Int64(bitPattern: generator.next()), forKey: name, expiresAfter: after)
        case 2: try log.set(generator.next(), forKey: name, expiresAfter: after)
        case 3: try log.set(Double(bitPattern: generator.next()), forKey: name, expiresAfter: after)
        case 4: try log.set([UInt8](repeating: UInt8(index & 255), count: index % 50), forKey: name, expiresAfter: after)
        case 5: try log.set(index % 2 == 0, forKey: name, expiresAfter: after)
        default: try log.set(LogTimestamp(secondsSinceReferenceDate: Double(index) * 0.1), forKey: name, expiresAfter: after)
        }
      }
    }
    let option = try log.keyOption(key)
    let dump = try ToolProcess.run(["dump", log.path] + option)
    #expect(dump.code == 0 && dump.lines.count == 1000)
    let copy = log.directory.path(of: "copy.kvlog")
    let load = try ToolProcess.run(["load", copy] + option, input: dump.standardOutput)
    #expect(load.code == 0 && load.output == "loaded 1000 entries\n", "\(load.errorOutput)")
    let salvaged = log.directory.path(of: "salvaged.kvlog")
    #expect(try ToolProcess.run(["recover", log.path, "-o", salvaged] + option).output == "recovered 1000 keys\n")
    for path in [copy, salvaged] {
      #expect(try ToolProcess.run(["dump", path] + option).output == dump.output)
      #expect(try ToolProcess.run(["verify", path] + option).code == 0)
    }
  }

  /// B094: keys of any bytes print on one line each, and can be typed.
  @Test func b094EveryKeyIsALineAndReadsBack() throws {
    let keys =
      (0...0x1F).map { String(Unicode.Scalar(UInt8($0))) } + [
        "\u{FF}", "a\nb", "\u{1B}[31m", "\\n", "tab\tend ", "\u{202E}x", "a,\"b\"",
      ]
    let log = try TestLog { log in for (index, key) in keys.enumerated() { try log.set("\(index)", forKey: key) } }
    let list = try ToolProcess.run("ls", log.path)
    #expect(list.code == 0 && list.lines.count == keys.count)
    #expect(!list.standardOutput.contains(0x1B) && !list.standardOutput.contains(0))
    for (index, key) in TestLog.keys(list).enumerated() {
      #expect(try ToolProcess.run("get", log.path, "--raw", "--", key).output == "\(index)", "\(key)")
    }
    let json = try ToolProcess.run("ls", log.path, "--format", "json")
    let parsed = try #require(try JSONSerialization.jsonObject(with: Data(json.standardOutput)) as? [[String: Any]])
    #expect(parsed.map { $0["key"] as? String } == keys)
    for format in ["csv", "hex", "jsonl"] {
      #expect(try ToolProcess.run("ls", log.path, "--format", format).lines.count == keys.count + (format == "csv" ? 1 : 0))
    }
    let binary = "0000000000000001"
    #expect(try ToolProcess.run("set", log.path, "--key-hex", binary, "x").code == 0)
    let file = try log.file("key", [0, 0, 0, 0, 0, 0, 0, 1])
    for text in [binary, "base64:AAAAAAAAAAE=", "@" + file] {
      #expect(try ToolProcess.run("get", log.path, "--key-hex", text, "--raw").output == "x")
    }
    for text in ["000", "0g", "base64:A", ""] {
      for verb in ["get", "rm"] { #expect(try ToolProcess.run(verb, log.path, "--key-hex", text).code == 64, "\(text)") }
    }
    #expect(try ToolProcess.run("set", log.path, "--key-hex", "ff", "x").code == 64)
    #expect(try ToolProcess.run("rm", log.path, "--key-hex", binary).code == 0)
  }

  /// B096: raw output is the exact bytes, of values with and without a line end, of none and of a megabyte.
  @Test func b096RawIsTheExactBytes() throws {
    let values: [[UInt8]] = [
      Array("line\n".utf8), Array("none".utf8), [], (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) },
    ]
    let log = try TestLog { _ in }
    for (index, value) in values.enumerated() {
      let file = try log.file("value", value)
      #expect(try ToolProcess.run("set", log.path, "f\(index)", "@" + file, "--type", "bytes").code == 0)
      #expect(try ToolProcess.shell("exec $kvtool set '\(log.path)' i\(index) --type bytes < '\(file)'").code == 0)
      for name in ["f", "i"] { #expect(try ToolProcess.run("get", log.path, "\(name)\(index)", "--raw").standardOutput == value) }
    }
  }

  /// B099: whatever is in a file, looking at it ends in an exit code, in bounded memory.
  @Test(arguments: [false, true]) func b099VerifySurvivesAnyDamage(isEncrypted: Bool) throws {
    let key: [UInt8]? = isEncrypted ? [UInt8](repeating: 7, count: 32) : nil
    let log = try TestLog(key: key) { log in
      for index in 0..<60 { try log.set([UInt8](repeating: UInt8(index), count: 100), forKey: "key-\(index % 40)") }
      try log.update { batch in for index in 0..<5 { batch.set(index, forKey: "batch-\(index)") } }
      try log.removeValue(forKey: "key-3")
      try log.removeAll()
      for index in 0..<20 { try log.set("text \(index)", forKey: "new-\(index)") }
    }
    let option = try log.keyOption(key).joined(separator: " ")
    let limits = "ulimit -v 300000; ulimit -d 32768; exec $kvtool "
    let whole = try log.bytes()
    var generator = SplitMix64(seed: 99)
    for round in 0..<50 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let isInFront = Bool.random(using: &generator)
        bytes[Int.random(in: isInFront ? 0..<8192 : 8192..<22_000, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      if round % 4 == 0 {
        let offset = 8192 + 8 * Int.random(in: 0..<1500, using: &generator)
        bytes.replaceSubrange(offset..<offset + 4, with: [0xF0, 0xFF, 0xFF, 0xFF])
      }
      try log.replace(round % 10 == 5 ? Array(bytes.prefix(Int.random(in: 0..<22_000, using: &generator))) : bytes)
      let verify = try ToolProcess.shell(limits + "verify '\(log.path)' \(option)")
      // A header whose key check was hit says that the key isn't the file's.
      #expect([0, 1, 65, 77].contains(verify.code), "round \(round): \(verify.code) \(verify.errorOutput)")
      if verify.code == 1 { #expect(verify.output.contains("damaged")) }
      if round % 10 > 1 { continue }
      for verb in ["info", "stat", "ls", "dump", "tail", "get", "hexdump"] {
        let more = verb == "hexdump" ? "" : (verb == "get" ? "new-1 " : "") + option
        let run = try ToolProcess.shell(limits + "\(verb) '\(log.path)' \(more)")
        #expect([0, 1, 2, 65, 77].contains(run.code), "\(verb), round \(round): \(run.code) \(run.errorOutput)")
      }
      let output = log.directory.path(of: "out-\(round)")
      let recover = try ToolProcess.shell(limits + "recover '\(log.path)' -o '\(output)' \(option)")
      #expect([0, 2, 65, 77].contains(recover.code), "round \(round): \(recover.code) \(recover.errorOutput)")
      if recover.code == 0 || recover.code == 2 { #expect(try ToolProcess.shell("$kvtool verify '\(output)' \(option)").code == 0) }
      #expect(litter(in: log.directory.path).isEmpty)
    }
  }

  /// B100: listing takes 16 bytes a key and no more.
  @Test func b100ListingTakesSixteenBytesAKey() throws {
    let log = try TestLog { log in
      for start in stride(from: 0, to: 30_000, by: 500) {
        try log.update { batch in for index in start..<start + 500 { batch.set(index, forKey: "key-\(index)") } }
      }
    }
    for verb in ["ls", "dump", "verify", "tail"] {
      let process = try ChildProcess("kvtool", [verb, log.path])
      var peak = 0
      while let sample = residentPeak(process.identifier) {
        peak = max(peak, sample)
        usleep(2000)
      }
      let outcome = process.wait()
      #expect(outcome.code == 0)
      if verb == "ls" || verb == "dump" { #expect(outcome.standardOutput.count { $0 == 0x0A } == 30_000) }
      #expect(peak > 0 && peak <= 24 * 1024, "\(verb): \(peak) KiB")
    }
  }

  private func residentPeak(_ identifier: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8) else { return nil }
    return status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }.flatMap { Int($0.filter(\.isNumber)) }
  }
}
