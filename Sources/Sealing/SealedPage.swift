/// How a sealed page lies in its buffer: the envelope and the birth in the clear, then ciphertext to the end.
///
/// The key of the tag is made from the open id and the nonce from the counter, so neither is under the tag: changing one is asking for
/// another key or nonce. File id, page number and birth are associated data: a page put into another file or place, or an older one of
/// the same place, isn't authentic.
package enum SealedPage {
  /// 16 bytes.
  package static let tag = 0
  /// 16 random bytes: which open of an engine sealed the page.
  package static let openID = 16
  /// u64: how many pages that open had sealed. Never used twice, so it is the nonce.
  package static let counter = 32
  package static let envelopeByteCount = 40
  /// u64: the transaction that made the page.
  package static let birth = 40
  /// Where the ciphertext begins, from the start of the page.
  package static let text = 48
}
