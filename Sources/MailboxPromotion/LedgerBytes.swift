import MailboxLog

/// A value of the ledger while it is made or read: version first, check last.
///
/// Each is one array, and nothing is done by way of another.
struct LedgerBytes {
  private(set) var bytes: [UInt8]
  /// Without the check, which is behind it in a value that was read.
  private(set) var count: Int

  /// A value to fill.
  /// - Parameters:
  ///   - byteCount: without the check and the variable part.
  ///   - variableByteCount: what is going to be appended.
  init(byteCount: Int, variableByteCount: Int = 0) {
    bytes = []
    bytes.reserveCapacity(byteCount + variableByteCount + LedgerFormat.checkByteCount)
    bytes.append(LedgerFormat.version)
    for _ in 1..<byteCount { bytes.append(0) }
    count = byteCount
  }

  /// A stored value; nil when it isn't one of this version, is too short or fails the check.
  init?(_ stored: [UInt8], forKey key: [UInt8], byteCountMin: Int) {
    let end = stored.count - LedgerFormat.checkByteCount
    guard end >= byteCountMin, stored[0] == LedgerFormat.version else { return nil }
    bytes = stored
    count = end
    guard integer(UInt32.self, at: end) == check(forKey: key) else { return nil }
  }

  /// The same, for values of one length.
  init?(_ stored: [UInt8], forKey key: [UInt8], byteCount: Int) {
    guard stored.count == byteCount + LedgerFormat.checkByteCount else { return nil }
    self.init(stored, forKey: key, byteCountMin: byteCount)
  }

  /// What is filled, with its check.
  consuming func stored(forKey key: [UInt8]) -> [UInt8] {
    let check = check(forKey: key)
    var bytes = bytes
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: check >> (8 * shift))) }
    return bytes
  }

  mutating func put<I: FixedWidthInteger>(_ value: I, at offset: Int) {
    for i in 0..<(I.bitWidth / 8) { bytes[offset + i] = UInt8(truncatingIfNeeded: value >> (8 * i)) }
  }
  mutating func put(_ time: LogTimestamp, at offset: Int) { put(time.secondsSinceReferenceDate.bitPattern, at: offset) }
  mutating func put(_ segment: MailboxSegmentID, at offset: Int) {
    put(segment.high.bigEndian, at: offset)
    put(segment.low.bigEndian, at: offset + 8)
  }
  mutating func put(_ position: MailboxPosition, at offset: Int) {
    put(position.segment, at: offset)
    put(position.sequence.bigEndian, at: offset + 16)
  }
  mutating func append(_ part: some Collection<UInt8>) {
    bytes += part
    count = bytes.count
  }

  func integer<I: FixedWidthInteger>(_ type: I.Type, at offset: Int) -> I {
    Self.integer(type, at: offset, in: bytes)
  }
  func time(at offset: Int) -> LogTimestamp {
    LogTimestamp(secondsSinceReferenceDate: Double(bitPattern: integer(UInt64.self, at: offset)))
  }
  func segment(at offset: Int) -> MailboxSegmentID {
    MailboxSegmentID(high: integer(UInt64.self, at: offset).bigEndian, low: integer(UInt64.self, at: offset + 8).bigEndian)
  }
  func position(at offset: Int) -> MailboxPosition {
    MailboxPosition(segment: segment(at: offset), sequence: integer(UInt64.self, at: offset + 16).bigEndian)
  }
  /// What follows the fields.
  func variablePart(from offset: Int) -> ArraySlice<UInt8> { bytes[offset..<count] }

  static func integer<I: FixedWidthInteger>(_ type: I.Type, at offset: Int, in bytes: [UInt8]) -> I {
    var value: I = 0
    for i in 0..<(I.bitWidth / 8) { value |= I(truncatingIfNeeded: bytes[offset + i]) << I(8 * i) }
    return value
  }
  static func append<I: FixedWidthInteger>(_ value: I, to bytes: inout [UInt8]) {
    for i in 0..<(I.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
  }

  /// FNV-1a.
  static func hash(_ bytes: some Sequence<UInt8>, after start: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    var hash = start
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }

  private func check(forKey key: [UInt8]) -> UInt32 {
    var hash = Self.hash(key)
    for index in 0..<count { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
