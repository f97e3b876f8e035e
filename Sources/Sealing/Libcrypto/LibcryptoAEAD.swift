import CLibcrypto
import RawMemory

/// ChaCha20-Poly1305 (RFC 8439) in place, with a detached tag.
enum ChaCha20Poly1305 {
  static let keyByteCount = 32
  static let tagByteCount = 16

  static func seal(
    _ buffer: ByteBuffer, _ plaintext: Range<Int>, tagAt tagOffset: Int, associatedData: ByteBuffer, _ associatedRange: Range<Int>,
    nonce: Nonce, key: Span<UInt8>
  ) {
    let text = unsafe bytes(buffer, plaintext)
    let tag = unsafe bytes(buffer, tagOffset..<tagOffset + tagByteCount)
    unsafe seal(text, plaintext.count, tag, bytes(associatedData, associatedRange), associatedRange.count, nonce, key)
    withExtendedLifetime((buffer, associatedData)) {}
  }

  static func open(
    _ buffer: ByteBuffer, _ ciphertext: Range<Int>, tagAt tagOffset: Int, associatedData: ByteBuffer, _ associatedRange: Range<Int>,
    nonce: Nonce, key: Span<UInt8>
  ) -> Bool {
    let text = unsafe bytes(buffer, ciphertext)
    let tag = unsafe bytes(buffer, tagOffset..<tagOffset + tagByteCount)
    let data = unsafe bytes(associatedData, associatedRange)
    return withExtendedLifetime((buffer, associatedData)) {
      unsafe open(text, ciphertext.count, tag, data, associatedRange.count, nonce, key)
    }
  }

  /// The text alone, into another buffer.
  static func reveal(_ source: ByteBuffer, _ range: Range<Int>, nonce: Nonce, key: Span<UInt8>, to target: ByteBuffer) {
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    // Sixteen bytes of start: the counter of the block, which is 1 for the first of the text, and the nonce.
    let start = (UInt32(1).littleEndian, nonce.words.0, nonce.words.1, nonce.words.2)
    unsafe withUnsafeBytes(of: start) { start in
      unsafe key.withUnsafeBufferPointer { key in
        let start = unsafe start.baseAddress!.assumingMemoryBound(to: UInt8.self)
        require(unsafe EVP_EncryptInit_ex(context, EVP_chacha20(), nil, key.baseAddress!, start))
      }
    }
    var count: Int32 = 0
    require(unsafe EVP_EncryptUpdate(context, bytes(target, 0..<range.count), &count, bytes(source, range), Int32(range.count)))
    withExtendedLifetime((source, target)) {}
  }

  // MARK: Pages

  static func sealPage(
    _ buffer: ByteBuffer, at start: Int, byteCount: Int, associatedData: PageAssociatedData, nonce: Nonce, key: Span<UInt8>
  ) {
    let tag = unsafe bytes(buffer, start + SealedPage.tag..<start + SealedPage.tag + tagByteCount)
    let text = unsafe bytes(buffer, start + SealedPage.text..<start + byteCount)
    unsafe associatedData.withBytes { unsafe seal(text, byteCount - SealedPage.text, tag, $0, Int($1), nonce, key) }
    withExtendedLifetime(buffer) {}
  }

  static func openPage(
    _ buffer: ByteBuffer, at start: Int, byteCount: Int, associatedData: PageAssociatedData, nonce: Nonce, key: Span<UInt8>
  ) -> Bool {
    let tag = unsafe bytes(buffer, start + SealedPage.tag..<start + SealedPage.tag + tagByteCount)
    let text = unsafe bytes(buffer, start + SealedPage.text..<start + byteCount)
    return withExtendedLifetime(buffer) {
      unsafe associatedData.withBytes { unsafe open(text, byteCount - SealedPage.text, tag, $0, Int($1), nonce, key) }
    }
  }

  // MARK: Calls

  private typealias Bytes = UnsafeMutablePointer<UInt8>
  private typealias ConstantBytes = UnsafePointer<UInt8>

  private static func bytes(_ buffer: ByteBuffer, _ range: Range<Int>) -> Bytes {
    unsafe buffer.withUnsafeAddress(range) { unsafe $0.assumingMemoryBound(to: UInt8.self) }
  }

  private static func seal(
    _ text: Bytes, _ count: Int, _ tag: Bytes, _ data: ConstantBytes, _ dataCount: Int, _ nonce: Nonce, _ key: Span<UInt8>
  ) {
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    unsafe withStart(nonce, key) { require(unsafe EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, $0, $1)) }
    var done: Int32 = 0
    require(unsafe EVP_EncryptUpdate(context, nil, &done, data, Int32(dataCount)))
    if count > 0 { require(unsafe EVP_EncryptUpdate(context, text, &done, text, Int32(count))) }
    require(unsafe EVP_EncryptFinal_ex(context, tag, &done))
    require(unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), tag))
  }

  /// Beside the text, which stays as it is when the tag doesn't fit.
  private static func open(
    _ text: Bytes, _ count: Int, _ tag: Bytes, _ data: ConstantBytes, _ dataCount: Int, _ nonce: Nonce, _ key: Span<UInt8>
  ) -> Bool {
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    unsafe withStart(nonce, key) { require(unsafe EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, $0, $1)) }
    var done: Int32 = 0
    require(unsafe EVP_DecryptUpdate(context, nil, &done, data, Int32(dataCount)))
    let plain = Bytes.allocate(capacity: count + tagByteCount)
    defer {
      unsafe GuardedMemory.wipe(plain, count)
      unsafe plain.deallocate()
    }
    if count > 0 { require(unsafe EVP_DecryptUpdate(context, plain, &done, text, Int32(count))) }
    require(unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), tag))
    guard unsafe EVP_DecryptFinal_ex(context, plain + count, &done) == 1 else { return false }
    unsafe text.update(from: plain, count: count)
    return true
  }

  private static func withStart(_ nonce: Nonce, _ key: Span<UInt8>, _ body: (ConstantBytes, ConstantBytes) -> Void) {
    precondition(key.count == keyByteCount)
    unsafe withUnsafeBytes(of: nonce.words) { nonce in
      unsafe key.withUnsafeBufferPointer { key in
        unsafe body(key.baseAddress!, nonce.baseAddress!.assumingMemoryBound(to: UInt8.self))
      }
    }
  }

  private static func require(_ status: Int32) { precondition(status == 1, "libcrypto refused a call") }
}
