import MailboxLog

/// The keys of the ledger, made and taken apart.
enum LedgerKey {
  static let counters = LedgerFormat.Prefix.counters

  static func order(_ number: UInt64) -> [UInt8] { LedgerFormat.Prefix.order + bigEndian(number) }
  static func waiting(_ number: UInt64) -> [UInt8] { LedgerFormat.Prefix.waiting + bigEndian(number) }
  static func segment(_ id: MailboxSegmentID) -> [UInt8] { LedgerFormat.Prefix.segment + bigEndian(id.high) + bigEndian(id.low) }
  static func quarantine(_ position: MailboxPosition) -> [UInt8] { LedgerFormat.Prefix.quarantine + bytes(position) }

  /// What stands for an entry's id in the window.
  static func entry(id: String) -> [UInt8] { named(id.utf8, .id, digest: .idDigest) }
  /// What stands for the app's duplicate key.
  static func entry(duplicateKey: String) -> [UInt8] { named(duplicateKey.utf8, .key, digest: .keyDigest) }

  private static func named(
    _ name: String.UTF8View, _ kind: LedgerFormat.EntryKind, digest: LedgerFormat.EntryKind
  ) -> [UInt8] {
    let count = name.count
    guard count <= LedgerFormat.readableIDByteCountMax else { return [digest.rawValue] + mailboxDigest(Array(name)) }
    var key: [UInt8] = []
    key.reserveCapacity(1 + count)
    key.append(kind.rawValue)
    key += name
    return key
  }

  /// The number at the end of an `order/` or a `waiting/` key.
  static func number(_ key: [UInt8], after prefix: [UInt8]) -> UInt64? {
    key.count == prefix.count + 8 ? integer(key[prefix.count...]) : nil
  }
  static func segment(_ key: [UInt8]) -> MailboxSegmentID? {
    let start = LedgerFormat.Prefix.segment.count
    guard key.count == start + 16 else { return nil }
    return MailboxSegmentID(high: integer(key[start..<(start + 8)]), low: integer(key[(start + 8)...]))
  }

  /// What stands for a mailbox in its segments' rows: its path as given and its directory. One alone could be another mailbox's, by a
  /// relative path or on another file system; where they differ for one mailbox, its rows only stay longer than they need to.
  static func mailboxTag(_ directory: String, identity: UInt64) -> UInt64 {
    LedgerBytes.hash(bigEndian(identity), after: LedgerBytes.hash(directory.utf8))
  }

  static func bytes(_ position: MailboxPosition) -> [UInt8] {
    bigEndian(position.segment.high) + bigEndian(position.segment.low) + bigEndian(position.sequence)
  }

  private static func bigEndian(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension MailboxSegmentID {
  /// 32 hex digits.
  var text: String { Self.hex(high) + Self.hex(low) }

  private static func hex(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension PromotionTransaction {
  /// The rows under one prefix, in order, until `body` returns false.
  func forEachLedgerRow(
    prefix: [UInt8], from lowerBound: [UInt8]? = nil, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try forEachLedgerValue(from: lowerBound ?? prefix) { key, value in
      guard key.starts(with: prefix) else { return false }
      return try body(key, value)
    }
  }
}
