import MailboxLog
import Testing

@testable import KVToolCommands

@Suite struct TextTests {
  @Test func everyByteSurvivesEscaping() {
    let all = (0...255).map { UInt8($0) }
    let samples: [[UInt8]] = [
      [], all, Array("plain".utf8), Array("ünï \u{1F469}\u{200D}\u{1F680}".utf8), Array("a\\x41\\".utf8), [0xC3], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], Array("\u{202E}\u{9B}31m\u{FEFF}\u{7F}".utf8),
    ]
    for bytes in samples {
      let text = Escape.escaped(bytes)
      #expect(Escape.unescaped(text) == bytes)
      #expect(text.unicodeScalars.allSatisfy { !UTF8Scalars.isHidden($0.value) })
    }
  }

  @Test func textStaysReadable() {
    #expect(Escape.escaped(Array("Grüße, \"x\"".utf8)) == "Grüße, \"x\"")
    #expect(Escape.escaped([0x61, 0x0A, 0x1B, 0x5C]) == "a\\n\\x1b\\\\")
  }

  @Test func badEscapesAreRefused() {
    for text in ["\\", "\\q", "\\x1", "\\xzz"] { #expect(Escape.unescaped(text) == nil) }
  }

  @Test func hexadecimalAndBase64ReadBack() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Hexadecimal.bytes(Array(Hexadecimal.text(bytes).utf8)) == bytes)
    #expect(Hexadecimal.bytes(Array("0G".utf8)) == nil)
    #expect(Hexadecimal.bytes(Array("0".utf8)) == nil)
    #expect(Base64.bytes(Array("AAECAw==".utf8)) == [0, 1, 2, 3])
    for text in ["A", "AA", "AAA", "AAECAx==", "A===", "====", "AA=A", "AA\n=", "AAEC Aw="] {
      #expect(Base64.bytes(Array(text.utf8)) == nil, "\(text)")
    }
    #expect(Base64.bytes([]) == [])
  }

  @Test func timestampsReadBack() throws {
    let text = "2026-01-31T09:30:00.250000Z"
    let timestamp = try #require(TimestampText.timestamp(text))
    #expect(TimestampText.text(timestamp) == text)
    #expect(TimestampText.timestamp("2001-01-01T00:00:00Z")?.secondsSinceReferenceDate == 0)
    #expect(TimestampText.text(LogTimestamp(secondsSinceReferenceDate: 0)) == "2001-01-01T00:00:00.000000Z")
    #expect(
      TimestampText.text(try #require(TimestampText.timestamp("2024-02-29T23:59:59.999999Z"))) == "2024-02-29T23:59:59.999999Z")
    #expect(TimestampText.text(try #require(TimestampText.timestamp("1969-12-31T23:59:59Z"))) == "1969-12-31T23:59:59.000000Z")
    for text in [
      "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00", "",
    ] {
      #expect(TimestampText.timestamp(text) == nil, "\(text)")
    }
  }

  /// Far from 2001 a number of seconds has no microseconds any more, and a moment of expiry still has.
  @Test func microsecondsReadBackExactly() {
    for number in [1, 1_796_075_991_803_200, 32_472_144_000_000_001, 253_402_300_799_999_999, 253_402_300_800_000_000, 1 << 60]
      as [Int64]
    {
      #expect(TimestampText.microseconds(TimestampText.text(microseconds: number)) == number)
    }
    #expect(TimestampText.text(microseconds: 253_402_300_800_000_000) == "253402300800000000us")
    for text in ["0us", "-1us", "us", "1970-01-01T00:00:00Z", "x"] { #expect(TimestampText.microseconds(text) == nil, "\(text)") }
  }

  @Test func noTimestampTraps() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e11, -1e11, .leastNonzeroMagnitude] {
      #expect(!TimestampText.text(LogTimestamp(secondsSinceReferenceDate: seconds)).isEmpty)
    }
  }
}
