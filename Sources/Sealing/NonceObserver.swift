/// Learns of every nonce as it is used. Tests subclass it to fail on a repeat.
///
/// - Concurrency: called on whatever thread seals, from several at once if several seal; a subclass guards its own state.
package class NonceObserver: @unchecked Sendable {
  /// Makes an observer that does nothing.
  package init() {}

  /// Hears, before a byte is sealed, that this pair is used up.
  ///
  /// - Parameters:
  ///   - subkeyFingerprint: the first 8 bytes of the subkey's SHA-256, little-endian: tells subkeys apart without showing them.
  ///   - counter: the nonce.
  package func willSeal(subkeyFingerprint: UInt64, counter: UInt64) {}
}
