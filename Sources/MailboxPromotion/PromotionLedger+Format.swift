import MailboxLog

/// The ledger's format: the only place where its keys and offsets are declared.
///
/// A key is an ASCII prefix and then bytes; integers and positions in keys are big-endian, so that rows come in their order.
/// A value is a version byte, fields at fixed offsets in little-endian (a position is 24 bytes in the form of a key), at most
/// one variable part, and a check of 4 bytes over key and value, which tells damage, and a row under another row's key.
enum LedgerFormat {
  static let version: UInt8 = 1
  /// The check ends every value. FNV-1a over the key, then the value before the check, 64 bits folded to 32.
  static let checkByteCount = 4
  /// Segment id (high, low) and sequence: 3 times 8 bytes, big-endian.
  static let positionByteCount = 24
  static let keyByteCountMax = 512
  /// Longer ids go by their digest.
  static let readableIDByteCountMax = 400

  enum Prefix {
    static let counters = Array("counters".utf8)
    /// Then the id; or the digest of one that is too long.
    static let id = Array("id/".utf8)
    static let idDigest = Array("id#".utf8)
    /// The same for what `PromotionOptions.duplicateKey` returned.
    static let key = Array("key/".utf8)
    static let keyDigest = Array("key#".utf8)
    /// Then the first one's order number, 8 bytes: the remembered ids, oldest first.
    static let order = Array("order/".utf8)
    /// Then the position, 24 bytes: an entry in the quarantine.
    static let quarantine = Array("quarantine/".utf8)
    /// Then the segment id, 16 bytes: the last promoted sequence.
    static let segment = Array("segment/".utf8)
    /// Then the order number, 8 bytes: the quarantine, oldest first.
    static let waiting = Array("waiting/".utf8)
  }

  /// `segment/`. Guards against promoting an entry twice, without a limit in time.
  enum SegmentRow {
    static let sequence = 1
    /// The hash of the mailbox's path: a promoter drops the rows of its own mailbox only, since several may share a store.
    static let mailbox = 9
    static let byteCount = 17
  }
  /// `id/`, `id#`, `key/`, `key#`. Guards against one id twice, and against replays when a segment's row is lost.
  enum EntryRow {
    static let order = 1
    /// Bits of `LogTimestamp.secondsSinceReferenceDate`, as all times here.
    static let appendedAt = 9
    static let position = 17
    static let byteCount = 41
  }
  /// `order/`. Lets the oldest ids be found without a scan. Several share a row, since one each is a third of a promotion's writes.
  /// The variable part is, for each id, its row's key behind the key's length in 2 bytes.
  enum OrderRow {
    static let recordedAt = 1
    static let entryKeys = 9
    static let byteCountMax = 600

    static func byteCount(entryKey: [UInt8]) -> Int { 2 + entryKey.count }
    /// With its key, without ids.
    static let fixedByteCount = Prefix.order.count + 8 + entryKeys + checkByteCount
  }
  /// `counters`. Derived from the other rows but for the totals; made anew when damaged or absent.
  enum CountersRow {
    static let windowEntryCount = 1
    static let windowByteCount = 9
    static let nextOrder = 17
    static let quarantinedCount = 25
    static let nextWaiting = 33
    static let promotedCount = 41
    static let duplicateCount = 49
    /// 0 before the first.
    static let lastPromotedAt = 57
    static let byteCount = 65
  }
  /// `quarantine/`. The variable part is id, reason, app version and bytes, one after the other.
  enum QuarantineRow {
    /// Bit 0: the record was opened. Bit 1: its bytes are fields. Bit 2: there is an app version.
    static let flags = 1
    static let appVersionByteCount = 2
    static let reasonByteCount = 3
    static let idByteCount = 5
    static let schemaVersion = 9
    static let attemptCount = 13
    /// Tries by itself under this app version.
    static let retryCount = 17
    static let appendedAt = 21
    static let quarantinedAt = 29
    static let waiting = 37
    static let parts = 45
  }
  /// `waiting/`. Keeps the quarantine's order and lets a retry go on where a batch ended.
  enum WaitingRow {
    static let position = 1
    static let byteCount = 25
  }

  /// What an id's own row and its key take in the window.
  static func entryRowByteCount(_ entryKey: [UInt8]) -> Int { entryKey.count + EntryRow.byteCount + checkByteCount }

  /// A key for people: printable ASCII as it is, other bytes in hex.
  static func readable(_ key: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in key {
      if (0x20..<0x7f).contains(byte), byte != UInt8(ascii: "\\") {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
