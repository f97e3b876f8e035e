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
    /// Then the first one's number, 8 bytes: the remembered ids, oldest first.
    static let order = Array("order/".utf8)
    /// Then the position, 24 bytes: an entry in the quarantine.
    static let quarantine = Array("quarantine/".utf8)
    /// Then the segment id, 16 bytes: the last promoted sequence.
    static let segment = Array("segment/".utf8)
    /// Then the order number, 8 bytes: the quarantine, oldest first.
    static let waiting = Array("waiting/".utf8)
  }
  /// The first byte of what is remembered: what the bytes behind it are.
  enum EntryKind: UInt8 {
    case id, idDigest
    /// What `PromotionOptions.duplicateKey` returned.
    case key, keyDigest
  }

  /// `segment/`. Guards against promoting an entry twice, without a limit in time.
  enum SegmentRow {
    static let sequence = 1
    /// A hash of the mailbox's path and directory: a promoter drops the rows of its own mailbox only, since several may share a store.
    static let mailbox = 9
    static let byteCount = 17
  }
  /// `order/`. Guards against one id twice, and against replays when a segment's row is lost.
  ///
  /// Rows are only added at the end and dropped at the beginning, so that a batch writes few pages however long the window is;
  /// a row by id would be a random page for each entry. Entries of one segment share a row. The variable part is, for each
  /// entry, `Place` and then its key.
  enum OrderRow {
    static let recordedAt = 1
    /// A random number of the transaction that wrote the row: two histories of a store have no row alike.
    static let mark = 9
    /// The entries' segment, 16 bytes as in a position.
    static let segment = 17
    static let places = 33
    static let byteCountMax = 600
  }
  /// What precedes an entry's key in a row of the order.
  enum Place {
    /// Bits of `LogTimestamp.secondsSinceReferenceDate`, as all times here.
    static let appendedAt = 0
    static let sequence = 8
    /// 2 bytes.
    static let keyByteCount = 16
    static let byteCount = 18
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
