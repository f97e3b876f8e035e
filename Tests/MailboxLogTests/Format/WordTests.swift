import TestSupport
import Testing

@testable import MailboxLog

/// 48 bits of value and 16 of check: a damaged word, one of another place or file, and zero never pass.
@Suite struct WordTests {
  private let coding = WordCoding(identifier: MailboxSegmentID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210))
  private let indices = SegmentLayout.Word.allCases.map(\.rawValue) + [SegmentLayout.markIndex]
  private var values: [UInt64] {
    var generator = SplitMix64(seed: 21)
    let edges: [UInt64] = [
      0, 1, 2, 4, 255, 256, 8192, 65_535, 65_536, 1 << 32, 1 << 47, WordCoding.valueMax - 1, WordCoding.valueMax,
    ]
    return edges + (0..<40).map { UInt64.random(in: 0...WordCoding.valueMax >> ($0 % 40), using: &generator) }
  }

  @Test func everyValueComesBack() {
    for index in indices {
      for value in values {
        #expect(coding.decode(coding.encode(value, index: index), index: index) == value)
        #expect(coding.encode(value | 0xABCD << 48, index: index) == coding.encode(value, index: index))
      }
    }
  }

  @Test func everyDamagedByteIsDetected() {
    for index in indices {
      for value in values {
        let word = coding.encode(value, index: index)
        for byte in 0..<8 {
          var undetected = 0
          for change in UInt64(1)...255 where coding.decode(word ^ change << (8 * byte), index: index) != nil { undetected += 1 }
          #expect(undetected == 0, "byte \(byte) of \(value)")
        }
      }
    }
  }

  @Test func zeroNeverPasses() {
    var generator = SplitMix64(seed: 22)
    for _ in 0..<2_000 {
      let coding = WordCoding(identifier: MailboxSegmentID(high: generator.next(), low: generator.next()))
      for index in indices { #expect(coding.decode(0, index: index) == nil) }
    }
  }

  @Test("A word of another place passes with 16 bits of chance only, and none of a small number does")
  func otherPlaces() {
    for index in indices {
      for other in indices where other != index {
        // The index is in the checked bits like a damaged byte is.
        for value in values { #expect(coding.decode(coding.encode(value, index: index), index: other) == nil) }
      }
    }
  }

  @Test("A word of another file passes with 16 bits of chance only")
  func otherFiles() {
    var generator = SplitMix64(seed: 23)
    var passed = 0
    let count = 60_000
    for _ in 0..<count {
      let other = WordCoding(identifier: MailboxSegmentID(high: generator.next(), low: generator.next()))
      if other.decode(coding.encode(generator.next() & WordCoding.valueMax, index: 2), index: 2) != nil { passed += 1 }
    }
    #expect(passed < 12)
  }
}
