import Testing

@testable import MailboxLog

/// The offsets fit each other: nothing overlaps, numbers are aligned, and the sums are the sizes.
@Suite struct LayoutTests {
  typealias Header = SegmentLayout.Header
  typealias Frame = SegmentLayout.Frame

  static let header: [(offset: Int, byteCount: Int, isNumber: Bool)] = [
    (Header.magic, 8, true), (Header.formatVersion, 2, true), (Header.fileKind, 1, true), (Header.suite, 1, true),
    (Header.blockByteCount, 4, true), (Header.mayReadFeatures, 8, true), (Header.mayWriteFeatures, 8, true),
    (Header.mustUnderstandFeatures, 8, true), (Header.identifier, 16, false), (Header.createdAt, 8, true), (Header.salt, 32, false),
    (Header.keyScheme, 4, true), (Header.reserved, 4, true), (Header.publicKey, 32, false), (Header.keyCheck, 32, false),
    (Header.keyCheckEnd, Header.checksum - Header.keyCheckEnd, false), (Header.checksum, 4, true),
  ]
  static let frame: [(offset: Int, byteCount: Int, isNumber: Bool)] = [
    (Frame.headerChecksum, 4, true), (Frame.totalByteCount, 4, true), (Frame.bodyChecksum, 4, true), (Frame.schemaVersion, 4, true),
    (Frame.sequence, 8, true), (Frame.kind, 1, true), (Frame.flags, 1, true), (Frame.valueType, 1, true), (Frame.reserved, 1, true),
    (Frame.idByteCount, 4, true), (Frame.valueByteCount, 4, true), (Frame.batchPosition, 4, true), (Frame.batchCount, 4, true),
    (Frame.reserved2, 4, true), (Frame.writerID, 32, false), (Frame.counter, 8, true), (Frame.appendedAt, 8, true),
    (Frame.expiresAt, 8, true), (Frame.reserved3, 8, true), (Frame.acknowledged, 8, true),
  ]

  @Test(arguments: [(header, SegmentLayout.blockByteCount), (frame, Frame.body)])
  func fieldsFollowEachOther(fields: [(offset: Int, byteCount: Int, isNumber: Bool)], end: Int) {
    var next = 0
    for field in fields {
      #expect(field.offset == next)
      if field.isNumber { #expect(field.offset % field.byteCount == 0) }
      next = field.offset + field.byteCount
    }
    #expect(next == end)
  }

  @Test func theMarkIsOutsideTheChecksum() {
    #expect(Frame.checkedEnd == Frame.acknowledged)
    #expect(Frame.acknowledged + 8 == Frame.body)
    #expect(Frame.body % SegmentLayout.alignment == 0)
    #expect(RecordFrame.totalByteCount(body: 0) == UInt64(Frame.body))
    for body in UInt64(1)...64 {
      let total = RecordFrame.totalByteCount(body: body)
      #expect(
        total % UInt64(SegmentLayout.alignment) == 0 && total >= UInt64(Frame.body) + body && total < UInt64(Frame.body) + body + 8)
    }
  }

  @Test func wordsAreAloneAndPublishTogether() {
    let words = SegmentLayout.Word.allCases
    #expect(words.map(\.rawValue) == (0..<UInt64(words.count)).map { $0 })
    #expect(Set(words.map(\.name)).count == words.count)
    for word in words {
      #expect(word.offset % SegmentLayout.Word.stride == 0)
      #expect(word.offset >= SegmentLayout.wordsStart && word.offset + SegmentLayout.Word.stride <= SegmentLayout.bellOffset)
    }
    // One pwrite publishes: the three words in the order of their stores, within one sector of 512 bytes.
    #expect(SegmentLayout.Word.lastAppendTime.offset < SegmentLayout.Word.lastSequence.offset)
    #expect(SegmentLayout.Word.lastSequence.offset < SegmentLayout.Word.committedEnd.offset)
    #expect((SegmentLayout.Word.committedEnd.offset + 7) / 512 == SegmentLayout.Word.lastAppendTime.offset / 512)
    #expect(SegmentLayout.bellOffset + 8 <= SegmentLayout.dataStart)
    #expect(!words.contains { $0.offset == SegmentLayout.bellOffset })
    #expect(words.allSatisfy { $0.rawValue != SegmentLayout.markIndex })
  }

  @Test func blocks() {
    #expect(SegmentLayout.blockByteCount == 4096)
    #expect(SegmentLayout.wordsStart == 4096 && SegmentLayout.dataStart == 8192)
    #expect(SegmentLayout.dataStart % UInt64(SegmentLayout.alignment) == 0)
    #expect(SegmentLayout.formatVersion == 1)
    var magic = SegmentLayout.magic.littleEndian
    #expect(withUnsafeBytesOf(&magic) == Array("ANTEROOM".utf8))
    #expect([SegmentState.active, .sealed, .superseding, .removed].map(\.rawValue) == [1, 2, 3, 4])
    #expect(LogContext.firstByteCount % UInt64(SegmentLayout.blockByteCount) == 0)
  }

  private func withUnsafeBytesOf(_ value: inout UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  @Test("Names are eight digits and nothing else")
  func names() {
    func number(_ name: String) -> UInt64? { SegmentNumber(name: Array(name.utf8).span)?.value }
    #expect(number("00000001.segment") == 1 && number("99999999.segment") == 99_999_999 && number("00000000.segment") == 0)
    for name in [
      "", "1.segment", "000000001.segment", "0000000a.segment", "00000001.segmen", "00000001.segment~", "00000001,segment",
      "-0000001.segment", "00000001.SEGMENT", ".tmp-0000000000000001",
    ] { #expect(number(name) == nil, "\(name)") }
    for value in [UInt64(0), 1, 42, 99_999_999] { #expect(number(SegmentNumber(value).name) == value) }
    #expect(SegmentNumber(7).next.value == 8 && SegmentNumber(7) < SegmentNumber(8))
  }
}
