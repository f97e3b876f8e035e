#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// X25519 (RFC 7748): what a key pair and another one's public key agree on.
  package enum KeyAgreement {
    /// Of a secret, of a public key, of what is agreed on.
    package static let byteCount = 32

    /// The public key of a secret.
    ///
    /// - Parameter secret: 32 bytes; another length is a programming error.
    package static func publicKey(of secret: SecretBytes) -> [UInt8] { Array(pair(secret).publicKey.rawRepresentation) }

    /// The secret that two pairs share: known to who has either secret and the other's public key.
    ///
    /// - Returns: nil for a public key of low order, with which everybody would agree on the same: zeros.
    package static func sharedSecret(_ secret: SecretBytes, with publicKey: Span<UInt8>) -> SecretBytes? {
      precondition(publicKey.count == byteCount)
      let other = unsafe publicKey.withUnsafeBytes { unsafe try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: $0) }
      guard let other, let shared = try? pair(secret).sharedSecretFromKeyAgreement(with: other) else { return nil }
      return unsafe shared.withUnsafeBytes { bytes in
        guard unsafe bytes.contains(where: { $0 != 0 }) else { return nil }
        return SecretBytes(count: byteCount) { target in for index in 0..<byteCount { unsafe target[index] = bytes[index] } }
      }
    }

    private static func pair(_ secret: SecretBytes) -> Curve25519.KeyAgreement.PrivateKey {
      precondition(secret.count == byteCount)
      let pair = secret.withBytes { secret in
        unsafe secret.withUnsafeBytes { unsafe try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }
      }
      guard let pair else { preconditionFailure("a secret has 32 bytes") }
      return pair
    }
  }
#endif
