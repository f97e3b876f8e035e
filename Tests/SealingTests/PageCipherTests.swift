import RawMemory
import Synchronization
import Testing

@testable import Sealing

/// A sealed page of 4,096 bytes at 64 of its buffer, with what is needed to open it.
struct SealedPageBench {
  static let salt = [UInt8](0..<16)
  static let fileID = [UInt8](100..<116)
  let key: SecretBytes
  let cipher: PageCipher
  let sealer: PageSealer
  let buffer: ByteBuffer
  let byteCount: Int
  let start = 64
  let plaintext: [UInt8]

  init(byteCount: Int = 4096, keyByteCount: Int = 32, observer: NonceObserver? = nil) {
    self.byteCount = byteCount
    key = SecretBytes(copying: [UInt8](repeating: 9, count: keyByteCount).span)
    cipher = PageCipher(key: key, salt: Self.salt, fileID: Self.fileID, observer: observer)
    sealer = cipher.makeSealer()
    plaintext = (0..<byteCount - 48).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    buffer = ByteBuffer(count: start + byteCount + 64)
    fill()
    sealer.seal(buffer, at: start, byteCount: byteCount, page: 77, birth: 5)
  }

  func fill() { buffer.copy(plaintext.span, at: start + 48) }
  var text: [UInt8] { buffer.bytes(start + 48..<start + byteCount) }
  var all: [UInt8] { buffer.bytes(0..<buffer.count) }

  func open(_ other: PageCipher? = nil, byteCount: Int? = nil, page: UInt64 = 77, birth: UInt64 = 5) -> Bool {
    (other ?? cipher).open(buffer, at: start, byteCount: byteCount ?? self.byteCount, page: page, birth: birth)
  }
}

@Suite struct PageCipherTests {
  @Test(arguments: [48, 49, 112, 512, 4096, 8192, 16384])
  func roundTrip(_ byteCount: Int) {
    let bench = SealedPageBench(byteCount: byteCount)
    if byteCount > 100 { #expect(bench.text != bench.plaintext) }
    #expect(bench.buffer.bytes(bench.start + 16..<bench.start + 32) == bench.sealer.openID)
    #expect(bench.buffer.load(UInt64.self, at: bench.start + SealedPage.counter) == 1)
    #expect(bench.buffer.load(UInt64.self, at: bench.start + SealedPage.birth) == 5)
    #expect(bench.open())
    #expect(bench.text == bench.plaintext)
    // Nothing outside of the page is touched.
    #expect(bench.buffer.bytes(0..<64) == [UInt8](repeating: 0, count: 64))
    #expect(bench.buffer.bytes(64 + byteCount..<128 + byteCount) == [UInt8](repeating: 0, count: 64))
  }

  @Test func anyKeyLength() { #expect(SealedPageBench(keyByteCount: 64).open()) }

  @Test func layout() {
    #expect(SealedPage.tag == 0 && SealedPage.openID == 16 && SealedPage.counter == 32)
    #expect(SealedPage.envelopeByteCount == 40 && SealedPage.birth == 40 && SealedPage.text == 48)
  }

  /// The format in other words: HKDF, then RFC 8439 with file id, page and birth as associated data.
  @Test func isWhatTheFormatSays() {
    let bench = SealedPageBench()
    let root = KeyDerivation.extract(salt: SealedPageBench.salt.span, secret: bench.key)
    let info = Array("anteroom store 1 page".utf8) + bench.sealer.openID
    let record = RecordCipher(subkey: KeyDerivation.expand(root, info: info.span))
    let data = ByteBuffer(count: 32)
    data.copy(SealedPageBench.fileID.span, at: 0)
    data.store(UInt64(77), at: 16)
    data.store(UInt64(5), at: 24)
    let text = bench.start + 48..<bench.start + 4096
    #expect(record.open(bench.buffer, text, tagAt: bench.start, associatedData: data, 0..<32, counter: 1))
    #expect(bench.text == bench.plaintext)
    let checkInfo = Array("anteroom store 1 key check".utf8) + SealedPageBench.fileID
    let check = KeyDerivation.expand(root, info: checkInfo.span, count: 16)
    #expect(bench.cipher.keyCheck() == contents(check))
  }

  @Test func whatDoesNotBelongTogetherStaysAsItWas() {
    let bench = SealedPageBench()
    let before = bench.all
    #expect(!bench.open(page: 78))
    #expect(!bench.open(birth: 6))
    #expect(!bench.open(byteCount: 4095))
    #expect(!bench.open(byteCount: 48))
    #expect(!bench.open(PageCipher(key: bench.key, salt: SealedPageBench.salt, fileID: [UInt8](1...16))))
    #expect(!bench.open(PageCipher(key: bench.key, salt: [UInt8](1...16), fileID: SealedPageBench.fileID)))
    #expect(!bench.open(PageCipher(key: .random(count: 32), salt: SealedPageBench.salt, fileID: SealedPageBench.fileID)))
    #expect(bench.all == before)
    #expect(bench.open(PageCipher(key: bench.key, salt: SealedPageBench.salt, fileID: SealedPageBench.fileID)))
  }

  @Test func everyFlippedBitIsFound() {
    let bench = SealedPageBench(byteCount: 256)
    for bit in 0..<256 * 8 {
      let offset = bench.start + bit / 8
      let byte = bench.buffer.load(UInt8.self, at: offset)
      bench.buffer.store(byte ^ 1 << UInt8(bit % 8), at: offset)
      let before = bench.all
      #expect(!bench.open())
      #expect(bench.all == before)
      bench.buffer.store(byte, at: offset)
    }
    #expect(bench.open())
  }

  /// The birth in the clear and the one that is asked for are changed alike.
  @Test func theBirthIsAuthenticated() {
    let bench = SealedPageBench()
    bench.buffer.store(UInt64(6), at: bench.start + SealedPage.birth)
    #expect(!bench.open(birth: 6))
  }

  @Test func keyChecks() {
    let bench = SealedPageBench()
    let check = bench.cipher.keyCheck()
    #expect(check.count == 16 && check == SealedPageBench().cipher.keyCheck())
    let others = [
      PageCipher(key: .random(count: 32), salt: SealedPageBench.salt, fileID: SealedPageBench.fileID),
      PageCipher(key: bench.key, salt: [UInt8](1...16), fileID: SealedPageBench.fileID),
      PageCipher(key: bench.key, salt: SealedPageBench.salt, fileID: [UInt8](1...16)),
    ]
    for other in others { #expect(other.keyCheck() != check) }
  }

  @Test func noNonceComesTwice() async {
    let observer = RecordingObserver()
    let bench = SealedPageBench(observer: observer)
    let (cipher, first, second) = (bench.cipher, bench.sealer, bench.cipher.makeSealer())
    #expect(second.openID != first.openID)
    await withTaskGroup { group in
      for index in 0..<4 {
        group.addTask {
          let buffer = ByteBuffer(count: 512)
          let sealer = index % 2 == 0 ? first : second
          for birth in UInt64(1)...250 {
            sealer.seal(buffer, at: 0, byteCount: 512, page: UInt64(index), birth: birth)
            #expect(cipher.open(buffer, at: 0, byteCount: 512, page: UInt64(index), birth: birth))
          }
        }
      }
    }
    let seen = observer.seen.withLock { $0 }
    #expect(seen.count == 1001 && Set(seen.map { "\($0)" }).count == 1001)
    #expect(Set(seen.map(\.0)).count == 2)
  }
}
