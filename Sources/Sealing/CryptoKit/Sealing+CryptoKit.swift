#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
  import RawMemory

  /// ChaCha20-Poly1305 (RFC 8439) in place, with a detached tag. CryptoKit works beside the text: what it returns is copied into place and
  /// its own memory is for it to wipe.
  enum ChaCha20Poly1305 {
    static let keyByteCount = 32
    static let tagByteCount = 16

    static func seal(
      _ buffer: ByteBuffer, _ plaintext: Range<Int>, tagAt tagOffset: Int, associatedData: ByteBuffer,
      _ associatedRange: Range<Int>,
      nonce: Nonce, key: Span<UInt8>
    ) {
      let text = unsafe bytes(buffer, plaintext)
      let tag = unsafe bytes(buffer, tagOffset..<tagOffset + tagByteCount)
      unsafe seal(text, tag, UnsafeRawBufferPointer(bytes(associatedData, associatedRange)), nonce, key)
      withExtendedLifetime((buffer, associatedData)) {}
    }

    static func open(
      _ buffer: ByteBuffer, _ ciphertext: Range<Int>, tagAt tagOffset: Int, associatedData: ByteBuffer,
      _ associatedRange: Range<Int>,
      nonce: Nonce, key: Span<UInt8>
    ) -> Bool {
      let text = unsafe bytes(buffer, ciphertext)
      let tag = unsafe bytes(buffer, tagOffset..<tagOffset + tagByteCount)
      let data = unsafe UnsafeRawBufferPointer(bytes(associatedData, associatedRange))
      return withExtendedLifetime((buffer, associatedData)) { unsafe open(text, tag, data, nonce, key) }
    }

    /// The text alone, into another buffer: what zeros are sealed to is the key stream.
    static func reveal(_ source: ByteBuffer, _ range: Range<Int>, nonce: Nonce, key: Span<UInt8>, to target: ByteBuffer) {
      let zeros = [UInt8](repeating: 0, count: range.count)
      guard let stream = try? ChaChaPoly.seal(zeros, using: symmetric(key), nonce: chosen(nonce)) else {
        preconditionFailure("CryptoKit refused a call")
      }
      for (index, byte) in stream.ciphertext.enumerated() {
        target.store(source.load(UInt8.self, at: range.lowerBound + index) ^ byte, at: index)
      }
    }

    // MARK: Pages

    static func sealPage(
      _ buffer: ByteBuffer, at start: Int, byteCount: Int, associatedData: PageAssociatedData, nonce: Nonce, key: Span<UInt8>
    ) {
      let tag = unsafe bytes(buffer, start + SealedPage.tag..<start + SealedPage.tag + tagByteCount)
      let text = unsafe bytes(buffer, start + SealedPage.text..<start + byteCount)
      unsafe associatedData.withBytes { unsafe seal(text, tag, UnsafeRawBufferPointer(start: $0, count: Int($1)), nonce, key) }
      withExtendedLifetime(buffer) {}
    }

    static func openPage(
      _ buffer: ByteBuffer, at start: Int, byteCount: Int, associatedData: PageAssociatedData, nonce: Nonce, key: Span<UInt8>
    ) -> Bool {
      let tag = unsafe bytes(buffer, start + SealedPage.tag..<start + SealedPage.tag + tagByteCount)
      let text = unsafe bytes(buffer, start + SealedPage.text..<start + byteCount)
      return withExtendedLifetime(buffer) {
        unsafe associatedData.withBytes { unsafe open(text, tag, UnsafeRawBufferPointer(start: $0, count: Int($1)), nonce, key) }
      }
    }

    // MARK: Calls

    private static func bytes(_ buffer: ByteBuffer, _ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
      unsafe buffer.withUnsafeAddress(range) { unsafe UnsafeMutableRawBufferPointer(start: $0, count: range.count) }
    }

    private static func seal(
      _ text: UnsafeMutableRawBufferPointer, _ tag: UnsafeMutableRawBufferPointer, _ data: UnsafeRawBufferPointer, _ nonce: Nonce,
      _ key: Span<UInt8>
    ) {
      let plaintext = UnsafeRawBufferPointer(text)
      guard
        let box = unsafe try? ChaChaPoly.seal(plaintext, using: symmetric(key), nonce: chosen(nonce), authenticating: data)
      else { preconditionFailure("CryptoKit refused a call") }
      unsafe text.copyBytes(from: box.ciphertext)
      unsafe tag.copyBytes(from: box.tag)
    }

    /// The text stays as it is when the tag doesn't fit.
    private static func open(
      _ text: UnsafeMutableRawBufferPointer, _ tag: UnsafeMutableRawBufferPointer, _ data: UnsafeRawBufferPointer, _ nonce: Nonce,
      _ key: Span<UInt8>
    ) -> Bool {
      let ciphertext = UnsafeRawBufferPointer(text)
      let box = unsafe try? ChaChaPoly.SealedBox(nonce: chosen(nonce), ciphertext: ciphertext, tag: UnsafeRawBufferPointer(tag))
      guard let box, let plaintext = unsafe try? ChaChaPoly.open(box, using: symmetric(key), authenticating: data) else {
        return false
      }
      unsafe text.copyBytes(from: plaintext)
      return true
    }

    private static func symmetric(_ key: Span<UInt8>) -> SymmetricKey {
      precondition(key.count == keyByteCount)
      return unsafe key.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }

    private static func chosen(_ nonce: Nonce) -> ChaChaPoly.Nonce {
      guard let chosen = unsafe withUnsafeBytes(of: nonce.words, { unsafe try? ChaChaPoly.Nonce(data: $0) }) else {
        preconditionFailure("a nonce has 12 bytes")
      }
      return chosen
    }
  }
#endif
