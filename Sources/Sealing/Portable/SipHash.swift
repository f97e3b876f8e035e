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
    var state = key.withBytes { SipState(low: Self.word($0, 0, 8), high: Self.word($0, 8, 8)) }
    var offset = 0
    while bytes.count - offset >= 8 {
      state.absorb(Self.word(bytes, offset, 8))
      offset += 8
    }
    state.absorb(Self.word(bytes, offset, bytes.count - offset) | UInt64(truncatingIfNeeded: bytes.count) << 56)
    return state.finished()
  }

  private static func word(_ bytes: Span<UInt8>, _ offset: Int, _ count: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<count { word |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    return word
  }
}

private struct SipState {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(low: UInt64, high: UInt64) {
    // "somepseudorandomlygeneratedbytes", as the authors have it.
    v0 = low ^ 0x736F_6D65_7073_6575
    v1 = high ^ 0x646F_7261_6E64_6F6D
    v2 = low ^ 0x6C79_6765_6E65_7261
    v3 = high ^ 0x7465_6462_7974_6573
  }

  mutating func absorb(_ word: UInt64) {
    v3 ^= word
    for _ in 0..<2 { round() }
    v0 ^= word
  }

  mutating func finished() -> UInt64 {
    v2 ^= 0xFF
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func round() {
    v0 &+= v1
    v1 = Self.rotated(v1, 13) ^ v0
    v0 = Self.rotated(v0, 32)
    v2 &+= v3
    v3 = Self.rotated(v3, 16) ^ v2
    v0 &+= v3
    v3 = Self.rotated(v3, 21) ^ v0
    v2 &+= v1
    v1 = Self.rotated(v1, 17) ^ v2
    v2 = Self.rotated(v2, 32)
  }

  private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
}
