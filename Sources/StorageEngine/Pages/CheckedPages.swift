import RawMemory

/// Which pages this process has checked already: a fixed-size table by page number, one word each, that holds the birth.
///
/// Two pages that share a place push each other out and are checked again; a page that was reused has another birth. Words are set by
/// any thread at any time.
final class CheckedPages: Sendable {
  private let words: Mapping
  private let mask: Int

  /// - Parameter count: a power of two.
  init(count: Int) {
    words = Mapping.anonymous(count: count * 8)
    mask = count - 1
  }

  @inline(__always) private func word(_ page: PageNumber, _ birth: TransactionID) -> UInt64 {
    // The page's high bits go in as well: places are shared.
    (birth ^ (UInt64(page) &* 0x9E37_79B9_7F4A_7C15)) | 1 << 63
  }
  @inline(__always) func contains(_ page: PageNumber, _ birth: TransactionID) -> Bool {
    words.loadAcquire(at: (Int(page) & mask) * 8) == word(page, birth)
  }
  func insert(_ page: PageNumber, _ birth: TransactionID) { words.storeRelease(word(page, birth), at: (Int(page) & mask) * 8) }
}
