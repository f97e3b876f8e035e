import CSodium

/// SipHash-2-4 (Aumasson and Bernstein, 2012) under a key: who doesn't know the key can neither predict nor collide it.
package struct KeyedHash: Sendable {
  /// Bytes of a key.
  package static let keyByteCount = 16
  private let key: SecretBytes

  /// - Parameter key: 16 bytes; another length is a programming error.
  package init(key: SecretBytes) {
    precondition(key.count == Self.keyByteCount)
    self.key = key
  }

  /// Whether this process has the key: false in a child forked after it was made.
  package var isPresent: Bool { key.isPresent }

  /// The hash of some bytes. - Complexity: O(*n*), no allocation.
  package func callAsFunction(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0
    key.withBytes { key in
      unsafe withUnsafeMutableBytes(of: &hash) { target in
        unsafe bytes.withSodiumAddress { address, count in
          unsafe key.withUnsafeBufferPointer { key in
            unsafe _ = crypto_shorthash(
              target.baseAddress!.assumingMemoryBound(to: UInt8.self), address, UInt64(count), key.baseAddress!)
          }
        }
      }
    }
    return UInt64(littleEndian: hash)
  }
}
