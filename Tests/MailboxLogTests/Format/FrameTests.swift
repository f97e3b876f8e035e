import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// A frame counts where it was written, in the file that it was written to, and nowhere else.
@Suite struct FrameTests {
  typealias Layout = SegmentLayout.Frame
  private let coding = FrameChecksum(identifier: MailboxSegmentID(high: 1, low: 2))

  /// A good frame of 64 bytes of value.
  private func frame(offset: UInt64, sequence: UInt64 = 5, _ change: (ByteBuffer) -> Void = { _ in }) throws -> ByteBuffer {
    let builder = FrameBuilder(isSealed: false)
    try builder.add(id: "id", value: [UInt8](repeating: 6, count: 64).span, valueType: 0, schemaVersion: 3, byteCountMax: 1000)
    let frame = ByteBuffer(count: builder.byteCount)
    frame.copy(from: builder.buffer, 0..<builder.byteCount, at: 0)
    frame.store(sequence, at: Layout.sequence)
    frame.store(UInt32(1), at: Layout.batchCount)
    change(frame)
    frame.store(coding.bodyChecksum(frame, at: 0, totalByteCount: frame.count), at: Layout.bodyChecksum)
    frame.store(coding.headerChecksum(frame, at: 0, fileOffset: offset), at: Layout.headerChecksum)
    return frame
  }
  private func parse(
    _ frame: ByteBuffer, at start: Int = 0, offset: UInt64, max: UInt64 = 1 << 20, isSealed: Bool = false,
    _ other: FrameChecksum? = nil
  ) -> RecordFrame? {
    RecordFrame(frame, at: start, fileOffset: offset, byteCountMax: max, isSealed: isSealed, coding: other ?? coding)
  }

  @Test func roundTrip() throws {
    let frame = try frame(offset: 8192)
    let parsed = try #require(parse(frame, offset: 8192))
    #expect(parsed.totalByteCount == frame.count && parsed.idByteCount == 2 && parsed.valueByteCount == 64)
    #expect(parsed.sequence == 5 && parsed.schemaVersion == 3 && parsed.batchCount == 1 && parsed.batchPosition == 0)
    #expect(parsed.bodyChecksum == coding.bodyChecksum(frame, at: 0, totalByteCount: frame.count))
    #expect(parse(frame, offset: 8192, max: UInt64(frame.count)) != nil)
    #expect(parse(frame, offset: 8192, max: UInt64(frame.count) - 8) == nil)
    #expect(parse(frame, offset: 8192, isSealed: true) == nil)
  }

  @Test func everyFlippedBitOfTheHeaderIsDetected() throws {
    let frame = try frame(offset: 8192)
    for offset in 0..<Layout.checkedEnd {
      // The body's checksum is in the header, and covered by it.
      let byte = frame.load(UInt8.self, at: offset)
      for bit in 0..<8 {
        frame.store(byte ^ 1 << UInt8(bit), at: offset)
        #expect(parse(frame, offset: 8192) == nil, "byte \(offset)")
      }
      frame.store(byte, at: offset)
    }
    // The mark belongs to no checksum.
    for offset in Layout.acknowledged..<Layout.body {
      frame.store(UInt8(0xFF), at: offset)
      #expect(parse(frame, offset: 8192) != nil)
    }
  }

  @Test func everyFlippedBitOfTheBodyIsDetected() throws {
    let frame = try frame(offset: 8192)
    let parsed = try #require(parse(frame, offset: 8192))
    for offset in Layout.body..<frame.count {
      let byte = frame.load(UInt8.self, at: offset)
      for bit in 0..<8 {
        frame.store(byte ^ 1 << UInt8(bit), at: offset)
        #expect(coding.bodyChecksum(frame, at: 0, totalByteCount: frame.count) != parsed.bodyChecksum)
      }
      frame.store(byte, at: offset)
    }
  }

  @Test func neitherAnotherPlaceNorAnotherFilePasses() throws {
    let frame = try frame(offset: 8192)
    for offset in stride(from: UInt64(0), through: isLongRun ? 1 << 23 : 1 << 19, by: 8) where offset != 8192 {
      if parse(frame, offset: offset) != nil { Issue.record("passes at \(offset)") }
    }
    var generator = SplitMix64(seed: 31)
    for _ in 0..<2_000 {
      let other = FrameChecksum(identifier: MailboxSegmentID(high: generator.next(), low: generator.next()))
      #expect(parse(frame, offset: 8192, other) == nil)
    }
    for other in [(1, 3), (3, 2), (2, 1), (0, 0)] {
      let identifier = MailboxSegmentID(high: UInt64(other.0), low: UInt64(other.1))
      #expect(parse(frame, offset: 8192, FrameChecksum(identifier: identifier)) == nil)
    }
  }

  @Test func zerosAreNoFrame() {
    let zeros = ByteBuffer(count: 4096)
    for offset in stride(from: UInt64(0), to: 1 << 18, by: 8) {
      if parse(zeros, offset: offset) != nil { Issue.record("zeros pass at \(offset)") }
    }
  }

  @Test("Lengths of all extremes, under a checksum that fits")
  func extremeLengths() throws {
    let extremes: [UInt32] = [0, 1, 7, 8, 119, 120, 121, 127, 128, 200, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF8, 0xFFFF_FFFF]
    for field in [Layout.totalByteCount, Layout.idByteCount, Layout.valueByteCount] {
      for value in extremes {
        let changed = try frame(offset: 8192) { _ in }
        if changed.load(UInt32.self, at: field) == value { continue }
        changed.store(value, at: field)
        changed.store(coding.headerChecksum(changed, at: 0, fileOffset: 8192), at: Layout.headerChecksum)
        // A length that the padding hides is told by nothing else than the checksum, which this test has made fit.
        let body =
          UInt64(changed.load(UInt32.self, at: Layout.idByteCount)) + UInt64(changed.load(UInt32.self, at: Layout.valueByteCount))
        for isSealed in [false, true] {
          let total = RecordFrame.totalByteCount(body: body + (isSealed ? 16 : 0))
          let fits = total == UInt64(changed.load(UInt32.self, at: Layout.totalByteCount))
          #expect((parse(changed, offset: 8192, max: .max, isSealed: isSealed) != nil) == fits)
        }
      }
    }
    // Sums that agree and don't fit the file.
    let huge = try frame(offset: 8192)
    huge.store(UInt32.max - 135, at: Layout.valueByteCount)
    huge.store(UInt32(truncatingIfNeeded: RecordFrame.totalByteCount(body: UInt64(UInt32.max - 133))), at: Layout.totalByteCount)
    huge.store(coding.headerChecksum(huge, at: 0, fileOffset: 8192), at: Layout.headerChecksum)
    #expect(parse(huge, offset: 8192, max: 1 << 20) == nil)
  }

  @Test("Numbers that no writer writes, under a checksum that fits")
  func impossibleNumbers() throws {
    let changes: [(ByteBuffer) -> Void] = [
      { $0.store(UInt64(0), at: Layout.sequence) }, { $0.store(UInt64.max, at: Layout.sequence) },
      { $0.store(UInt64(1) << 48, at: Layout.sequence) }, { $0.store(UInt8(0), at: Layout.kind) },
      { $0.store(UInt8(2), at: Layout.kind) },
      { $0.store(UInt8(8), at: Layout.valueType) }, { $0.store(UInt32(0), at: Layout.batchCount) },
      { $0.store(UInt32(1), at: Layout.batchPosition) }, { $0.store(UInt32.max, at: Layout.batchPosition) },
      { $0.store(Int64.min, at: Layout.appendedAt) }, { $0.store(Int64(-64), at: Layout.appendedAt) },
      { $0.store(Int64.max, at: Layout.appendedAt) },
    ]
    for change in changes { #expect(parse(try frame(offset: 8192, change), offset: 8192) == nil) }
    #expect(parse(try frame(offset: 8192) { $0.store(UInt64(1) << 48 - 1, at: Layout.sequence) }, offset: 8192) != nil)
  }

  @Test("The bytes of a frame inside a value never pass, wherever in the file they land", arguments: [false, true])
  func framesInsideValues(isEncrypted: Bool) throws {
    var copies = 0
    let bench = try SegmentBench(isEncrypted: isEncrypted) { writer in
      for i in 1...4 { try writer.append(id: "e\(i)", payload: [UInt8](repeating: UInt8(i), count: 50 + 8 * i)) }
      let path = writer.directory + "/00000001.segment"
      let inspection = try SegmentInspection(path: path, key: nil)
      let bytes = try inspection.read(SegmentLayout.dataStart..<SegmentLayout.dataStart + 900)
      for shift in 0..<8 {
        try writer.append(id: "copy\(shift)", payload: [UInt8](repeating: 0, count: shift) + bytes)
        copies += 1
      }
    }
    #expect(bench.known.count == 4 + copies)
    // Also when the header of the record around them is gone, and a search goes through the value.
    for sequence in UInt64(5)...12 {
      var bytes = bench.original
      bytes[try #require(bench.frames[sequence]).lowerBound + 4] ^= 0x20
      try bench.put(bytes)
      bench.expect(try bench.read(), lost: [sequence], "copy \(sequence)")
    }
  }
}
