import MailboxLog

/// An entry in the quarantine, as its row holds it. Its position is in the key.
struct QuarantineRow: Equatable {
  static let reasonByteCountMax = 1_024
  static let appVersionByteCountMax = 255

  var isOpened: Bool
  var hasFields: Bool
  var id: [UInt8]
  var reason: [UInt8]
  var appVersion: [UInt8]?
  var schemaVersion: UInt32
  var attemptCount: UInt32
  var retryCount: UInt32 = 0
  var appendedAt: LogTimestamp
  var quarantinedAt: LogTimestamp
  var waiting: UInt64
  var bytes: [UInt8]

  /// The entry as the mailbox had it.
  func withEntry<R>(at position: MailboxPosition, _ body: (borrowing MailboxEntry) throws -> R) throws -> R {
    try body(
      MailboxEntry(
        id: id, encodedValue: bytes, hasFields: hasFields, schemaVersion: schemaVersion, position: position, appendedAt: appendedAt)
    )
  }

  /// Text of at most that many bytes, cut where a character begins.
  static func bounded(_ text: String, _ byteCountMax: Int) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.count > byteCountMax else { return bytes }
    var end = byteCountMax
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }
}

extension QuarantineRow {
  private typealias Offset = LedgerFormat.QuarantineRow
  private enum Flag {
    static let opened: UInt8 = 1
    static let fields: UInt8 = 2
    static let appVersion: UInt8 = 4
  }

  /// nil when it is damaged.
  init?(_ value: [UInt8], forKey key: [UInt8]) {
    guard let row = LedgerBytes(value, forKey: key, byteCountMin: Offset.parts) else { return nil }
    let flags = row.integer(UInt8.self, at: Offset.flags)
    var rest = row.variablePart(from: Offset.parts)
    func take(_ count: Int) -> [UInt8]? {
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    guard let id = take(Int(row.integer(UInt32.self, at: Offset.idByteCount))),
      let reason = take(Int(row.integer(UInt16.self, at: Offset.reasonByteCount))),
      let appVersion = take(Int(row.integer(UInt8.self, at: Offset.appVersionByteCount)))
    else { return nil }
    self.init(
      isOpened: flags & Flag.opened != 0, hasFields: flags & Flag.fields != 0, id: id, reason: reason,
      appVersion: flags & Flag.appVersion != 0 ? appVersion : nil,
      schemaVersion: row.integer(UInt32.self, at: Offset.schemaVersion),
      attemptCount: row.integer(UInt32.self, at: Offset.attemptCount),
      retryCount: row.integer(UInt32.self, at: Offset.retryCount),
      appendedAt: row.time(at: Offset.appendedAt), quarantinedAt: row.time(at: Offset.quarantinedAt),
      waiting: row.integer(UInt64.self, at: Offset.waiting), bytes: Array(rest))
  }

  func value(forKey key: [UInt8]) -> [UInt8] {
    let version = appVersion ?? []
    var row = LedgerBytes(byteCount: Offset.parts)
    let flags = (isOpened ? Flag.opened : 0) | (hasFields ? Flag.fields : 0) | (appVersion != nil ? Flag.appVersion : 0)
    row.put(flags, at: Offset.flags)
    row.put(UInt8(version.count), at: Offset.appVersionByteCount)
    row.put(UInt16(reason.count), at: Offset.reasonByteCount)
    row.put(UInt32(id.count), at: Offset.idByteCount)
    row.put(schemaVersion, at: Offset.schemaVersion)
    row.put(attemptCount, at: Offset.attemptCount)
    row.put(retryCount, at: Offset.retryCount)
    row.put(appendedAt, at: Offset.appendedAt)
    row.put(quarantinedAt, at: Offset.quarantinedAt)
    row.put(waiting, at: Offset.waiting)
    for part in [id, reason, version, bytes] { row.append(part) }
    return row.stored(forKey: key)
  }
}
