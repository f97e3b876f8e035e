import CSystem

/// Memory for secrets from the system alone: a page between two that nobody may touch, locked where the limits allow.
enum GuardedMemory {
  /// A page of zeros. - Returns: nil without memory.
  static func allocatePage(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let whole = unsafe mmap(nil, 3 * byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let whole = unsafe whole, unsafe whole != anteroom_map_failed() else { return nil }
    let page = unsafe whole + byteCount
    guard unsafe mprotect(page, byteCount, PROT_READ | PROT_WRITE) == 0 else {
      unsafe _ = munmap(whole, 3 * byteCount)
      return nil
    }
    // Best effort: without the right to lock, the page may be swapped.
    unsafe _ = mlock(page, byteCount)
    return unsafe page
  }

  static func free(_ page: UnsafeMutableRawPointer, _ byteCount: Int) {
    unsafe wipe(page, byteCount)
    unsafe _ = munmap(page - byteCount, 3 * byteCount)
  }

  static func wipe(_ address: UnsafeMutableRawPointer, _ byteCount: Int) { unsafe anteroom_wipe(address, byteCount) }
}
