import MailboxLog

/// A value of the ledger while it is made or read: version first, check last.
struct LedgerBytes {
  private(set) var bytes: [UInt8]

  /// A value to fill.
  /// - Parameter byteCount: without the check and the variable part.
  init(byteCount: Int) {
    bytes = [UInt8](repeating: 0, count: byteCount)
    bytes[0] = LedgerFormat.version
  }

  /// A stored value without its check; nil when it isn't one of this version, is too short or fails the check.
  init?(_ stored: [UInt8], forKey key: [UInt8], byteCountMin: Int) {
    let count = stored.count - LedgerFormat.checkByteCount
    guard count >= byteCountMin, stored[0] == LedgerFormat.version else { return nil }
    bytes = Array(stored[..<count])
    guard Array(stored[count...]) == check(forKey: key) else { return nil }
  }

  /// The same, for values of one length.
  init?(_ stored: [UInt8], forKey key: [UInt8], byteCount: Int) {
    guard stored.count == byteCount + LedgerFormat.checkByteCount else { return nil }
    self.init(stored, forKey: key, byteCountMin: byteCount)
  }

  func stored(forKey key: [UInt8]) -> [UInt8] { bytes + check(forKey: key) }

  mutating func put<I: FixedWidthInteger>(_ value: I, at offset: Int) {
    for i in 0..<(I.bitWidth / 8) { bytes[offset + i] = UInt8(truncatingIfNeeded: value >> (8 * i)) }
  }
  mutating func put(_ time: LogTimestamp, at offset: Int) { put(time.secondsSinceReferenceDate.bitPattern, at: offset) }
  mutating func put(_ position: MailboxPosition, at offset: Int) {
    bytes.replaceSubrange(offset..<(offset + LedgerFormat.positionByteCount), with: LedgerKey.bytes(position))
  }
  mutating func append(_ part: some Collection<UInt8>) { bytes += part }

  func integer<I: FixedWidthInteger>(_ type: I.Type, at offset: Int) -> I {
    (0..<(I.bitWidth / 8)).reduce(0) { $0 | I(truncatingIfNeeded: bytes[offset + $1]) << I(8 * $1) }
  }
  func time(at offset: Int) -> LogTimestamp {
    LogTimestamp(secondsSinceReferenceDate: Double(bitPattern: integer(UInt64.self, at: offset)))
  }
  func position(at offset: Int) -> MailboxPosition {
    LedgerKey.position(bytes[offset..<(offset + LedgerFormat.positionByteCount)])
  }

  /// FNV-1a.
  static func hash(_ bytes: some Sequence<UInt8>, after start: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private func check(forKey key: [UInt8]) -> [UInt8] {
    let hash = Self.hash(bytes, after: Self.hash(key))
    let folded = UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    return (0..<4).map { UInt8(truncatingIfNeeded: folded >> (8 * $0)) }
  }
}
