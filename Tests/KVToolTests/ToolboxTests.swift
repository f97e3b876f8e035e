import Foundation
import MailboxLog
import TestSupport
import Testing

@testable import KVToolCommands

/// `genkey`, `price`, `doctor` and figures for monitoring.
@Suite struct ToolboxTests {
  @Test func aNewKeyIsItsOwnersAlone() throws {
    let directory = TemporaryDirectory()
    let path = directory.path(of: "key")
    #expect(try ToolProcess.shell("umask 000; exec $kvtool genkey '\(path)'").code == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let first = try #require(directory.contents("key"))
    #expect(first.count == 65 && first.last == 0x0A && Hexadecimal.bytes(first.dropLast()) != nil)
    #expect(try ToolProcess.run("genkey", path).code == 73)
    #expect(directory.contents("key") == first)
    #expect(try ToolProcess.run("genkey", directory.path(of: "wide"), "--bytes", "64").code == 0)
    #expect(directory.contents("wide")?.count == 129)
    #expect(try ToolProcess.run("genkey", directory.path(of: "x"), "--bytes", "16").code == 64)
    #expect(try ToolProcess.run("genkey", directory.path(of: "no/x")).code == 73)
    let log = try TestLog.mixed()
    #expect(try ToolProcess.run("encrypt", log.path, "--key-file", path).code == 0)
    #expect(try ToolProcess.run("ls", log.path, "--key-file", path).lines.count == 8)
  }

  /// Measured in a process of its own and on a copy; a log without an index is opened with the same calls whatever its size.
  @Test func thePriceIsMeasuredOnACopy() throws {
    let temporary = TemporaryDirectory()
    func price(_ path: String, _ option: [String] = []) throws -> [String: Any] {
      let run = try ToolProcess.run(
        ["price", path, "--format", "json"] + option, environment: ["TMPDIR": temporary.path])
      #expect(run.code == 0, "\(run.errorOutput)")
      return try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any] ?? [:]
    }
    let key = [UInt8](repeating: 7, count: 32)
    let (log, sealed) = (try TestLog.mixed(), try TestLog.mixed(key: key))
    let box = try TestMailbox { try $0.append(id: "a", payload: [1]) }
    let option = try sealed.keyOption(key)
    for (path, option) in [(log.path, []), (sealed.path, option), (box.path, []), (box.segmentPath, [])] {
      let facts = try price(path, option)
      #expect(facts["peakByteCount"] as? Int ?? 0 > 0 && facts["pageFaultCount"] as? Int ?? 0 > 0, "\(path)")
      let empty = try #require(facts["ofAnEmptyProcess"] as? [String: Any])
      // Where tracing is forbidden, there is no count.
      guard empty["systemCallCount"] != nil else { continue }
      #expect((5...200).contains(facts["systemCallCount"] as? Int ?? 0), "\(path): \(facts)")
      #expect(facts["writtenByteCount"] as? Int ?? 0 > 0, "\(path)")
    }
    #expect(try ToolProcess.run("price", sealed.path).code == 77)
    #expect(try ToolProcess.run("price", log.path, environment: ["TMPDIR": temporary.path(of: "none")]).code == 73)
    #expect(temporary.names.isEmpty)
    #expect(try ToolProcess.run("ls", log.path).lines.count == 8)
  }

  @Test func eachFindingIsOneLineThatSaysWhatToDo() throws {
    let log = try TestLog.mixed()
    let good = try ToolProcess.run("doctor", log.path)
    #expect(good.code == 0 && good.lines.allSatisfy { $0.hasPrefix("ok: ") || $0.hasPrefix("note: ") }, "\(good.output)")
    #expect(good.output.contains("libsodium: 1.") && good.output.contains("a log\n"))
    #expect(try ToolProcess.run("doctor").code == 0)
    let core = try ToolProcess.shell("ulimit -n 32; exec $kvtool doctor")
    #expect(core.code == 1 && core.output.contains("problem: open files: limited to 32: raise it"))

    func problem(_ words: String, _ arguments: String..., environment: [String: String] = [:]) throws {
      let run = try ToolProcess.run(["doctor"] + arguments, environment: environment)
      #expect(run.code == 1, "\(words): \(run.output)")
      #expect(run.lines.contains { $0.hasPrefix("problem: ") && $0.contains(words) }, "\(words): \(run.output)")
    }
    let open = try log.file("open.key", [UInt8](repeating: 1, count: 32), mode: 0o644)
    try problem("chmod 600", log.path, "--key-file", open)
    let short = try log.file("short.key", [1, 2, 3])
    try problem("a key is 32 or 64 bytes", log.path, "--key-file", short)
    let key = try log.file("key", [UInt8](repeating: 1, count: 32))
    try problem("the file is not encrypted", log.path, "--key-file", key)
    try problem("no directory is there", log.path, environment: ["TMPDIR": log.path])
    try FileManager.default.linkItem(atPath: log.path, toPath: log.path + "2")
    try problem("has 2 names", log.path)
    try FileManager.default.removeItem(atPath: log.path + "2")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: log.path)
    try problem("run chmod o-w on it", log.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: log.directory.path)
    try problem("every user may write to", log.path, "--key-file", key)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: log.directory.path)
    let whole = try log.bytes()
    try log.replace(whole.prefix(9000))
    try problem("cut off", log.path)
    try log.replace([UInt8](whole.prefix(100)) + [1] + whole[101...])
    try problem("restore a backup", log.path)
    #expect(try ToolProcess.run("doctor", log.path + ".none").code == 66)
    #expect(try ToolProcess.run("doctor", key).code == 65)
    #expect(try ToolProcess.run("doctor", "--format", "jsonl").lines.allSatisfy { $0.hasPrefix("{\"level\":\"") })
  }

  @Test func locksAreReadAsTheKernelTellsThem() {
    let text = """
      1: FLOCK  ADVISORY  WRITE 708 08:01:1234 0 EOF
      1: -> FLOCK  ADVISORY  WRITE 709 08:01:1234 0 EOF
      2: POSIX  ADVISORY  WRITE 710 08:01:1234 0 EOF
      3: FLOCK  ADVISORY  WRITE 711 08:02:1234 0 EOF
      4: FLOCK  ADVISORY  WRITE 712 08:01:1235 0 EOF
      5: FLOCK
      6: FLOCK  ADVISORY  READ 713 08:01:1234 0 EOF
      """
    #expect(LockHolders.processes(in: Array(text.utf8), device: 0x801, inode: 1234) == [708, 713])
  }

  /// One sample a line, of names that stay.
  @Test func figuresForMonitoring() async throws {
    let names = [
      "mailbox": [
        "pending_records", "pending_bytes", "oldest_pending_timestamp_seconds", "records", "segments", "file_bytes",
        "damaged_ranges",
      ],
      "log": [
        "file_bytes", "records", "record_bytes", "index_bytes", "last_sequence", "last_change_timestamp_seconds", "damaged_ranges",
        "keys", "expiring_keys", "live_bytes",
      ],
      "store": ["file_bytes", "page_bytes", "version", "commit_timestamp_seconds", "pages", "free_pages", "objects"],
    ]
    let key = [UInt8](repeating: 7, count: 32)
    let (log, sealed) = (try TestLog.mixed(), try TestLog.mixed(key: key))
    let box = try TestMailbox(key: key) { for id in ["a", "b"] { try $0.append(id: id, payload: [1]) } }
    let store = try await TestStore()
    for (kind, path) in [("mailbox", box.path), ("log", log.path), ("store", store.path)] {
      let run = try ToolProcess.run("stat", path, "--format", "prometheus")
      #expect(run.code == 0, "\(run.errorOutput)")
      let samples = run.lines.filter { !$0.hasPrefix("#") }
      let found = samples.map { String($0.prefix { $0 != "{" }) }.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      #expect(found == (names[kind] ?? []).map { "anteroom_\(kind)_\($0)" })
      #expect(samples.allSatisfy { $0.contains("{path=\"\(path)\"") && Double($0.split(separator: " ").last ?? "") != nil })
      #expect(
        run.lines.count { $0.hasPrefix("# TYPE ") } == found.count && run.lines.count { $0.hasPrefix("# HELP ") } == found.count)
      let help = try ToolProcess.run("help", "metrics").output
      #expect(found.allSatisfy { help.contains("  \($0)\n") })
    }
    #expect(
      try ToolProcess.run("stat", log.path, "--format", "prometheus").output.contains("anteroom_log_keys{path=\"\(log.path)\"} 8\n")
    )
    #expect(
      try ToolProcess.run("stat", box.path, "--format", "prometheus").output.contains("pending_records{path=\"\(box.path)\"} 2\n"))
    #expect(try ToolProcess.run("stat", store.path, "--format", "prometheus").output.contains(",type=\"Letter\"} 20\n"))
    // Without its key an encrypted log shows no count of keys.
    let without = try ToolProcess.run("stat", sealed.path, "--format", "prometheus")
    #expect(without.code == 0 && !without.output.contains("log_keys{") && without.output.contains("log_records{"))
    #expect(Metrics.label("a\"b\\c\nd\u{1B}") == #"a\"b\\c\nd\\x1b"#)
    #expect(try ToolProcess.run("ls", log.path, "--format", "prometheus").code == 64)
  }

  @Test func theTableOfKeysFindsWhatWasSet() {
    var table = KeyOffsets()
    var generator = SplitMix64(seed: 3)
    var model: [UInt64: UInt64] = [:]
    for index in 0..<50_000 {
      let hash = generator.next() & (index % 3 == 0 ? 0xFF00_0000_0000_0FFF : .max)
      let offset = (UInt64(index) + 1) << (index % 2 == 0 ? 3 : 20)
      #expect(table.set(hash, offset) == model.updateValue(offset, forKey: hash))
    }
    #expect(table.count == model.count)
    #expect(model.allSatisfy { table.offset($0.key) == $0.value })
    #expect(table.offset(12345) == nil)
    table.removeAll()
    #expect(table.count == 0 && model.keys.allSatisfy { table.offset($0) == nil })
  }
}
