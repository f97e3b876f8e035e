import RawMemory
import Testing

@testable import Sealing

/// RFC 8439, section 2.8.2: the one vector whose nonce has a constant part.
@Suite struct CipherVectorTests {
  static let key = [UInt8](0x80...0x9f)
  static let associatedData = bytes("50515253c0c1c2c3c4c5c6c7")
  static let plaintext = Array(
    """
    Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.
    """.utf8)
  static let ciphertext = bytes(
    """
    d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b
    1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
    3ff4def08e4b7a9de576d26586cec64b6116
    """)
  static let tag = bytes("1ae10b594f09e26a7e902ecbd0600691")
  static let nonce = Nonce(constant: 7, counter: 0x4746_4544_4342_4140)

  @Test func sealsAndOpens() {
    let key = SecretBytes(copying: Self.key.span)
    let data = ByteBuffer(count: Self.associatedData.count)
    data.copy(Self.associatedData.span, at: 0)
    let text = 0..<Self.plaintext.count
    let tag = text.upperBound..<text.upperBound + 16
    let buffer = ByteBuffer(count: tag.upperBound)
    buffer.copy(Self.plaintext.span, at: 0)
    key.withBytes {
      ChaCha20Poly1305.seal(
        buffer, text, tagAt: tag.lowerBound, associatedData: data, 0..<data.count, nonce: Self.nonce, key: $0)
    }
    #expect(buffer.bytes(text) == Self.ciphertext)
    #expect(buffer.bytes(tag) == Self.tag)
    let opened = key.withBytes {
      ChaCha20Poly1305.open(
        buffer, text, tagAt: tag.lowerBound, associatedData: data, 0..<data.count, nonce: Self.nonce, key: $0)
    }
    #expect(opened)
    #expect(buffer.bytes(text) == Self.plaintext)
  }

  /// Made with another implementation (OpenSSL): key 80...9f, counter 0x0102030405060708, no constant.
  @Test func nonceIsZerosThenTheCounterLittleEndian() {
    let cipher = RecordCipher(subkey: SecretBytes(copying: Self.key.span))
    let buffer = ByteBuffer(count: 64)
    buffer.copy(Array("aad:plaintext".utf8).span, at: 0)
    cipher.seal(buffer, 4..<13, tagAt: 16, associatedData: buffer, 0..<4, counter: 0x0102_0304_0506_0708)
    #expect(buffer.bytes(4..<13) == bytes("84dd8fd23eae3ea557"))
    #expect(buffer.bytes(16..<32) == bytes("fc524612c7064251bc71450d694d3f9d"))
  }
}
