import RawMemory
import StorageIO

/// Values of 48 bits with 16 bits of check in one word, so that one atomic store carries both.
///
/// The check is a folded CRC-32 over the file's identifier, the word's index and the value: a word of another file, of another
/// place, or with a damaged byte doesn't pass, nor does zero.
struct WordCoding {
  static let valueMax: UInt64 = (1 << 48) - 1
  private let seed: UInt32

  init(identifier: MailboxSegmentID) {
    seed = Checksum.crc32(of: identifier.low, seed: Checksum.crc32(of: identifier.high))
  }

  func encode(_ value: UInt64, index: UInt64) -> UInt64 {
    let value = value & Self.valueMax
    return value | check(value, index) << 48
  }

  /// nil when the check fails.
  func decode(_ word: UInt64, index: UInt64) -> UInt64? {
    let value = word & Self.valueMax
    return word >> 48 == check(value, index) ? value : nil
  }

  private func check(_ value: UInt64, _ index: UInt64) -> UInt64 {
    let checksum = Checksum.crc32(of: value | index << 48, seed: seed)
    let folded = UInt64((checksum ^ checksum >> 16) & 0xFFFF)
    return folded == 0 ? 0xFFFF : folded
  }
}
