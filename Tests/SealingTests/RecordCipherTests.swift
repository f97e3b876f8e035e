import RawMemory
import Synchronization
import Testing

@testable import Sealing

/// 24 bytes of associated data, then the text, then the tag: a record of 200 bytes unless told otherwise.
struct SealedRecord {
  let cipher = RecordCipher(subkey: .random(count: 32))
  let buffer: ByteBuffer
  let data = 0..<24
  let text: Range<Int>
  var tagOffset: Int { text.upperBound }
  let plaintext: [UInt8]

  init(textCount: Int = 200, counter: UInt64 = 1, observer: NonceObserver? = nil) {
    text = 24..<24 + textCount
    plaintext = (0..<textCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    buffer = ByteBuffer(count: text.upperBound + 16)
    buffer.copy(plaintext.span, at: text.lowerBound)
    cipher.seal(buffer, text, tagAt: tagOffset, associatedData: buffer, data, counter: counter, observer: observer)
  }

  func open(with other: RecordCipher? = nil, counter: UInt64 = 1) -> Bool {
    (other ?? cipher).open(buffer, text, tagAt: tagOffset, associatedData: buffer, data, counter: counter)
  }

  var all: [UInt8] { buffer.bytes(0..<buffer.count) }
}

final class RecordingObserver: NonceObserver, @unchecked Sendable {
  let seen = Mutex<[(UInt64, UInt64)]>([])
  override func willSeal(subkeyFingerprint: UInt64, counter: UInt64) {
    seen.withLock { $0.append((subkeyFingerprint, counter)) }
  }
}

@Suite struct RecordCipherTests {
  @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 65, 200, 4096, 100_000])
  func roundTrip(_ count: Int) {
    let record = SealedRecord(textCount: count)
    if count >= 15 { #expect(record.buffer.bytes(record.text) != record.plaintext) }
    #expect(record.open())
    #expect(record.buffer.bytes(record.text) == record.plaintext)
  }

  @Test("The beginning of a text is deciphered into another buffer, and the record stays as it is", arguments: [0, 1, 64, 65, 200])
  func revealing(_ count: Int) {
    let record = SealedRecord(textCount: 200)
    let before = record.all
    let target = ByteBuffer(count: 256)
    let range = record.text.lowerBound..<record.text.lowerBound + count
    #expect(record.cipher.reveal(record.buffer, range, counter: 1, to: target))
    #expect(target.bytes(0..<count) == Array(record.plaintext[..<count]))
    #expect(target.bytes(count..<256) == [UInt8](repeating: 0, count: 256 - count))
    #expect(record.all == before)
  }

  @Test func emptyTextWithoutAssociatedDataIsAuthenticated() {
    let cipher = RecordCipher(subkey: .random(count: 32))
    let buffer = ByteBuffer(count: 16)
    cipher.seal(buffer, 0..<0, tagAt: 0, associatedData: buffer, 16..<16, counter: 9)
    #expect(buffer.bytes(0..<16) != [UInt8](repeating: 0, count: 16))
    #expect(cipher.open(buffer, 0..<0, tagAt: 0, associatedData: buffer, 16..<16, counter: 9))
    buffer.store(~buffer.load(UInt8.self, at: 3), at: 3)
    #expect(!cipher.open(buffer, 0..<0, tagAt: 0, associatedData: buffer, 16..<16, counter: 9))
  }

  @Test func anyByteFlippedIsRefusedAndNothingChanges() {
    let record = SealedRecord()
    for offset in 0..<record.buffer.count {
      let original = record.buffer.load(UInt8.self, at: offset)
      for bit in [UInt8(0x01), 0x80] {
        record.buffer.store(original ^ bit, at: offset)
        let before = record.all
        #expect(!record.open())
        #expect(record.all == before)
      }
      record.buffer.store(original, at: offset)
    }
    #expect(record.open())
    #expect(record.buffer.bytes(record.text) == record.plaintext)
  }

  @Test func anotherCounterOrKeyIsRefusedAndNothingChanges() {
    let record = SealedRecord()
    let before = record.all
    for counter: UInt64 in [0, 2, 1 << 32, 1 << 56, .max] { #expect(!record.open(counter: counter)) }
    #expect(!record.open(with: RecordCipher(subkey: .random(count: 32))))
    #expect(record.all == before)
    #expect(record.open())
  }

  @Test func highCountersGiveDistinctTexts() {
    let cipher = RecordCipher(subkey: .random(count: 32))
    let buffer = ByteBuffer(count: 80)
    let counters: [UInt64] = [0, 1, 0xffff_ffff, 1 << 32, 1 << 32 + 1, .max]
    let texts = counters.map { counter in
      buffer.zero(0..<80)
      cipher.seal(buffer, 0..<64, tagAt: 64, associatedData: buffer, 80..<80, counter: counter)
      return buffer.bytes(0..<64)
    }
    #expect(Set(texts).count == counters.count)
  }

  @Test func associatedDataMayLieElsewhere() {
    let cipher = RecordCipher(subkey: .random(count: 32))
    let buffer = ByteBuffer(count: 48)
    let frame = ByteBuffer(count: 32)
    cipher.seal(buffer, 16..<48, tagAt: 0, associatedData: frame, 8..<24, counter: 5)
    #expect(!cipher.open(buffer, 16..<48, tagAt: 0, associatedData: frame, 8..<25, counter: 5))
    #expect(cipher.open(buffer, 16..<48, tagAt: 0, associatedData: frame, 8..<24, counter: 5))
  }

  @Test func observerHearsEveryNonceOnce() {
    let observer = RecordingObserver()
    let subkey = SecretBytes(copying: [UInt8](repeating: 0x5a, count: 32).span)
    let cipher = RecordCipher(subkey: subkey)
    let buffer = ByteBuffer(count: 32)
    for counter: UInt64 in [7, 8, .max] {
      cipher.seal(buffer, 0..<16, tagAt: 16, associatedData: buffer, 0..<0, counter: counter, observer: observer)
    }
    _ = cipher.open(buffer, 0..<16, tagAt: 16, associatedData: buffer, 0..<0, counter: 9)
    let seen = observer.seen.withLock { $0 }
    #expect(seen.map(\.1) == [7, 8, .max])
    #expect(Set(seen.map(\.0)) == [Self.fingerprint(of: subkey)])

    let another = RecordingObserver()
    _ = SealedRecord(observer: another)
    #expect(another.seen.withLock { $0 }.map(\.0) != [Self.fingerprint(of: subkey)])
  }

  private static func fingerprint(of subkey: SecretBytes) -> UInt64 {
    let digest = subkey.withBytes { Digest.sha256($0) }
    return digest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
