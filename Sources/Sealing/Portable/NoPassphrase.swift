/// Argon2id isn't among what this build seals with: stores with a passphrase can't be opened by it.
package enum PassphraseStretching {
  /// What a file may ask for unless the caller allows more: as much as the smallest helper can give.
  package static let memoryByteCountMax = 16 << 20
  package static let passCountMax = 64
  package static let saltByteCount = 16

  /// - Throws: always ``StretchingError/unavailable``.
  package static func argon2id(
    _ passphrase: Span<UInt8>, salt: Span<UInt8>, memoryByteCount: Int, passCount: Int, byteCount: Int = 32,
    memoryByteCountMax: Int = memoryByteCountMax
  ) throws(StretchingError) -> SecretBytes { throw .unavailable }
}
