/// What a page is sealed along with, 32 bytes: file id, page number, birth.
struct PageAssociatedData {
  /// The bytes in memory order.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  init(fileID: (UInt64, UInt64), page: UInt64, birth: UInt64) {
    words = (fileID.0.littleEndian, fileID.1.littleEndian, page.littleEndian, birth.littleEndian)
  }

  func withBytes<R>(_ body: (UnsafePointer<UInt8>, UInt64) -> R) -> R {
    unsafe withUnsafeBytes(of: words) { bytes in
      unsafe body(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }
  }
}
