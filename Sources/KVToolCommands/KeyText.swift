import MailboxLog
import RawMemory

/// The forms in which a key comes: 32 or 64 raw bytes, or their hex with at most one line end after it.
enum KeyText {
  /// More than any key has: a source is read no further.
  static let byteCountMax = 256

  /// Decodes in place, so that no copy of the key is left behind. Hex is looked for first: 64 hex digits are a key of 32 bytes.
  ///
  /// - Returns: how many bytes at the start of the buffer are the key.
  static func decode(_ buffer: ByteBuffer, count: Int) throws(ToolFailure) -> Int {
    let digits = count - lineEndCount(buffer, count)
    if digits == 64 || digits == 128, decodeHexadecimal(buffer, digits) { return digits / 2 }
    if count == 32 || count == 64 { return count }
    throw ToolFailure(
      .noPermission, "a key is 32 or 64 bytes, or their hex, not \(count) bytes\(count >= byteCountMax ? " or more" : "")")
  }

  /// The key that the buffer holds; the buffer is wiped on every way out.
  static func key(_ buffer: ByteBuffer, count: Int) throws -> EncryptionKey {
    defer { buffer.zero(0..<buffer.count) }
    let byteCount = try decode(buffer, count: count)
    return try buffer.withSpan(0..<byteCount) { span throws(LogError) in try EncryptionKey(span) }
  }

  private static func lineEndCount(_ buffer: ByteBuffer, _ count: Int) -> Int {
    guard count > 0, buffer.load(UInt8.self, at: count - 1) == 0x0A else { return 0 }
    return count > 1 && buffer.load(UInt8.self, at: count - 2) == 0x0D ? 2 : 1
  }

  /// - Returns: false, and the buffer is as it was, when something isn't a digit.
  private static func decodeHexadecimal(_ buffer: ByteBuffer, _ digits: Int) -> Bool {
    for index in 0..<digits where Hexadecimal.value(buffer.load(UInt8.self, at: index)) == nil { return false }
    for index in 0..<digits / 2 {
      let high = Hexadecimal.value(buffer.load(UInt8.self, at: 2 * index)) ?? 0
      let low = Hexadecimal.value(buffer.load(UInt8.self, at: 2 * index + 1)) ?? 0
      buffer.store(high << 4 | low, at: index)
    }
    return true
  }
}
