import CSodium

/// Memory for secrets from libsodium.
enum GuardedMemory {
  /// A page of zeros. - Parameter byteCount: exactly one page of the system's size, because libsodium puts the end of a block at the end of
  /// a page; a mark for forks needs the start of one. - Returns: nil without memory.
  static func allocatePage(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    CryptoLibrary.require()
    guard let address = unsafe sodium_malloc(byteCount) else { return nil }
    unsafe sodium_memzero(address, byteCount)
    return unsafe address
  }

  static func free(_ page: UnsafeMutableRawPointer, _ byteCount: Int) { unsafe sodium_free(page) }
  static func wipe(_ address: UnsafeMutableRawPointer, _ byteCount: Int) { unsafe sodium_memzero(address, byteCount) }
}
