import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// Small value types: timestamps and positions.
@Suite struct ValueTests {
  @Test func timestampExtremes() {
    let cases: [(Double, Int64)] = [
      (0, 978_307_200_000), (-978_307_200, 0), (.nan, 0), (.infinity, .max), (-.infinity, .min), (.greatestFiniteMagnitude, .max),
      (-.greatestFiniteMagnitude, .min), (-978_307_200.0005, -1), (1e300, .max), (.leastNonzeroMagnitude, 978_307_200_000),
    ]
    for (seconds, milliseconds) in cases {
      #expect(LogTimestamp(secondsSinceReferenceDate: seconds).millisecondsSince1970 == milliseconds, "\(seconds)")
    }
    for milliseconds in [Int64(0), 1, -1, 999, 1_750_000_000_123, -62_135_596_800_000] {
      let back = LogTimestamp(millisecondsSince1970: milliseconds).millisecondsSince1970
      #expect(back == milliseconds || back == milliseconds - 1)
    }
    _ = (LogTimestamp(millisecondsSince1970: .min), LogTimestamp(millisecondsSince1970: .max))
    #expect(LogTimestamp(secondsSinceReferenceDate: 1) < LogTimestamp(secondsSinceReferenceDate: 2))
    #expect(LogTimestamp.now > LogTimestamp(millisecondsSince1970: 1_700_000_000_000))
    #expect(Set([LogTimestamp(secondsSinceReferenceDate: 1), LogTimestamp(secondsSinceReferenceDate: 1)]).count == 1)
  }

  @Test func everyValueIsEncodedAsLongAsItSays() {
    func check(_ value: some LogValue, _ count: Int) {
      var bytes: [UInt8] = []
      bytes.append(addingCapacity: 1 << 10) { value.appendLogBytes(to: &$0) }
      #expect(bytes.count == count && value.logByteCount == count)
    }
    check("é", 2)
    check([1, 2, 3] as [UInt8], 3)
    check(1, 8)
    check(Int64(1), 8)
    check(UInt64(1), 8)
    check(1.0, 8)
    check(true, 1)
    check(LogTimestamp.now, 8)
    for count in [0, 1, 7, 9] {
      let bytes = [UInt8](repeating: 2, count: count)
      #expect(Int(logBytes: bytes.span) == nil && UInt64(logBytes: bytes.span) == nil && Double(logBytes: bytes.span) == nil)
      #expect(Bool(logBytes: bytes.span) == nil && LogTimestamp(logBytes: bytes.span) == nil)
      #expect([UInt8](logBytes: bytes.span) == bytes)
    }
    #expect(String(logBytes: ([0xFF, 0x41] as [UInt8]).span) == "\u{FFFD}A")
  }

  @Test func positionsSortAsTheirBytes() {
    var generator = SplitMix64(seed: 61)
    let edges: [UInt64] = [0, 1, 255, 256, 1 << 32, 1 << 63, .max]
    func word() -> UInt64 { Bool.random(using: &generator) ? edges.randomElement(using: &generator)! : generator.next() }
    let positions = (0..<300).map { _ in MailboxPosition(segment: MailboxSegmentID(high: word(), low: word()), sequence: word()) }
    let byNumber = positions.sorted {
      ($0.segment.high, $0.segment.low, $0.sequence) < ($1.segment.high, $1.segment.low, $1.sequence)
    }
    let byBytes = positions.sorted { $0.sortableBytes.lexicographicallyPrecedes($1.sortableBytes) }
    #expect(byNumber == byBytes)
    #expect(positions.allSatisfy { $0.sortableBytes.count == 24 })
    #expect(Set(positions.map(\.sortableBytes)).count == Set(positions).count)
  }
}
