import Foundation
import MailboxLog
import TestSupport
import Testing

@testable import KVToolCommands

/// Files of MMKV become logs, and what can't be read is said.
@Suite struct ImportTests {
  private static let files = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("MMKV").path
  /// The larger ones, beside the project; nil in a clone of it alone.
  private static let more: String? = {
    var directory = URL(fileURLWithPath: #filePath)
    for _ in 0..<8 {
      directory.deleteLastPathComponent()
      let path = directory.appendingPathComponent("shared/data/mmkv").path
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    return nil
  }()

  /// What a file is said to hold: types as the importer calls them, and lines of a dump.
  private struct Expected {
    var types: [String] = []
    var lines: [String: String] = [:]

    init(_ path: String) throws {
      for line in try String(contentsOfFile: path + ".expected.tsv", encoding: .utf8).split(separator: "\n")
      where !line.hasPrefix("#") {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let type = cells[1].hasPrefix("vector_") ? "raw" : cells[1].replacing("_hex", with: "")
        types.append("\(cells[0])\t\(type)")
        lines[cells[0]] = Self.json(type, cells[2])
      }
    }

    /// nil for what has no type here.
    private static func json(_ type: String, _ text: String) -> String? {
      func large(_ text: String) -> String { (Double(text) ?? 0).magnitude > 0x1p53 ? "\"\(text)\"" : text }
      func decoded() -> [UInt8] { Hexadecimal.bytes(Array(text.utf8)) ?? [] }
      return switch type {
      case "bool": "{\"bool\":\(text)}"
      case "int32", "int64": "{\"int\":\(large(text))}"
      case "uint32", "uint64": "{\"uint\":\(large(text))}"
      case "float", "double": "{\"double\":\(Double(text).map { $0.isFinite ? "\($0)" : "\"\($0)\"" } ?? "?")}"
      case "string": "{\"string\":\"\(String(decoding: decoded(), as: UTF8.self).replacing("\"", with: "\\\""))\"}"
      case "bytes": "{\"bytes\":\"\(Data(decoded()).base64EncodedString())\"}"
      default: nil
      }
    }
  }

  private func check(_ path: String) throws {
    let (expected, directory) = (try Expected(path), TemporaryDirectory())
    directory.write(Array((expected.types.joined(separator: "\n") + "\n").utf8), to: "types.tsv")
    let output = directory.path(of: "out.kvlog")
    let run = try ToolProcess.run("import", "--from", "mmkv", path, "-o", output, "--types", directory.path(of: "types.tsv"))
    #expect(
      run.code == 0
        && run.output.hasPrefix("imported \(expected.lines.count + expected.types.count { $0.hasSuffix("\traw") }) key"),
      "\(path): \(run.output) \(run.errorOutput)")
    var seen = 0
    for line in try ToolProcess.run("dump", output).lines {
      let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let key = try #require(entry["key"] as? String)
      guard let wanted = expected.lines[key] else { continue }
      seen += 1
      #expect(line.contains("\"value\":\(wanted)"), "\(path), \(key)")
    }
    #expect(seen == expected.lines.count, "\(path)")
    #expect(try ToolProcess.run("verify", output).code == 0)
  }

  @Test func everyValueOfEveryType() throws {
    for name in ["single_key", "overwrite_delete", "compacted", "expire_enabled"] { try check(Self.files + "/" + name) }
  }

  @Test(.enabled(if: more != nil, "the larger files of MMKV aren't beside this project")) func oldVersionsAndLargerFiles() throws {
    let directory = try #require(Self.more)
    for name in [
      "plain_types", "legacy_v0_plain", "legacy_v3_plain_actualsize_in_meta", "mb_records", "multi_process", "empty_new",
    ] {
      if name == "empty_new" {
        let output = TemporaryDirectory()
        let run = try ToolProcess.run("import", "--from", "mmkv", directory + "/" + name, "-o", output.path(of: "x"))
        #expect(run.code == 0 && run.output == "imported 0 keys\n")
      } else {
        try check(directory + "/" + name)
      }
    }
    let output = TemporaryDirectory()
    let sealed = try ToolProcess.run("import", "--from", "mmkv", directory + "/encrypted_aes128", "-o", output.path(of: "x"))
    #expect(sealed.code == 77 && sealed.errorOutput.contains("decrypt it in the app first"))
    #expect(output.names.isEmpty)
  }

  @Test func damagedFilesGiveWhatTheyHold() throws {
    let output = TemporaryDirectory()
    let table: [(name: String, code: Int32, words: String?, keys: Int)] = [
      ("bitflip_in_confirmed", 2, "checksum doesn't match; values may be altered", 20),
      ("meta_actualsize_too_big", 2, "what was last confirmed is read", 20), ("meta_truncated_32B", 0, nil, 20),
      ("meta_zeroed", 2, ".crc file is missing or blank", 20),
    ]
    for row in table {
      let path = output.path(of: row.name)
      let run = try ToolProcess.run("import", "--from", "mmkv", Self.files + "/" + row.name, "-o", path)
      #expect(
        run.code == row.code && row.words.map(run.errorOutput.contains) ?? run.errorOutput.isEmpty,
        "\(row.name): \(run.code) \(run.errorOutput)")
      #expect(run.code == 0 || run.errorOutput.contains("left over from byte"), "\(row.name): \(run.errorOutput)")
      #expect(try ToolProcess.run("ls", path).lines.count >= row.keys, "\(row.name)")
      #expect(try ToolProcess.run("verify", path).code == 0, "\(row.name)")
    }
  }

  /// B016: a size or a length that lies gives an error or what is whole before it; every key is one that was written.
  @Test func b016LengthsThatLie() throws {
    let directory = TemporaryDirectory()
    let (data, meta) = (try bytes("overwrite_delete"), try bytes("overwrite_delete.crc"))
    let keys = Set((1...60).map { "k\($0)" })
    func check(_ place: String) throws {
      let output = directory.path(of: "out-\(place)")
      let run = try ToolProcess.shell(
        "ulimit -v 300000; ulimit -d 32768; exec $kvtool import --from mmkv '\(directory.path(of: "store"))' -o '\(output)'")
      #expect([0, 2, 65, 77].contains(run.code), "\(place): \(run.code) \(run.errorOutput)")
      if run.code != 0 && run.code != 2 { return }
      #expect(keys.isSuperset(of: TestLog.keys(try ToolProcess.run("ls", output))), "\(place)")
    }
    for size in [0, 1, UInt32(data.count) + 1, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
      var changed = meta
      for index in 0..<4 { changed[28 + index] = UInt8(truncatingIfNeeded: size >> UInt32(8 * index)) }
      directory.write(changed, to: "store.crc")
      directory.write(data, to: "store")
      try check("size-\(size)")
    }
    directory.write(meta, to: "store.crc")
    for place in 8..<48 {
      for byte in [0xFF, 0x80] as [UInt8] {
        var changed = data
        changed[place] = byte
        directory.write(changed, to: "store")
        // A key whose bytes are hit is another key.
        let isLength = place == 8 || data[place - 1] < 0x20
        if isLength { try check("byte-\(place)-\(byte)") }
      }
    }
    #expect(litter(in: directory.path).isEmpty)
  }

  @Test func typesAreDeclared() throws {
    let output = TemporaryDirectory()
    func imports(_ name: String, _ arguments: String...) throws -> ChildOutcome {
      try ToolProcess.run(["import", "--from", "mmkv", Self.files + "/single_key", "-o", output.path(of: name)] + arguments)
    }
    #expect(try imports("raw").output == "imported 1 key, 1 as raw bytes\n")
    #expect(try imports("typed", "--type", "only=int32").output == "imported 1 key\n")
    #expect(try ToolProcess.run("get", output.path(of: "typed"), "only").output.hasSuffix("int (8 bytes): 3\n"))
    #expect(try imports("guessed", "--guess").output == "imported 1 key, 1 of guessed types\n")
    let mismatch = try imports("mismatch", "--type", "only=double")
    // Nothing is left to import.
    #expect(mismatch.code == 2)
    #expect(mismatch.errorOutput.contains("the key 'only' is left out: its value (1 byte) is no double"))
    for type in ["only", "=int32", "only=number", "only=int"] { #expect(try imports("x", "--type", type).code == 64, "\(type)") }
    output.write(Array("only int32\n".utf8), to: "bad.tsv")
    #expect(try imports("x", "--types", output.path(of: "bad.tsv")).code == 65)
    #expect(try imports("x", "--types", output.path(of: "none.tsv")).code == 66)
    #expect(try imports("typed").code == 73)
    #expect(try ToolProcess.run("import", Self.files + "/single_key", "-o", output.path(of: "x")).code == 64)
    #expect(try ToolProcess.run("import", "--from", "mmkv", Self.files + "/single_key").code == 64)
    #expect(try ToolProcess.run("import", "--from", "mmkv", Self.files + "/none", "-o", output.path(of: "x")).code == 66)
    #expect(try ToolProcess.run("import", "--from", "mmkv", "/bin/sh", "-o", output.path(of: "x")).code == 65)
    let before = try bytes("single_key")
    #expect(try imports("again", "--guess").code == 0)
    #expect(try bytes("single_key") == before)
    #expect(Set(output.names) == ["raw", "typed", "guessed", "bad.tsv", "again", "mismatch"])
  }

  /// Expiry stays what it was, to the second, and the new log has the key that it was given.
  @Test func expiryIsKeptAndTheLogIsEncrypted() throws {
    let output = TemporaryDirectory()
    output.write([UInt8](repeating: 4, count: 32), to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: output.path(of: "key"))
    let option = ["--key-file", output.path(of: "key")]
    let path = output.path(of: "x")
    let run = try ToolProcess.run(["import", "--from", "mmkv", Self.files + "/expire_enabled", "-o", path, "--guess"] + option)
    #expect(run.code == 0 && run.output.contains("1 had expired"), "\(run.errorOutput)")
    #expect(try ToolProcess.run("ls", path).code == 77)
    let dump = try ToolProcess.run(["dump", path] + option).output
    #expect(dump.contains(#"{"key":"year_str","value":{"string":"keep me"},"expiresAt":"2027-11-30T09:03:03.000000Z"}"#))
    #expect(!dump.contains("expires_1s"))
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.files + "/" + name)))
  }
}
