import RawMemory
import TestSupport
import Testing

@testable import StorageIO

@Suite struct ChecksumTests {
  private func buffer(_ bytes: [UInt8]) -> ByteBuffer {
    let buffer = ByteBuffer(count: max(1, bytes.count))
    buffer.copy(bytes.span, at: 0)
    return buffer
  }
  private func crc(_ text: String) -> UInt32 {
    Checksum.crc32(buffer(Array(text.utf8)), 0..<text.utf8.count)
  }

  @Test func vectors() {
    #expect(crc("") == 0)
    #expect(crc("a") == 0xE8B7_BE43)
    #expect(crc("123456789") == 0xCBF4_3926)
    #expect(crc("The quick brown fox jumps over the lazy dog") == 0x414F_A339)
    #expect(Checksum.crc32(ByteBuffer(count: 32), 0..<32) == 0x190A_55AD)
  }

  @Test func seedsContinue() {
    let bytes = buffer(Array("123456789".utf8))
    for cut in 0...9 {
      #expect(Checksum.crc32(bytes, cut..<9, seed: Checksum.crc32(bytes, 0..<cut)) == 0xCBF4_3926)
    }
    let number = ByteBuffer(count: 8)
    number.store(UInt64(0x0123_4567_89AB_CDEF), at: 0)
    #expect(Checksum.crc32(of: 0x0123_4567_89AB_CDEF) == Checksum.crc32(number, 0..<8))
    #expect(Checksum.crc32(of: 7, seed: 1) != Checksum.crc32(of: 7, seed: 2))
  }

  /// Long ranges go another way than short ones; both, and any mixture of them, are the definition.
  @Test func longRanges() {
    var random = SplitMix64(seed: 32)
    let bytes = buffer((0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) })
    for round in 0..<300 {
      let start = Int.random(in: 0..<200, using: &random)
      let count = round < 100 ? round : Int.random(in: 0..<4800, using: &random)
      let seed = UInt32.random(in: 0...UInt32.max, using: &random)
      var register = ~seed
      for index in start..<start + count {
        register ^= UInt32(bytes.load(UInt8.self, at: index))
        for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 1 ? 0xEDB8_8320 : 0) }
      }
      #expect(Checksum.crc32(bytes, start..<start + count, seed: seed) == ~register)
    }
  }

  @Test func identities() throws {
    func identity(_ device: UInt64, _ inode: UInt64) -> UInt64 {
      Identity.file(FileStatus(kind: .file, device: device, inode: inode, byteCount: 0, linkCount: 1, mode: 0))
    }
    var seen: Set<UInt64> = []
    for device in UInt64(0)..<10 { for inode in UInt64(0)..<100 { seen.insert(identity(device, inode)) } }
    #expect(seen.count == 1000)
    #expect(seen.allSatisfy { $0 != 0 && $0 >> 48 == 0 })

    let place = TemporaryDirectory()
    place.write([1], to: "a")
    place.write([1], to: "b")
    func live(_ name: String) throws -> UInt64 {
      Identity.file(try StorageFile(.live, path: place.path(of: name), flags: 0).status())
    }
    #expect(try live("a") != live("b"))
    #expect(try live("a") == live("a"))
  }

  @Test func hexadecimalHasSixteenDigits() {
    #expect(hexadecimal(0) == "0000000000000000")
    #expect(hexadecimal(0xFEDC_BA98_7654_3210) == "fedcba9876543210")
    #expect(hexadecimal(.max) == "ffffffffffffffff")
  }
}
