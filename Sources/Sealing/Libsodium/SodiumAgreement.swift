import CSodium

/// X25519 (RFC 7748): what a key pair and another one's public key agree on.
package enum KeyAgreement {
  /// Of a secret, of a public key, of what is agreed on.
  package static let byteCount = 32

  /// The public key of a secret.
  ///
  /// - Parameter secret: 32 bytes; another length is a programming error.
  /// - Complexity: O(1), about 40 microseconds.
  package static func publicKey(of secret: SecretBytes) -> [UInt8] {
    var publicKey = [UInt8](repeating: 0, count: byteCount)
    var target = publicKey.mutableSpan
    unsafe target.withUnsafeMutableBufferPointer { target in
      secret.withBytes { secret in
        precondition(secret.count == byteCount)
        unsafe secret.withSodiumAddress { address, _ in unsafe _ = crypto_scalarmult_base(target.baseAddress!, address) }
      }
    }
    return publicKey
  }

  /// The secret that two pairs share: known to who has either secret and the other's public key.
  ///
  /// - Parameters:
  ///   - secret: 32 bytes.
  ///   - publicKey: the other side's, 32 bytes; any bytes.
  /// - Returns: nil for a public key of low order, with which everybody would agree on the same.
  /// - Complexity: O(1), about 40 microseconds.
  package static func sharedSecret(_ secret: SecretBytes, with publicKey: Span<UInt8>) -> SecretBytes? {
    precondition(publicKey.count == byteCount)
    var isAgreed = false
    let shared = SecretBytes(count: byteCount) { target in
      unsafe target.withUnsafeMutableBufferPointer { target in
        secret.withBytes { secret in
          precondition(secret.count == byteCount)
          unsafe secret.withSodiumAddress { secret, _ in
            unsafe publicKey.withSodiumAddress { publicKey, _ in
              isAgreed = unsafe crypto_scalarmult(target.baseAddress!, secret, publicKey) == 0
            }
          }
        }
      }
    }
    return isAgreed ? shared : nil
  }
}
