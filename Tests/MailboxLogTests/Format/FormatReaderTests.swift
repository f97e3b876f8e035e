import Foundation
import TestSupport
import Testing

@testable import MailboxLog

/// `Tests/FormatReader` is a reader in Python, written from the article on the format. What it reads is what the library reads.
@Suite(.enabled(if: FormatReader.isThere, "python3 isn't there")) struct FormatReaderTests {
  private static let allIDs = ["empty", "bytes", "fields", "batch:1", "batch:2", "batch:3", "last"]

  @Test(
    "The golden files",
    arguments: [
      ("clean", 0, allIDs), ("encrypted", 0, allIDs), ("torn", 2, allIDs.dropLast()),
      ("corrupt", 2, ["consumed", "empty", "fields", "last"]),
    ])
  func golden(name: String, exitCode: Int32, ids: [String]) throws {
    let path = GoldenBench.url("\(name).segment").path
    let reading = try FormatReader.read(path, name == "encrypted" ? ["--key", hexadecimal(GoldenTests.key)] : [])
    #expect(reading.exitCode == exitCode)
    #expect(reading.rows.map { $0["id"] as? String } == ids)
    let fields = try #require(reading.rows.first { $0["id"] as? String == "fields" }?["value"] as? [[Any]])
    #expect(fields.map { $0[0] as? String } == ["text", "int", "uint", "double", "bool", "date", "bytes"])
    #expect(fields[0][2] as? String == "Grüße" && fields[2][2] as? UInt64 == .max && fields[6][2] as? String == "010203")
  }

  @Test func wrongKey() throws {
    let path = GoldenBench.url("encrypted.segment").path
    for options in [[], ["--key", hexadecimal([UInt8](repeating: 1, count: 32))]] {
      let reading = try FormatReader.read(path, options)
      #expect(reading.rows.isEmpty && reading.exitCode == 1)
    }
  }

  private enum KeyKind: CaseIterable { case none, one, pair }

  @Test("Random mailboxes: entries, their order, values and acknowledgements", arguments: KeyKind.allCases)
  private func mailboxes(kind: KeyKind) throws {
    var random = SplitMix64(seed: 11)
    let bench = try APIBench()
    let key = [UInt8](repeating: 3, count: 32)
    var writing = LogOptions()
    var reading = LogOptions()
    var options: [String] = []
    switch kind {
    case .none: break
    case .one:
      writing.key = try EncryptionKey(key)
      reading.key = writing.key
      options = ["--key", hexadecimal(key)]
    case .pair:
      reading.readKey = try MailboxPrivateKey(key)
      writing.writeOnlyKey = reading.readKey?.publicKey
      options = ["--private-key", hexadecimal(key)]
    }
    writing.durability = .processCrash
    for open in 0..<3 {
      let writer = try MailboxWriter(directory: bench.directory, options: writing)
      for number in 0..<15 {
        let payload = (0..<Int(random.next() % 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        if random.next() % 4 == 0 {
          try writer.appendBatch { batch in
            for part in 0..<3 { batch.append(id: "\(open) \(number) \(part)", payload: payload) }
          }
        } else {
          try writer.append(id: "\(open) \(number)", payload: payload)
        }
      }
      writer.close()
    }
    let reader = try MailboxReader(directory: bench.directory, options: reading)
    try reader.acknowledge(reader.positions().filter { _ in random.next() % 3 == 0 })
    var expected: [String] = []
    try reader.forEachPending { expected.append("\($0.id) \(hexadecimal($0.payload)) \($0.position.sequence)") }
    let found = try FormatReader.read(bench.directory + "/00000001.segment", options)
    #expect(found.exitCode == 0)
    #expect(found.rows.map { "\($0["id"] ?? "") \($0["value"] ?? "") \($0["sequence"] ?? "")" } == expected)
  }

  @Test("Random logs: sets, removals, expiry, batches, clearing, compaction and indexes", arguments: [false, true])
  func logs(isEncrypted: Bool) throws {
    var random = SplitMix64(seed: 12)
    let place = TemporaryDirectory()
    let key = [UInt8](repeating: 4, count: 64)
    let path = place.path(of: "s.kvlog")
    let log = try KeyValueLog(path: path, options: LogOptions(key: isEncrypted ? try EncryptionKey(key) : nil))
    for round in 0..<400 {
      let name = "key \(random.next() % 60)"
      switch random.next() % 12 {
      case 0: try log.removeValue(forKey: name)
      case 1: try log.set("brief", forKey: name, expiresAfter: .nanoseconds(1))
      case 2: try log.set("long", forKey: name, expiresAfter: .seconds(3_600))
      case 3: try log.set(round, forKey: name)
      case 4: try log.set(Double(round) / 8, forKey: name)
      case 5: try log.set(round % 2 == 0, forKey: name)
      case 6:
        try log.update { batch in
          for part in 0..<4 { batch.set("part \(part) ä", forKey: "key \(part)") }
          batch.removeValue(forKey: name)
        }
      case 7 where round == 150: try log.removeAll()
      case 8 where round % 50 == 0: try log.compact()
      default: try log.set((0..<Int(random.next() % 90)).map { UInt8($0) }, forKey: name)
      }
    }
    var expected: [String: String] = [:]
    try log.forEach { entry in
      expected[entry.key] =
        switch entry.type {
        case .string: try entry.value(String.self)
        case .int: "\(try entry.value(Int.self))"
        case .double: "\(try entry.value(Double.self))"
        case .bool: try entry.value(Bool.self) ? "1" : "0"
        default: hexadecimal(entry.bytes)
        }
    }
    let found = try FormatReader.read(path, isEncrypted ? ["--key", hexadecimal(key)] : [])
    #expect(found.exitCode == 0)
    #expect(found.rows.count == expected.count)
    for row in found.rows {
      let name = try #require(row["key"] as? String)
      let value = try #require(row["value"])
      let text = row["type"] as? String == "double" ? "\(value as? Double ?? .nan)" : "\(value)"
      #expect(text.replacing("true", with: "1").replacing("false", with: "0") == expected[name], "\(name)")
    }
  }
}
