import Testing

@testable import Sealing

struct HMACVector: Sendable {
  let number: Int
  let key: [UInt8]
  let message: [UInt8]
  let code: [UInt8]
}

/// RFC 4231, section 4. Case 5 gives the first 16 bytes only.
let hmacVectors = [
  HMACVector(
    number: 1, key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
    code: bytes("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")),
  HMACVector(
    number: 2, key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
    code: bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")),
  HMACVector(
    number: 3, key: [UInt8](repeating: 0xaa, count: 20), message: [UInt8](repeating: 0xdd, count: 50),
    code: bytes("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")),
  HMACVector(
    number: 4, key: [UInt8](0x01...0x19), message: [UInt8](repeating: 0xcd, count: 50),
    code: bytes("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")),
  HMACVector(
    number: 5, key: [UInt8](repeating: 0x0c, count: 20), message: Array("Test With Truncation".utf8),
    code: bytes("a3b6167473100ee06e0c796c2955552b")),
  HMACVector(
    number: 6, key: [UInt8](repeating: 0xaa, count: 131),
    message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
    code: bytes("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")),
  HMACVector(
    number: 7, key: [UInt8](repeating: 0xaa, count: 131),
    message: Array(
      """
      This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before \
      being used by the HMAC algorithm.
      """.utf8),
    code: bytes("9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2")),
]

@Suite struct HMACTests {
  @Test(arguments: hmacVectors)
  func knownAnswer(_ vector: HMACVector) {
    let code = KeyDerivation.authenticationCode(of: vector.message.span, keyBytes: vector.key.span)
    #expect(Array(code.prefix(vector.code.count)) == vector.code)
    if vector.key.count <= 64 {
      let secret = SecretBytes(copying: vector.key.span)
      #expect(KeyDerivation.authenticationCode(of: vector.message.span, key: secret) == code)
    }
  }

  /// FIPS 180-4's examples: none, one block, two blocks.
  @Test func digests() {
    let none: [UInt8] = []
    #expect(Digest.sha256(none.span) == bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    #expect(Digest.sha256(Array("abc".utf8).span) == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    #expect(
      Digest.sha256(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8).span)
        == bytes("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"))
  }
}
