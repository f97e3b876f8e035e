import CSodium

/// Unkeyed hashing.
package enum Digest {
  /// Computes SHA-256 (FIPS 180-4).
  ///
  /// - Parameter bytes: any number of them, also none; they may be secret, no state of the computation outlives the call.
  /// - Returns: 32 bytes.
  /// - Complexity: O(*n*), one allocation.
  package static func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var state = crypto_hash_sha256_state()
    unsafe withUnsafeMutablePointer(to: &state) { state in
      unsafe _ = crypto_hash_sha256_init(state)
      unsafe bytes.withSodiumAddress { unsafe _ = crypto_hash_sha256_update(state, $0, UInt64($1)) }
      unsafe _ = crypto_hash_sha256_final(state, &digest)
      unsafe sodium_memzero(state, MemoryLayout<crypto_hash_sha256_state>.size)
    }
    return digest
  }
}
