import Foundation
import TestSupport
import Testing

@testable import MailboxLog

/// Golden key-value logs: written as they were, read, and written on.
@Suite struct GoldenLogTests {
  @Test("The logs are what this build writes, byte for byte", arguments: GoldenLog.allCases)
  func byteForByte(file: GoldenLog) throws { try GoldenBench.check(file.name, file.make()) }

  private let place = TemporaryDirectory()
  private var path: String { place.path(of: "a.kvlog") }

  private func copy(_ file: GoldenLog) throws { place.write(try GoldenBench.bytes(file.name), to: "a.kvlog") }
  private func entries(_ log: KeyValueLog) throws -> [String: String] {
    var entries: [String: String] = [:]
    try log.forEach { entry in
      let value: String =
        switch entry.type {
        case .bytes: hexadecimal(entry.bytes)
        case .string: try entry.value(String.self)
        case .int: "\(try entry.value(Int.self))"
        case .uint: "\(try entry.value(UInt64.self))"
        case .double: "\(try entry.value(Double.self))"
        case .bool: "\(try entry.value(Bool.self))"
        case .date: "\(try entry.value(LogTimestamp.self).secondsSinceReferenceDate)"
        }
      #expect(entries.updateValue("\(entry.type) \(value)", forKey: entry.key) == nil)
    }
    return entries
  }

  @Test("The logs are read, and nothing in them changes by that", arguments: GoldenLog.allCases)
  func reading(file: GoldenLog) throws {
    try copy(file)
    let bytes = try GoldenBench.bytes(file.name)
    defer { #expect(place.contents("a.kvlog") == bytes) }
    if file == .header {
      #expect(throws: LogError.corrupted(offset: 0, reason: "")) { try KeyValueLog(path: path, options: file.options) }
      return
    }
    let log = try KeyValueLog(path: path, options: file.options)
    #expect(try entries(log) == file.entries)
    #expect(try Set(log.keys()) == Set(file.entries.keys) && log.count == file.entries.count)
    for key in ["before", "removed", "expired", "key 5", "nothing"] { #expect(try !log.contains(key)) }
    for key in file.entries.keys { #expect(try log.contains(key)) }
    let records = GoldenBench.contents(file == .torn || file == .corrupt ? try GoldenBench.bytes("clean.kvlog") : bytes).records
      .map { UInt64($0.lowerBound) }
    let bad: [Range<UInt64>] =
      switch file {
      case .torn: [records[records.count - 1]..<UInt64(bytes.count)]
      case .corrupt:
        // The rest of a batch of which one is damaged is no better, each by itself.
        [records[2]..<records[3]] + (2...4).reversed().map { records[records.count - $0]..<records[records.count - $0 + 1] }
      default: []
      }
    let found = try log.verify().badRanges
    #expect(found == bad)
  }

  @Test("Another key, or none, is refused", arguments: GoldenLog.allCases) func keys(file: GoldenLog) throws {
    try copy(file)
    if file == .header { return }
    let other = LogOptions(key: try EncryptionKey([UInt8](repeating: 1, count: 32)))
    #expect(throws: file.key == nil ? LogError.keyNotExpected : .wrongKey) { try KeyValueLog(path: path, options: other) }
    if file.key != nil { #expect(throws: LogError.keyRequired) { try KeyValueLog(path: path) } }
    // What it had before a change of keys.
    if file == .rekeyed {
      #expect(throws: LogError.wrongKey) {
        try KeyValueLog(path: path, options: LogOptions(key: try EncryptionKey(GoldenTests.key)))
      }
    }
  }

  @Test("This build goes on in a log of then, and writes it anew", arguments: GoldenLog.allCases)
  func writing(file: GoldenLog) throws {
    if file == .header { return }
    try copy(file)
    var expected = file.entries
    for round in 0..<2 {
      let log = try KeyValueLog(path: path, options: file.options)
      try log.set(round, forKey: "now")
      try log.removeValue(forKey: "twice")
      expected["now"] = "int \(round)"
      expected["twice"] = nil
      #expect(try entries(log) == expected)
      try log.compact()
      #expect(try entries(log) == expected && log.verify().isEmpty)
      log.close()
    }
  }

  @Test("A damaged index costs nothing that is in the log", arguments: [GoldenLog.index, .rekeyed])
  func damagedIndex(file: GoldenLog) throws {
    var contents = GoldenBench.contents(try GoldenBench.bytes(file.name))
    let index = try #require(contents.records.first { contents.bytes[$0.lowerBound + SegmentLayout.Frame.kind] == 5 })
    contents.bytes[index.lowerBound + SegmentLayout.Frame.body + 5_000] ^= 1
    place.write(contents.bytes, to: "a.kvlog")
    let log = try KeyValueLog(path: path, options: file.options)
    #expect(try entries(log) == file.entries)
    for key in file.entries.keys { #expect(try log.contains(key)) }
    #expect(try log.verify().badRanges == [UInt64(index.lowerBound)..<UInt64(index.upperBound)])
    if FormatReader.isThere { #expect(try FormatReader.read(path, file.readerArguments).exitCode == 2) }
  }
}
