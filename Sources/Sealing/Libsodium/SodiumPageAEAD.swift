import CSodium
import RawMemory

extension ChaCha20Poly1305 {
  /// Seals the text of the page at `start` in place and writes the tag.
  static func sealPage(
    _ buffer: ByteBuffer, at start: Int, byteCount: Int, associatedData: PageAssociatedData, nonce: Nonce, key: Span<UInt8>
  ) {
    unsafe withPage(buffer, start, byteCount, associatedData, nonce, key) { tag, text, count, data, dataCount, nonce, key in
      unsafe _ = crypto_aead_chacha20poly1305_ietf_encrypt_detached(text, tag, nil, text, count, data, dataCount, nil, nonce, key)
    }
  }

  /// Opens the text of the page at `start` in place if the tag fits. If not, nothing is changed.
  static func openPage(
    _ buffer: ByteBuffer, at start: Int, byteCount: Int, associatedData: PageAssociatedData, nonce: Nonce, key: Span<UInt8>
  ) -> Bool {
    unsafe withPage(buffer, start, byteCount, associatedData, nonce, key) { tag, text, count, data, dataCount, nonce, key in
      // Verified first and decrypted by itself: in one call a wrong tag would zero the text.
      let status = unsafe crypto_aead_chacha20poly1305_ietf_decrypt_detached(
        nil, nil, text, count, tag, data, dataCount, nonce, key)
      guard status == 0 else { return false }
      // RFC 8439, 2.8: block 0 of the key stream made the Poly1305 key, the text begins with block 1.
      unsafe _ = crypto_stream_chacha20_ietf_xor_ic(text, text, count, nonce, 1, key)
      return true
    }
  }

  private typealias Bytes = UnsafeMutablePointer<UInt8>
  private typealias ConstantBytes = UnsafePointer<UInt8>

  @inline(__always)
  private static func withPage<R>(
    _ buffer: ByteBuffer, _ start: Int, _ byteCount: Int, _ associatedData: PageAssociatedData, _ nonce: Nonce, _ key: Span<UInt8>,
    _ body: (Bytes, Bytes, UInt64, ConstantBytes, UInt64, ConstantBytes, ConstantBytes) -> R
  ) -> R {
    precondition(byteCount >= SealedPage.text && key.count == keyByteCount)
    return unsafe buffer.withUnsafeAddress(start..<start + byteCount) { page in
      let tag = unsafe (page + SealedPage.tag).assumingMemoryBound(to: UInt8.self)
      let text = unsafe (page + SealedPage.text).assumingMemoryBound(to: UInt8.self)
      return unsafe associatedData.withBytes { data, dataCount in
        unsafe withUnsafeBytes(of: nonce.words) { nonce in
          unsafe key.withUnsafeBufferPointer { key in
            unsafe body(
              tag, text, UInt64(byteCount - SealedPage.text), data, dataCount,
              nonce.baseAddress!.assumingMemoryBound(to: UInt8.self), key.baseAddress!)
          }
        }
      }
    }
  }
}
