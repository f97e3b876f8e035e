package import RawMemory

/// ChaCha20-Poly1305-IETF (RFC 8439) under one subkey; the nonce is 4 zero bytes and the counter, little-endian.
///
/// Guarantee: what opens was sealed under this subkey, with this counter and this associated data. That holds as long as no counter is
/// used twice under a subkey; who takes counters sees to it, and a ``NonceObserver`` can watch.
package final class RecordCipher: Sendable {
  /// Bytes of a tag.
  package static let tagByteCount = ChaCha20Poly1305.tagByteCount

  private let subkey: SecretBytes

  /// Makes a cipher that keeps the subkey alive.
  ///
  /// - Parameter subkey: 32 bytes, for this purpose only; another length is a programming error.
  package init(subkey: SecretBytes) {
    precondition(subkey.count == ChaCha20Poly1305.keyByteCount, "a subkey has 32 bytes")
    self.subkey = subkey
  }

  /// Whether this process has the subkey: false in a child forked after it was made. There, ``seal(_:_:tagAt:associatedData:_:counter:observer:)``
  /// traps and ``open(_:_:tagAt:associatedData:_:counter:)`` returns false.
  package var isPresent: Bool { subkey.isPresent }

  /// Seals bytes of a buffer in place and writes the tag.
  ///
  /// The caller took the counter for this call and never uses it again, whatever becomes of the record.
  /// - Parameters:
  ///   - buffer: what holds the plaintext and takes the ciphertext and the tag.
  ///   - plaintext: may be empty.
  ///   - tagOffset: where in `buffer` the 16 bytes of tag go: outside the plaintext.
  ///   - associatedData: what holds the bytes to authenticate along; may be `buffer`.
  ///   - associatedRange: outside the plaintext and the tag, or empty.
  ///   - counter: the nonce.
  ///   - observer: hears of the nonce first.
  /// - Complexity: O(*n*); no allocation and no system call without an observer.
  package func seal(
    _ buffer: ByteBuffer, _ plaintext: Range<Int>, tagAt tagOffset: Int, associatedData: ByteBuffer, _ associatedRange: Range<Int>,
    counter: UInt64, observer: NonceObserver? = nil
  ) {
    checkDistinct(buffer, plaintext, tagOffset, associatedData, associatedRange)
    if let observer { observer.willSeal(subkeyFingerprint: fingerprint, counter: counter) }
    subkey.withBytes { key in
      ChaCha20Poly1305.seal(
        buffer, plaintext, tagAt: tagOffset, associatedData: associatedData, associatedRange, nonce: Nonce(counter: counter),
        key: key)
    }
  }

  /// Opens bytes of a buffer in place, if the tag fits them.
  ///
  /// - Parameters: as for sealing.
  /// - Returns: whether bytes, tag, associated data, counter and subkey belong together. If not, the buffer is as it was.
  /// - Complexity: O(*n*); no allocation, no system call.
  package func open(
    _ buffer: ByteBuffer, _ ciphertext: Range<Int>, tagAt tagOffset: Int, associatedData: ByteBuffer, _ associatedRange: Range<Int>,
    counter: UInt64
  ) -> Bool {
    checkDistinct(buffer, ciphertext, tagOffset, associatedData, associatedRange)
    guard subkey.isPresent else { return false }
    return subkey.withBytes { key in
      ChaCha20Poly1305.open(
        buffer, ciphertext, tagAt: tagOffset, associatedData: associatedData, associatedRange, nonce: Nonce(counter: counter),
        key: key)
    }
  }

  /// Deciphers the beginning of a text without looking at its tag: for comparing what was opened before.
  ///
  /// - Parameters:
  ///   - source: what holds the ciphertext; it stays as it is.
  ///   - range: from the beginning of the text on.
  ///   - counter: the nonce.
  ///   - target: takes the plaintext, from its first byte on.
  /// - Returns: false without the subkey, see ``isPresent``.
  /// - Complexity: O(*n*); no allocation, no system call.
  package func reveal(_ source: ByteBuffer, _ range: Range<Int>, counter: UInt64, to target: ByteBuffer) -> Bool {
    guard subkey.isPresent else { return false }
    subkey.withBytes { key in ChaCha20Poly1305.reveal(source, range, nonce: Nonce(counter: counter), key: key, to: target) }
    return true
  }

  private var fingerprint: UInt64 {
    let digest = subkey.withBytes { Digest.sha256($0) }
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(digest[index]) << UInt64(8 * index) }
    return value
  }

  /// A tag or associated data inside the text would change under the call, and no such record could be opened.
  private func checkDistinct(
    _ buffer: ByteBuffer, _ text: Range<Int>, _ tagOffset: Int, _ associatedData: ByteBuffer, _ associatedRange: Range<Int>
  ) {
    let tag = tagOffset..<tagOffset + Self.tagByteCount
    precondition(!tag.overlaps(text), "the tag lies in the text")
    if associatedData === buffer {
      precondition(!associatedRange.overlaps(text) && !associatedRange.overlaps(tag), "the associated data lies in text or tag")
    }
  }
}
