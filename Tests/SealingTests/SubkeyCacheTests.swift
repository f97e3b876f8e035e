import RawMemory
import Testing

@testable import Sealing

@Suite struct SubkeyCacheTests {
  private let root = SecretBytes.random(count: 32)

  private func id(_ number: UInt64) -> OpenID {
    let buffer = ByteBuffer(count: 16)
    buffer.store(number, at: 8)
    return OpenID(buffer, at: 0)
  }

  @Test func keepsTheLastOnesOnly() {
    let cache = SubkeyCache(root: root)
    let first = cache.subkey(for: id(0))
    #expect(cache.subkey(for: id(0)) === first)
    for number in UInt64(1)..<32 {
      _ = cache.subkey(for: id(number))
      // In use between all the others.
      #expect(cache.subkey(for: id(0)) === first)
    }
    let second = cache.subkey(for: id(1))
    for number in UInt64(32)..<40 { _ = cache.subkey(for: id(number)) }
    #expect(cache.count == SubkeyCache.countMax)
    #expect(cache.subkey(for: id(0)) === first && cache.subkey(for: id(1)) === second)
    let again = cache.subkey(for: id(2))
    #expect(contents(again) == contents(SubkeyCache(root: root).subkey(for: id(2))))
    #expect(cache.count == SubkeyCache.countMax)
  }

  @Test func manyOpensTakeFewSecrets() {
    let cache = SubkeyCache(root: root)
    let pages = GuardedPage.first.pageCount
    for number in UInt64(0)..<2000 { _ = cache.subkey(for: id(number)) }
    #expect(cache.count == SubkeyCache.countMax)
    // Other tests run at the same time.
    #expect(GuardedPage.first.pageCount <= pages + 4)
  }

  /// More opens than the cache holds, from several threads: every page opens, whoever drops whose subkey.
  @Test func threadsDropEachOthersSubkeys() async {
    let cipher = PageCipher(key: .random(count: 32), salt: [UInt8](0..<16), fileID: [UInt8](0..<16))
    let sealers = (0..<80).map { _ in cipher.makeSealer() }
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          let buffer = ByteBuffer(count: 128)
          for round in 0..<2000 {
            sealers[(round * 7 + thread * 20) % 80].seal(buffer, at: 0, byteCount: 128, page: 1, birth: UInt64(round))
            #expect(cipher.open(buffer, at: 0, byteCount: 128, page: 1, birth: UInt64(round)))
          }
        }
      }
    }
  }
}
