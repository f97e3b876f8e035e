import CSodium
import RawMemory

/// ChaCha20-Poly1305-IETF (RFC 8439) in place, with a detached tag. Ranges are checked by their buffers; that they don't overlap is the
/// caller's to see to.
enum ChaCha20Poly1305 {
  static let keyByteCount = 32
  static let tagByteCount = 16

  static func seal(
    _ buffer: ByteBuffer, _ plaintext: Range<Int>, tagAt tagOffset: Int, associatedData: ByteBuffer, _ associatedRange: Range<Int>,
    nonce: Nonce, key: Span<UInt8>
  ) {
    precondition(key.count == keyByteCount)
    unsafe withAddresses(buffer, plaintext, tagOffset, associatedData, associatedRange, nonce, key) { text, tag, data, nonce, key in
      unsafe _ = crypto_aead_chacha20poly1305_ietf_encrypt_detached(
        text, tag, nil, text, UInt64(plaintext.count), data, UInt64(associatedRange.count), nil, nonce, key)
    }
  }

  static func open(
    _ buffer: ByteBuffer, _ ciphertext: Range<Int>, tagAt tagOffset: Int, associatedData: ByteBuffer, _ associatedRange: Range<Int>,
    nonce: Nonce, key: Span<UInt8>
  ) -> Bool {
    precondition(key.count == keyByteCount)
    return unsafe withAddresses(buffer, ciphertext, tagOffset, associatedData, associatedRange, nonce, key) {
      text, tag, data, nonce, key in
      // Without a place for plaintext the call verifies only. With one, it would fill that place with zeros when the tag doesn't fit:
      // in place, that destroys the record.
      let status = unsafe crypto_aead_chacha20poly1305_ietf_decrypt_detached(
        nil, nil, text, UInt64(ciphertext.count), tag, data, UInt64(associatedRange.count), nonce, key)
      guard status == 0 else { return false }
      // RFC 8439, 2.8: block 0 of the key stream made the Poly1305 key, the text begins with block 1.
      unsafe _ = crypto_stream_chacha20_ietf_xor_ic(text, text, UInt64(ciphertext.count), nonce, 1, key)
      return true
    }
  }

  /// The text alone, into another buffer.
  static func reveal(_ source: ByteBuffer, _ range: Range<Int>, nonce: Nonce, key: Span<UInt8>, to target: ByteBuffer) {
    precondition(key.count == keyByteCount)
    if range.isEmpty { return }
    let text = unsafe source.withUnsafeAddress(range) { unsafe $0.assumingMemoryBound(to: UInt8.self) }
    let plain = unsafe target.withUnsafeAddress(0..<range.count) { unsafe $0.assumingMemoryBound(to: UInt8.self) }
    unsafe withUnsafeBytes(of: nonce.words) { nonce in
      unsafe key.withUnsafeBufferPointer { key in
        unsafe _ = crypto_stream_chacha20_ietf_xor_ic(
          plain, text, UInt64(range.count), nonce.baseAddress!.assumingMemoryBound(to: UInt8.self), 1, key.baseAddress!)
      }
    }
    withExtendedLifetime((source, target)) {}
  }

  private typealias Bytes = UnsafeMutablePointer<UInt8>
  private typealias ConstantBytes = UnsafePointer<UInt8>

  @inline(__always)
  private static func withAddresses<R>(
    _ buffer: ByteBuffer, _ text: Range<Int>, _ tagOffset: Int, _ associatedData: ByteBuffer, _ associatedRange: Range<Int>,
    _ nonce: Nonce, _ key: Span<UInt8>, _ body: (Bytes, Bytes, ConstantBytes, ConstantBytes, ConstantBytes) -> R
  ) -> R {
    let text = unsafe buffer.withUnsafeAddress(text) { unsafe $0.assumingMemoryBound(to: UInt8.self) }
    let tag = unsafe buffer.withUnsafeAddress(tagOffset..<tagOffset + tagByteCount) {
      unsafe $0.assumingMemoryBound(to: UInt8.self)
    }
    let data = unsafe associatedData.withUnsafeAddress(associatedRange) { unsafe $0.assumingMemoryBound(to: UInt8.self) }
    let result = unsafe withUnsafeBytes(of: nonce.words) { nonce in
      unsafe key.withUnsafeBufferPointer { key in
        unsafe body(text, tag, data, nonce.baseAddress!.assumingMemoryBound(to: UInt8.self), key.baseAddress!)
      }
    }
    // The addresses are used up to here, and the buffers live at least as long.
    return withExtendedLifetime((buffer, associatedData)) { result }
  }
}
