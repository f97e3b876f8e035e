import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// What a newer build may have put into a mailbox: refused, or read and never appended to.
@Suite struct FeatureTests {
  typealias Layout = SegmentLayout.Header

  /// The bench's bytes with eight bytes of the header changed, and a checksum, and key check, that fit.
  private func altered(_ bench: SegmentBench, _ value: UInt64, at offset: Int, byteCount: Int = 8) -> [UInt8] {
    let block = ByteBuffer(count: SegmentLayout.blockByteCount)
    block.copy(Array(bench.original[..<SegmentLayout.blockByteCount]).span, at: 0)
    for i in 0..<byteCount { block.store(UInt8(truncatingIfNeeded: value >> UInt64(8 * i)), at: offset + i) }
    if let key = bench.key { block.copy(SegmentKeys(.one(key), header: block).keyCheck(of: block).span, at: Layout.keyCheck) }
    block.store(Checksum.crc32(block, 0..<Layout.checksum), at: Layout.checksum)
    return block.bytes(0..<SegmentLayout.blockByteCount) + bench.original[SegmentLayout.blockByteCount...]
  }

  @Test(arguments: [false, true]) func newerVersionsAreRefusedUnchanged(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    for bytes in [
      altered(bench, 2, at: Layout.formatVersion, byteCount: 2), altered(bench, 1 << 63, at: Layout.mustUnderstandFeatures),
    ] {
      try bench.put(bytes)
      let before = bench.bytes
      let found: UInt16 = bytes[Layout.formatVersion] == 2 ? 2 : 1
      let expected = LogError.unsupportedVersion(found: found, newest: 1)
      #expect(throws: expected) { try bench.read() }
      #expect(throws: expected) { try SegmentInspection(path: bench.segmentPath, key: bench.key) }
      #expect(bench.bytes == before)
      // A helper isn't held up: it appends to a segment of its own.
      let writer = try bench.writer()
      let position = try writer.append(id: "mine", payload: [])
      #expect(position.segment != bench.segmentID)
      #expect(bench.bytes == before)
    }
  }

  @Test(arguments: [false, true]) func mayReadIsReadAndNeverAppendedTo(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    try bench.put(altered(bench, 4, at: Layout.mayReadFeatures))
    bench.expect(try bench.read(), lost: [], "may read")
    let before = bench.bytes
    let writer = try bench.writer()
    #expect(try writer.append(id: "mine", payload: []).segment != bench.segmentID)
    #expect(bench.bytes == before)
    #expect(try writer.pendingCount > bench.pending.count)
  }

  @Test(arguments: [false, true]) func mayWriteIsAppendedTo(isEncrypted: Bool) throws {
    let bench = try variedBench(isEncrypted: isEncrypted)
    try bench.put(altered(bench, 4, at: Layout.mayWriteFeatures))
    bench.expect(try bench.read(), lost: [], "may write")
    #expect(try bench.writer().append(id: "mine", payload: []).segment == bench.segmentID)
  }

  @Test func aKeyValueLogIsNoSegment() throws {
    let bench = try variedBench(isEncrypted: false)
    try bench.put(altered(bench, 2, at: Layout.fileKind, byteCount: 1))
    let outcome = try bench.read()
    #expect(outcome.delivered.isEmpty && outcome.damage.count == 1)
    #expect(throws: LogError.notALog(path: "")) { try SegmentInspection(path: bench.segmentPath, key: nil) }
  }
}
