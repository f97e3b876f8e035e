/// HKDF (RFC 5869) and HMAC over SHA-256.
///
/// Guarantee: secrets come from guarded memory and go there; what a call needs besides is wiped before it returns.
package enum KeyDerivation {
  /// Condenses a secret into a pseudorandom key: HKDF-Extract.
  ///
  /// - Parameters:
  ///   - salt: public, any length; none counts as 32 zero bytes.
  ///   - secret: the input key material, all of it.
  /// - Returns: 32 bytes.
  /// - Complexity: O(*n*) in the salt, about two microseconds.
  package static func extract(salt: Span<UInt8>, secret: SecretBytes) -> SecretBytes {
    secret.withBytes { extract(salt: salt, keyBytes: $0) }
  }

  /// Condenses input key material that lies elsewhere: a shared secret, or one of more than 64 bytes. Wiping it is the caller's.
  ///
  /// - Returns: 32 bytes.
  /// - Complexity: O(*n*) in the salt and the key bytes.
  package static func extract(salt: Span<UInt8>, keyBytes: Span<UInt8>) -> SecretBytes {
    SecretBytes(count: HMACSHA256.byteCount) { HMACSHA256.authenticate(keyBytes, key: salt, into: &$0) }
  }

  /// Derives a subkey from a pseudorandom key: HKDF-Expand.
  ///
  /// - Parameters:
  ///   - prk: what ``extract(salt:secret:)`` gave.
  ///   - info: what the subkey is for. Different `info`, independent subkeys.
  ///   - count: bytes, `1...64`.
  /// - Complexity: O(*n*) in `info`, about two microseconds for 32 bytes.
  package static func expand(_ prk: SecretBytes, info: Span<UInt8>, count: Int = 32) -> SecretBytes {
    prk.withBytes { key in
      SecretBytes(count: count) { output in fill(&output, count: count, key: key, info: info) }
    }
  }

  /// HKDF-Expand to 1 to 8,160 bytes that aren't secret.
  static func expandedBytes(_ prk: Span<UInt8>, info: Span<UInt8>, count: Int) -> [UInt8] {
    precondition(count >= 1 && count <= 255 * HMACSHA256.byteCount)
    let blockCount = (count + HMACSHA256.byteCount - 1) / HMACSHA256.byteCount
    var bytes = [UInt8](repeating: 0, count: blockCount * HMACSHA256.byteCount)
    var output = bytes.mutableSpan
    fill(&output, count: count, key: prk, info: info)
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Fills whole blocks until `count` bytes are there; the last block may reach beyond.
  private static func fill(_ output: inout MutableSpan<UInt8>, count: Int, key: Span<UInt8>, info: Span<UInt8>) {
    var filled = 0
    var index: UInt8 = 0
    while filled < count {
      index += 1
      HMACSHA256.expandBlock(index, info: info, key: key, in: &output)
      filled += HMACSHA256.byteCount
    }
  }

  /// Computes the HMAC-SHA-256 of a message: a key-check value that vouches for a header, say.
  ///
  /// - Returns: 32 bytes. Compare them with an expected value only where that value isn't a secret: a comparison of arrays takes a time
  ///   that depends on them.
  /// - Complexity: O(*n*), one allocation.
  package static func authenticationCode(of message: Span<UInt8>, key: SecretBytes) -> [UInt8] {
    key.withBytes { authenticationCode(of: message, keyBytes: $0) }
  }

  /// The same with a key that lies elsewhere, or is none: the public half of a pair.
  package static func authenticationCode(of message: Span<UInt8>, keyBytes: Span<UInt8>) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: HMACSHA256.byteCount)
    var output = code.mutableSpan
    HMACSHA256.authenticate(message, key: keyBytes, into: &output)
    return code
  }
}
