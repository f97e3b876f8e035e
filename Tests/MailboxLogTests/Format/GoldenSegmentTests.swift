import Foundation
import TestSupport
import Testing

@testable import MailboxLog

/// Golden segments of other keys, other states and other writers: written as they were, and read.
@Suite struct GoldenSegmentTests {
  @Test("The segments are what this build writes, byte for byte", arguments: GoldenSegment.allCases)
  func byteForByte(file: GoldenSegment) throws {
    if file != .writeOnly { return try GoldenBench.check(file.name, file.make()) }
    // Its writers draw pairs of keys that nobody can fix: the file is kept, and compared but for what comes of them.
    let made = try file.make()
    if GoldenBench.isMaking { try GoldenBench.check(file.name, made) }
    #expect(Self.withoutChance(try GoldenBench.bytes(file.name)) == Self.withoutChance(made))
  }

  /// A segment without writer ids, and without the bodies, checksums and tags that come of them.
  private static func withoutChance(_ bytes: [UInt8]) -> [UInt8] {
    typealias Frame = SegmentLayout.Frame
    var contents = GoldenBench.contents(bytes)
    for record in contents.records {
      let start = record.lowerBound
      for part in [
        Frame.headerChecksum..<Frame.totalByteCount, Frame.bodyChecksum..<Frame.schemaVersion, Frame.writerID..<Frame.counter,
        Frame.body..<record.count,
      ] { for offset in part { contents.bytes[start + offset] = 0 } }
    }
    return contents.bytes
  }

  private let place = TemporaryDirectory()
  private var path: String { place.path(of: "m.mailbox") }

  private func make(_ files: [GoldenSegment]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for (index, file) in files.enumerated() {
      place.write(try GoldenBench.bytes(file.name), to: "m.mailbox/0000000\(index + 1).segment")
    }
  }
  private func entries(_ reader: MailboxReader) throws -> [String] {
    var entries: [String] = []
    try reader.forEachPending { entries.append("\($0.id) \(hexadecimal($0.payload))") }
    return entries
  }

  @Test("The segments are read", arguments: GoldenSegment.allCases) func reading(file: GoldenSegment) throws {
    try make([file])
    var options = try file.options
    // Otherwise what can't be read is acknowledged.
    options.access = .readOnly
    let reader = try MailboxReader(directory: path, options: options)
    #expect(try entries(reader) == file.entries)
    let damage = try reader.damage().map(\.badRanges)
    #expect(damage == file.badRanges)
    if let first = file.badRanges.first?.first {
      options.recovery = .fail
      #expect(throws: LogError.corrupted(offset: first.lowerBound, reason: "")) {
        try MailboxReader(directory: path, options: options)
      }
    }
    #expect(place.contents("m.mailbox/00000001.segment") == (try GoldenBench.bytes(file.name)))
    #expect(try entries(MailboxReader(directory: path, options: file.options)) == file.entries)
  }

  @Test("Each of two keys reads its own segment of one mailbox, and needs to be told that there are others")
  func twoKeys() throws {
    try make([.firstOfTwoKeys, .secondOfTwoKeys])
    for file in [GoldenSegment.firstOfTwoKeys, .secondOfTwoKeys] {
      var options = try file.options
      #expect(throws: LogError.wrongKey) { try entries(MailboxReader(directory: path, options: options)) }
      options.keyMismatch = .ownSegment
      #expect(try entries(MailboxReader(directory: path, options: options)) == file.entries)
    }
  }

  @Test("Words of the segments") func words() throws {
    try make([.partly, .dropped])
    func word(_ name: String, _ number: Int) throws -> UInt64? {
      try SegmentInspection(path: path + "/0000000\(number).segment", key: nil).words().first { $0.name == name }?.value
    }
    #expect(try word("state", 1) == SegmentState.sealed.rawValue)
    let records = GoldenBench.contents(try GoldenBench.bytes(GoldenSegment.partly.name)).records
    #expect(try word("consumed end", 1) == UInt64(records[1].lowerBound))
    #expect(try word("dropped entries", 2) == 1)
  }
}
