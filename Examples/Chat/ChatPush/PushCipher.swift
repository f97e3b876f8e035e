internal import CSodium

/// Seals messages into pushes and opens them: Base64 of nonce, ciphertext and tag (XChaCha20-Poly1305).
///
/// The server and the helper share its key, which is not the key of the mailbox. Nonces are 24 random bytes. The key is wiped
/// when the cipher goes. Not safe to share between threads.
public final class PushCipher {
  private static let nonceByteCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagByteCount = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
  private static let base64Variant = sodium_base64_VARIANT_ORIGINAL

  /// Bytes of a push key.
  public static let keyByteCount = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)

  private var key: [UInt8]

  /// - Throws: ``PushError/invalidKeyLength(actual:)``.
  public init(key: [UInt8]) throws(PushError) {
    guard key.count == Self.keyByteCount else { throw .invalidKeyLength(actual: key.count) }
    guard sodium_init() >= 0 else { throw .sodiumUnavailable }
    self.key = key
  }

  deinit { unsafe sodium_memzero(&key, key.count) }

  /// A new random key.
  public static func randomKey() throws(PushError) -> [UInt8] {
    guard sodium_init() >= 0 else { throw .sodiumUnavailable }
    var key = [UInt8](repeating: 0, count: keyByteCount)
    unsafe randombytes_buf(&key, key.count)
    return key
  }

  /// Seals one line of JSON. - Returns: one line of Base64, without its end.
  public func seal(_ plaintext: [UInt8]) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: Self.nonceByteCount)
    unsafe randombytes_buf(&nonce, nonce.count)
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count + Self.tagByteCount)
    _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
      &ciphertext, nil, plaintext, UInt64(plaintext.count), nil, 0, nil, nonce, key)
    return Self.base64(nonce + ciphertext)
  }

  /// Opens one line. - Throws: ``PushError/notAPush`` or ``PushError/notAuthentic``.
  public func open(_ line: [UInt8]) throws(PushError) -> [UInt8] {
    guard let sealed = Self.bytes(base64: line), sealed.count >= Self.nonceByteCount + Self.tagByteCount else {
      throw .notAPush
    }
    let nonce = Array(sealed[..<Self.nonceByteCount])
    let ciphertext = Array(sealed[Self.nonceByteCount...])
    // One byte more than needed, so that an empty message has an address too.
    var plaintext = [UInt8](repeating: 0, count: ciphertext.count - Self.tagByteCount + 1)
    let result = unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
      &plaintext, nil, nil, ciphertext, UInt64(ciphertext.count), nil, 0, nonce, key)
    guard result == 0 else { throw .notAuthentic }
    plaintext.removeLast()
    return plaintext
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let capacity = sodium_base64_encoded_len(bytes.count, base64Variant)
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        _ = unsafe sodium_bin2base64(characters.baseAddress!, capacity, bytes, bytes.count, base64Variant)
      }
      count = capacity - 1  // without the zero at the end
    }
  }

  private static func bytes(base64 line: [UInt8]) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: line.count)
    var count = 0
    let result = unsafe line.withUnsafeBufferPointer { line in
      unsafe line.withMemoryRebound(to: CChar.self) { characters in
        unsafe sodium_base642bin(
          &bytes, bytes.count, characters.baseAddress, line.count, nil, &count, nil, base64Variant)
      }
    }
    guard result == 0 else { return nil }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
