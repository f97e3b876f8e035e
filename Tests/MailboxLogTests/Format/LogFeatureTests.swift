import Foundation
import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// What a later version may have put into a file, by the rules of the article: refused with nothing changed, or read, or passed over.
@Suite struct LogFeatureTests {
  typealias Header = SegmentLayout.Header
  typealias Frame = SegmentLayout.Frame

  /// A golden log with some bytes of its header changed, and a key check and a checksum that fit.
  private struct Altered {
    let place = TemporaryDirectory()
    let bytes: [UInt8]
    let file: GoldenLog
    var path: String { place.path(of: "a.kvlog") }
    var isUnchanged: Bool { place.contents("a.kvlog") == bytes && place.names == ["a.kvlog"] }

    init(_ file: GoldenLog, _ value: UInt64, at offset: Int, byteCount: Int = 8) throws {
      self.file = file
      let golden = try GoldenBench.bytes(file.name)
      let block = ByteBuffer(count: SegmentLayout.blockByteCount)
      block.copy(Array(golden[..<SegmentLayout.blockByteCount]).span, at: 0)
      for i in 0..<byteCount { block.store(UInt8(truncatingIfNeeded: value >> UInt64(8 * i)), at: offset + i) }
      if let key = file.key {
        let keys = SegmentKeys(.one(try EncryptionKey(key)), header: block)
        block.copy(keys.keyCheck(of: block).span, at: Header.keyCheck)
      }
      block.store(Checksum.crc32(block, 0..<Header.checksum), at: Header.checksum)
      bytes = block.bytes(0..<SegmentLayout.blockByteCount) + golden[SegmentLayout.blockByteCount...]
      place.write(bytes, to: "a.kvlog")
    }

    func open(_ access: LogAccess = .readWrite) throws -> KeyValueLog {
      var options = try file.options
      options.access = access
      return try KeyValueLog(path: path, options: options)
    }
    /// What the reader in Python leaves with; nil without Python.
    func pythonExitCode() throws -> Int32? {
      FormatReader.isThere ? try FormatReader.read(path, file.readerArguments).exitCode : nil
    }
  }

  @Test(
    "A higher version, a bit that has to be understood, another suite or kind of key", arguments: [GoldenLog.clean, .encrypted])
  func newer(file: GoldenLog) throws {
    for (value, offset, byteCount) in [
      (2, Header.formatVersion, 2), (65_535, Header.formatVersion, 2), (1, Header.mustUnderstandFeatures, 8),
      (1 << 63, Header.mustUnderstandFeatures, 8), (2, Header.suite, 1), (3, Header.keyScheme, 4),
    ] as [(UInt64, Int, Int)] {
      let altered = try Altered(file, value, at: offset, byteCount: byteCount)
      let found = offset == Header.formatVersion ? UInt16(value) : 1
      let expected = LogError.unsupportedVersion(found: found, newest: 1)
      for access in [LogAccess.readWrite, .readOnly] { #expect(throws: expected) { try altered.open(access) } }
      #expect(throws: expected) { try SegmentInspection(path: altered.path, key: nil, isLog: true) }
      #expect(throws: expected) { try KeyValueLog.restore(from: altered.path, to: altered.place.path(of: "b.kvlog")) }
      #expect(altered.isUnchanged)
      #expect(try altered.pythonExitCode() ?? 1 == 1)
    }
  }

  @Test("Who doesn't know what may be read alone opens it for reading alone", arguments: [GoldenLog.clean, .encrypted])
  func mayRead(file: GoldenLog) throws {
    let altered = try Altered(file, 1 << 40, at: Header.mayReadFeatures)
    #expect(throws: LogError.readOnly) { try altered.open() }
    let log = try altered.open(.readOnly)
    #expect(try Set(log.keys()) == Set(file.entries.keys))
    #expect(throws: LogError.readOnly) { try log.set(1, forKey: "a") }
    #expect(throws: LogError.readOnly) { try log.compact() }
    #expect(altered.isUnchanged)
    #expect(try altered.pythonExitCode() ?? 0 == 0)
  }

  @Test("What may be written is", arguments: [GoldenLog.clean, .encrypted]) func mayWrite(file: GoldenLog) throws {
    let altered = try Altered(file, 1 << 40, at: Header.mayWriteFeatures)
    let log = try altered.open()
    try log.set(1, forKey: "a")
    #expect(try Set(log.keys()) == Set(file.entries.keys).union(["a"]))
    #expect(try altered.pythonExitCode() ?? 0 == 0)
  }

  /// A record's frame with one byte changed, under a header checksum that fits.
  private func altering(_ golden: String, record: Int, _ offset: Int, to value: UInt8, isLog: Bool) -> [UInt8] {
    var contents = GoldenBench.contents((try? GoldenBench.bytes(golden)) ?? [])
    let start = contents.records[record].lowerBound
    contents.bytes[start + offset] = value
    let frame = ByteBuffer(count: Frame.body)
    frame.copy(Array(contents.bytes[start..<start + Frame.body]).span, at: 0)
    let block = ByteBuffer(count: SegmentLayout.blockByteCount)
    block.copy(Array(contents.bytes[..<SegmentLayout.blockByteCount]).span, at: 0)
    let coding = FrameChecksum(
      identifier: SegmentHeader.identifier(in: block), kind: isLog ? .keyValueLog : .mailboxSegment)
    let sum = coding.headerChecksum(frame, at: 0, fileOffset: UInt64(start))
    for i in 0..<4 { contents.bytes[start + i] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(i))) }
    // All of it was promised.
    let word = SegmentLayout.Word.syncedEnd
    let synced = WordCoding(identifier: SegmentHeader.identifier(in: block))
      .encode(UInt64(contents.bytes.count), index: word.rawValue)
    for i in 0..<8 { contents.bytes[Int(word.offset) + i] = UInt8(truncatingIfNeeded: synced >> UInt64(8 * i)) }
    return contents.bytes
  }

  @Test("A record of a kind, or a value of a type, that isn't known is passed over as damage; a reserved byte says nothing")
  func recordsOfALog() throws {
    let golden = GoldenLog.clean
    let records = GoldenBench.contents(try GoldenBench.bytes(golden.name)).records
    for (offset, value, isKnown) in [
      (Frame.kind, 6, false), (Frame.kind, 1, false), (Frame.kind, 0, false), (Frame.valueType, 8, false), (Frame.flags, 1, true),
      (Frame.reserved, 1, true), (Frame.reserved2, 1, true), (Frame.reserved3, 1, true),
    ] as [(Int, UInt8, Bool)] {
      let place = TemporaryDirectory()
      let bytes = altering(golden.name, record: 3, offset, to: value, isLog: true)
      place.write(bytes, to: "a.kvlog")
      let log = try KeyValueLog(path: place.path(of: "a.kvlog"))
      let lost: Set<String> = isKnown ? [] : ["empty"]
      #expect(try Set(log.keys()) == Set(golden.entries.keys).subtracting(lost), "\(offset)")
      #expect(try log.verify().badRanges == (isKnown ? [] : [UInt64(records[3].lowerBound)..<UInt64(records[3].upperBound)]))
      #expect(place.contents("a.kvlog") == bytes)
      guard FormatReader.isThere else { continue }
      let found = try FormatReader.read(place.path(of: "a.kvlog"))
      #expect(found.exitCode == (isKnown ? 0 : 2), "\(offset)")
      #expect(Set(found.rows.compactMap { $0["key"] as? String }) == Set(golden.entries.keys).subtracting(lost))
    }
  }

  @Test("The same in a segment") func recordsOfASegment() throws {
    let all = ["empty", "bytes", "fields", "batch:1", "batch:2", "batch:3", "last"]
    for (offset, value, isKnown) in [
      (Frame.kind, 2, false), (Frame.kind, 6, false), (Frame.valueType, 8, false), (Frame.flags, 1, true),
      (Frame.reserved3, 1, true),
    ] as [(Int, UInt8, Bool)] {
      let bench = try APIBench()
      try FileManager.default.createDirectory(atPath: bench.directory, withIntermediateDirectories: false)
      let bytes = altering("clean.segment", record: 2, offset, to: value, isLog: false)
      bench.place.write(bytes, to: "m.mailbox/00000001.segment")
      let reader = try bench.reader()
      let expected = isKnown ? all : all.filter { $0 != "bytes" }
      #expect(try reader.ids() == expected)
      #expect(try reader.damage().isEmpty == isKnown)
      #expect(bench.place.contents("m.mailbox/00000001.segment") == bytes)
      guard FormatReader.isThere else { continue }
      let found = try FormatReader.read(bench.directory + "/00000001.segment")
      #expect(found.rows.compactMap { $0["id"] as? String } == expected && found.exitCode == (isKnown ? 0 : 2))
    }
  }
}
