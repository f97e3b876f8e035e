import RawMemory
import Sealing

/// Everything that `Sealing` computes, for inputs that follow from a number, as text: two builds with different libraries print the same.
package enum PrimitiveTranscript {
  package static func lines(seed: UInt8) -> [String] {
    let secret = SecretBytes(copying: bytes(32, seed).span)
    let salt = bytes(Int(seed) % 40, seed &+ 1)
    let message = bytes(Int(seed) * 7 % 300, seed &+ 2)
    let root = KeyDerivation.extract(salt: salt.span, secret: secret)
    var lines = [
      "sha256 " + hexadecimal(Digest.sha256(message.span)),
      "extract " + text(root),
      "expand 64 " + text(KeyDerivation.expand(root, info: message.span, count: 64)),
      "expand 16 " + text(KeyDerivation.expand(root, info: [UInt8]().span, count: 16)),
      "code " + hexadecimal(KeyDerivation.authenticationCode(of: message.span, key: root)),
      "code without key " + hexadecimal(KeyDerivation.authenticationCode(of: message.span, keyBytes: [UInt8]().span)),
    ]
    let hash = KeyedHash(key: KeyDerivation.expand(root, info: salt.span, count: KeyedHash.keyByteCount))
    for count in [0, 1, 7, 8, 9, message.count] { lines.append("hash \(count) \(hash(bytes(count, seed).span))") }
    lines += agreement(secret, seed) + record(root, message, seed) + page(secret, seed)
    return lines
  }

  private static func agreement(_ secret: SecretBytes, _ seed: UInt8) -> [String] {
    let other = SecretBytes(copying: bytes(32, seed &+ 77).span)
    let shared = KeyAgreement.sharedSecret(secret, with: KeyAgreement.publicKey(of: other).span)
    let lowOrder = KeyAgreement.sharedSecret(secret, with: [UInt8](repeating: 0, count: 32).span)
    return [
      "public key " + hexadecimal(KeyAgreement.publicKey(of: secret)), "agreed " + (shared.map(text) ?? "on nothing"),
      "low order " + (lowOrder == nil ? "refused" : "taken"),
    ]
  }

  private static func record(_ root: SecretBytes, _ message: [UInt8], _ seed: UInt8) -> [String] {
    let cipher = RecordCipher(subkey: root)
    let buffer = ByteBuffer(count: message.count + 40)
    for (index, byte) in message.enumerated() { buffer.store(byte, at: 24 + index) }
    let text = 24..<24 + message.count
    cipher.seal(buffer, text, tagAt: text.upperBound, associatedData: buffer, 0..<24, counter: UInt64(seed) << 33 | 5)
    var lines = ["record " + hexadecimal(buffer.bytes(0..<buffer.count))]
    func opens() -> Bool {
      cipher.open(buffer, text, tagAt: text.upperBound, associatedData: buffer, 0..<24, counter: UInt64(seed) << 33 | 5)
    }
    buffer.store(1 as UInt8, at: 3)
    lines.append("altered \(opens()) " + hexadecimal(buffer.bytes(0..<buffer.count)))
    buffer.store(0 as UInt8, at: 3)
    lines.append("opened \(opens()) \(buffer.bytes(text) == message)")
    return lines
  }

  /// A page's subkey is drawn, so that only what comes out can be said.
  private static func page(_ secret: SecretBytes, _ seed: UInt8) -> [String] {
    let cipher = PageCipher(key: secret, salt: bytes(16, seed), fileID: bytes(16, seed &+ 9))
    let buffer = ByteBuffer(count: 512)
    buffer.store(seed, at: 300)
    cipher.makeSealer().seal(buffer, at: 0, byteCount: 512, page: 3, birth: 4)
    let wrong = cipher.open(buffer, at: 0, byteCount: 512, page: 2, birth: 4)
    let right = cipher.open(buffer, at: 0, byteCount: 512, page: 3, birth: 4)
    return [
      "page check " + hexadecimal(cipher.keyCheck()), "page \(wrong) \(right) \(buffer.load(UInt8.self, at: 300))",
    ]
  }

  static func bytes(_ count: Int, _ seed: UInt8) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ Int(seed) &* 101 &+ ($0 >> 3)) }
  }

  private static func text(_ secret: SecretBytes) -> String {
    secret.withBytes { span in hexadecimal(span.indices.map { span[$0] }) }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
