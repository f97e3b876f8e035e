import CLibcrypto

/// X25519 (RFC 7748).
package enum KeyAgreement {
  /// Of a secret, of a public key, of what is agreed on.
  package static let byteCount = 32

  /// The public key of a secret.
  package static func publicKey(of secret: SecretBytes) -> [UInt8] {
    var publicKey = [UInt8](repeating: 0, count: byteCount)
    let pair = unsafe pair(secret)
    defer { unsafe EVP_PKEY_free(pair) }
    var count = byteCount
    precondition(
      unsafe EVP_PKEY_get_raw_public_key(pair, &publicKey, &count) == 1 && count == byteCount, "libcrypto refused a call")
    return publicKey
  }

  /// The secret that two pairs share. - Returns: nil for a public key of low order.
  package static func sharedSecret(_ secret: SecretBytes, with publicKey: Span<UInt8>) -> SecretBytes? {
    precondition(publicKey.count == byteCount)
    let own = unsafe pair(secret)
    let other = unsafe publicKey.withAddress { unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, $0, $1) }
    let context = unsafe EVP_PKEY_CTX_new(own, nil)
    defer {
      unsafe EVP_PKEY_CTX_free(context)
      unsafe EVP_PKEY_free(other)
      unsafe EVP_PKEY_free(own)
    }
    precondition(
      unsafe EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1, "libcrypto refused a key")
    var isAgreed = false
    let shared = SecretBytes(count: byteCount) { target in
      unsafe target.withUnsafeMutableBufferPointer { target in
        var count = byteCount
        isAgreed = unsafe EVP_PKEY_derive(context, target.baseAddress!, &count) == 1
      }
    }
    return isAgreed ? shared : nil
  }

  private static func pair(_ secret: SecretBytes) -> OpaquePointer {
    precondition(secret.count == byteCount)
    let pair = unsafe secret.withBytes { secret in
      unsafe secret.withAddress { unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, $0, $1) }
    }
    guard let pair = unsafe pair else { fatalError("libcrypto refused a key") }
    return unsafe pair
  }
}
