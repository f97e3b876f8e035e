import Foundation
import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// A mailbox with a public key: who has that appends, and only who has the private one reads.
@Suite struct WriteOnlyTests {
  private let key: MailboxPrivateKey
  private let bench: APIBench
  private let helper: LogOptions
  private let main: LogOptions

  init() throws {
    key = try MailboxPrivateKey([UInt8](repeating: 9, count: 32))
    bench = try APIBench()
    helper = LogOptions(writeOnlyKey: key.publicKey)
    main = LogOptions(readKey: key)
  }

  private func writer(_ options: LogOptions) throws -> MailboxWriter {
    try MailboxWriter(directory: bench.directory, options: options)
  }
  private func reader(_ options: LogOptions) throws -> MailboxReader {
    try MailboxReader(directory: bench.directory, options: options)
  }

  @Test func helpersAppendAndTheMainProcessReads() throws {
    for open in 0..<40 {
      let writer = try writer(helper)
      try writer.append(id: "payload \(open)", payload: [UInt8(open), 1, 2])
      try writer.append(id: "fields \(open)") { $0.set("open", open) }
      try writer.appendBatch { batch in for item in 0..<3 { batch.append(id: "batch \(open) \(item)", payload: []) } }
      writer.close()
    }
    let reader = try reader(main)
    #expect(try reader.pendingCount == 200)
    var ids: [String] = []
    var positions: [MailboxPosition] = []
    try reader.forEachPending { entry in
      ids.append(entry.id)
      positions.append(entry.position)
      if entry.hasFields { expectTrue(try entry.int("open") == ids.count / 5) }
    }
    #expect(ids == (0..<40).flatMap { open in ["payload \(open)", "fields \(open)"] + (0..<3).map { "batch \(open) \($0)" } })
    try reader.acknowledge(positions)
    #expect(bench.segmentNames == [])
  }

  @Test("Writers in turn in one segment, more than ciphers are kept")
  func manyWritersInTurn() throws {
    let writers = try (0..<40).map { _ in try writer(helper) }
    for round in 0..<3 {
      for (index, writer) in writers.enumerated() { try writer.append(id: "\(round) \(index)", payload: [1]) }
    }
    #expect(bench.segmentNames.count == 1)
    #expect(try reader(main).ids() == (0..<3).flatMap { round in (0..<40).map { "\(round) \($0)" } })
  }

  @Test("A helper reads nothing: not what others appended, nor what it appended itself")
  func helpersReadNothing() throws {
    let writer = try writer(helper)
    try writer.append(id: "a", payload: [1])
    #expect(throws: LogError.keyRequired) { try writer.contains(id: "a") }
    #expect(throws: LogError.keyRequired) { try reader(helper) }
    #expect(try writer.pendingCount == 1)
    #expect(try writer.backlog().entryCount == 1)
    // What its open agreed on is for its own records: another open of the same helper has no subkey of them.
    let one = try WriterAgreement(with: key.publicKey)
    let other = try WriterAgreement(with: key.publicKey)
    #expect(one.writer != other.writer)
    let header = ByteBuffer(count: SegmentLayout.blockByteCount)
    #expect(SegmentKeys(.writeOnly(one), header: header).cipher(ofReader: other.writer) == nil)
    #expect(SegmentKeys(.writeOnly(one), header: header).cipher(ofReader: one.writer) != nil)
    // A forged writer's id of low order agrees on nothing, instead of on what everybody knows.
    #expect(SegmentKeys(.pair(key, nil), header: header).cipher(ofReader: WriterID(0, 0)) == nil)
  }

  @Test func otherKeys() throws {
    try writer(helper).append(id: "a", payload: [1])
    let before = try bench.state()
    let otherPair = MailboxPrivateKey.random()
    #expect(throws: LogError.wrongKey) { try reader(LogOptions(readKey: otherPair)) }
    #expect(throws: LogError.wrongKey) { try writer(LogOptions(writeOnlyKey: otherPair.publicKey)) }
    #expect(throws: LogError.wrongKey) { try writer(LogOptions(key: .random())) }
    #expect(throws: LogError.keyRequired) { try writer(LogOptions()) }
    #expect(throws: LogError.keyRequired) { try reader(LogOptions()) }
    #expect(try bench.state() == before)
    let sealed = try APIBench(isEncrypted: true)
    try sealed.writer().append(id: "a", payload: [1])
    #expect(throws: LogError.wrongKey) { try MailboxWriter(directory: sealed.directory, options: helper) }
    let plain = try APIBench()
    try plain.writer().append(id: "a", payload: [1])
    #expect(throws: LogError.keyNotExpected) { try MailboxWriter(directory: plain.directory, options: helper) }
    #expect(throws: LogError.keyNotExpected) { try MailboxReader(directory: plain.directory, options: main) }
  }

  @Test func oneKeyAtATime() throws {
    var both = helper
    both.key = .random()
    #expect(throws: LogError.keyNotExpected) { try writer(both) }
    both = main
    both.writeOnlyKey = key.publicKey
    #expect(throws: LogError.keyNotExpected) { try reader(both) }
    for options in [helper, main] {
      #expect(throws: LogError.keyNotExpected) { try KeyValueLog(path: bench.place.path(of: "s.kvlog"), options: options) }
    }
    #expect(bench.place.names == [])
  }

  @Test func keyLengths() throws {
    for count in [0, 31, 33, 64] {
      #expect(throws: LogError.invalidKeyLength(actual: count)) { try MailboxPublicKey([UInt8](repeating: 1, count: count)) }
      #expect(throws: LogError.invalidKeyLength(actual: count)) { try MailboxPrivateKey([UInt8](repeating: 1, count: count)) }
    }
    let stored = try key.withBytes { span in span.indices.map { span[$0] } }
    #expect(try MailboxPrivateKey(stored).publicKey == key.publicKey)
  }

  @Test("A public key that is nobody's is refused before anything is made")
  func lowOrder() throws {
    let nobody = try MailboxPublicKey([UInt8](repeating: 0, count: 32))
    #expect(throws: LogError.wrongKey) { try writer(LogOptions(writeOnlyKey: nobody)) }
    #expect(bench.segmentNames == [])
  }

  @Test("Who has the private key appends too, and finds it again")
  func thePairAppends() throws {
    try writer(helper).append(id: "a", payload: [1])
    let writer = try writer(main)
    try writer.append(id: "b", payload: [2])
    #expect(try writer.contains(id: "a") && writer.contains(id: "b"))
    #expect(try reader(main).ids() == ["a", "b"])
  }

  @Test("Helpers with different keys share a mailbox, each with segments of its own")
  func ownSegments() throws {
    var options = helper
    options.keyMismatch = .ownSegment
    var sealed = LogOptions(key: .random())
    sealed.keyMismatch = .ownSegment
    try writer(options).append(id: "a", payload: [])
    try writer(sealed).append(id: "b", payload: [])
    #expect(bench.segmentNames.count == 2)
    options = main
    options.keyMismatch = .ownSegment
    #expect(try reader(options).ids() == ["a"])
    #expect(try reader(sealed).ids() == ["b"])
  }

  @Test(
    "Altered bytes of a record or of its writer's id open nothing and end in no trap",
    arguments: [SegmentLayout.Frame.writerID, SegmentLayout.Frame.writerID + 31, SegmentLayout.Frame.body])
  func altered(offsetInFrame: Int) throws {
    try writer(helper).append(id: "a", payload: [1, 2, 3])
    let name = "m.mailbox/" + bench.segmentNames[0]
    let original = try #require(bench.place.contents(name))
    for bit in [0, 3, 7] as [UInt8] {
      var bytes = original
      bytes[Int(SegmentLayout.dataStart) + offsetInFrame] ^= 1 << bit
      bench.place.write(bytes, to: name)
      #expect(try reader(main).ids() == [])
    }
  }

  @Test("A header with somebody else's public key, and a checksum that fits, is a wrong key to both sides")
  func anotherPublicKey() throws {
    try writer(helper).append(id: "a", payload: [1])
    let name = "m.mailbox/" + bench.segmentNames[0]
    var bytes = try #require(bench.place.contents(name))
    let block = ByteBuffer(count: SegmentLayout.blockByteCount)
    block.copy(Array(bytes[..<SegmentLayout.blockByteCount]).span, at: 0)
    let other = MailboxPrivateKey.random().publicKey.bytes
    block.copy(other.span, at: SegmentLayout.Header.publicKey)
    block.store(Checksum.crc32(block, 0..<SegmentLayout.Header.checksum), at: SegmentLayout.Header.checksum)
    bytes.replaceSubrange(..<SegmentLayout.blockByteCount, with: block.bytes(0..<SegmentLayout.blockByteCount))
    bench.place.write(bytes, to: name)
    #expect(throws: LogError.wrongKey) { try reader(main) }
    #expect(throws: LogError.wrongKey) { try writer(helper) }
  }
}
