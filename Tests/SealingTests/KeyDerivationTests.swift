import Testing

@testable import Sealing

/// RFC 5869, appendix A.
@Suite struct KeyDerivationTests {
  @Test func hkdfCase1() {
    let secret = SecretBytes(copying: [UInt8](repeating: 0x0b, count: 22).span)
    let prk = KeyDerivation.extract(salt: bytes("000102030405060708090a0b0c").span, secret: secret)
    #expect(contents(prk) == bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"))
    let key = KeyDerivation.expand(prk, info: bytes("f0f1f2f3f4f5f6f7f8f9").span, count: 42)
    #expect(contents(key) == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
  }

  /// 80 bytes of key material and of salt, and three blocks of output.
  @Test func hkdfCase2() {
    let keyBytes = [UInt8](0x00...0x4f)
    let prk = KeyDerivation.extract(salt: [UInt8](0x60...0xaf).span, keyBytes: keyBytes.span)
    #expect(contents(prk) == bytes("06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244"))
    let output = prk.withBytes { KeyDerivation.expandedBytes($0, info: [UInt8](0xb0...0xff).span, count: 82) }
    #expect(
      output
        == bytes(
          """
          b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09
          da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
          """))
  }

  /// No salt and no info.
  @Test func hkdfCase3() {
    let none: [UInt8] = []
    let secret = SecretBytes(copying: [UInt8](repeating: 0x0b, count: 22).span)
    let prk = KeyDerivation.extract(salt: none.span, secret: secret)
    #expect(contents(prk) == bytes("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"))
    let key = KeyDerivation.expand(prk, info: none.span, count: 42)
    #expect(contents(key) == bytes("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
  }

  @Test func everyLengthIsAPrefixOfTheLongest() {
    let prk = SecretBytes(copying: [UInt8](repeating: 7, count: 32).span)
    let info: [UInt8] = [1, 2, 3]
    let longest = prk.withBytes { KeyDerivation.expandedBytes($0, info: info.span, count: 8160) }
    #expect(longest.count == 8160)
    for count in 1...64 {
      let key = KeyDerivation.expand(prk, info: info.span, count: count)
      #expect(contents(key) == Array(longest.prefix(count)))
    }
    #expect(contents(KeyDerivation.expand(prk, info: info.span)).count == 32)
  }

  @Test func differentInfoGivesDifferentSubkeys() {
    let prk = SecretBytes.random(count: 32)
    let subkeys = (0..<100).map { contents(KeyDerivation.expand(prk, info: [UInt8($0)].span)) }
    #expect(Set(subkeys).count == 100)
  }
}

func contents(_ secret: SecretBytes) -> [UInt8] {
  secret.withBytes { span in span.indices.map { span[$0] } }
}
