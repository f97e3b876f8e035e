import TestSupport
import Testing

@testable import MailboxLog

/// Fields in a value, whatever the value's bytes are.
@Suite struct FieldCodingTests {
  @Test func anExampleByteForByte() {
    var fields = MailboxFields()
    fields.set("n", 258)
    fields.set("t", "é")
    #expect(
      fields.encodedValue == [
        1, 0, 2, 0, 8, 0, 0, 0, 0x6E, 2, 1, 0, 0, 0, 0, 0, 0,
        1, 0, 1, 0, 2, 0, 0, 0, 0x74, 0xC3, 0xA9,
      ])
  }

  @Test func randomBytesNeverTrapAndNeverReachOutside() {
    var generator = SplitMix64(seed: 41)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &generator)
      let isSmall = Bool.random(using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...(isSmall ? 7 : 255), using: &generator) }
      var offset = 0
      while let field = FieldCoding.field(in: bytes.span, at: offset) {
        #expect(field.name.lowerBound == offset + 8 && field.value.lowerBound == field.name.upperBound)
        #expect(field.value.upperBound <= count && field.value.upperBound > offset)
        offset = field.value.upperBound
      }
      var fields = MailboxFields(encodedValue: bytes)
      fields.rename("a", to: "b")
      fields.remove("b")
    }
  }

  @Test func extremesOfLength() {
    func bytes(name: UInt16, type: UInt8, zero: UInt8, value: UInt32) -> [UInt8] {
      var bytes: [UInt8] = [UInt8(truncatingIfNeeded: name), UInt8(name >> 8), type, zero]
      for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * shift))) }
      return bytes + [0x61, 0x62]
    }
    #expect(FieldCoding.field(in: bytes(name: 1, type: 0, zero: 0, value: 1).span, at: 0) != nil)
    for (name, value) in [(UInt16(1), UInt32(2)), (3, 0), (.max, 0), (0, .max), (.max, .max), (1, 0x7FFF_FFFF), (1, 0x8000_0000)] {
      #expect(FieldCoding.field(in: bytes(name: name, type: 0, zero: 0, value: value).span, at: 0) == nil)
    }
    #expect(FieldCoding.field(in: bytes(name: 1, type: 7, zero: 0, value: 1).span, at: 0) == nil)
    #expect(FieldCoding.field(in: bytes(name: 1, type: 0, zero: 1, value: 1).span, at: 0) == nil)
    for count in 0..<8 { #expect(FieldCoding.field(in: [UInt8](repeating: 0, count: count).span, at: 0) == nil) }
  }
}
