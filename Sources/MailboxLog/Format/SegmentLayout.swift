/// The bytes of a segment, each field with the fault that it guards against. Little-endian throughout.
///
/// A file is a header block, a block of mutable words, and records to the end of the allocated space. The header and the words
/// are blocks of 4,096 bytes whatever the system's page size, so that files move between systems.
enum SegmentLayout {
  static let blockByteCount = 4096
  static let wordsStart: UInt64 = 4096
  /// Where the first record begins.
  static let dataStart: UInt64 = 8192
  static let alignment = 8

  static let formatVersion: UInt16 = 1
  /// "ANTEROOM", as its eight bytes are read as a little-endian number.
  static let magic: UInt64 = 0x4D4F_4F52_4554_4E41

  /// Block 0: written once, before the file has a name, and never again; only a removal overwrites the salt.
  enum Header {
    static let magic = 0  // u64: a file of another kind
    static let formatVersion = 8  // u16: a newer build's file
    static let fileKind = 10  // u8: 1 a mailbox segment, 2 a key-value log
    static let suite = 11  // u8: 0 plain, 1 ChaCha20-Poly1305-IETF, 2 AES-256-GCM
    static let blockByteCount = 12  // u32: 4096
    static let mayReadFeatures = 16  // u64: who doesn't know one may read, not write
    static let mayWriteFeatures = 24  // u64: who doesn't know one may read and write
    static let mustUnderstandFeatures = 32  // u64: who doesn't know one may do neither
    static let identifier = 40  // 16 bytes, random: a frame, a word or a position of another file
    static let createdAt = 56  // i64: microseconds since 1970
    static let salt = 64  // 32 bytes, random: equal keys in two files; overwritten on removal
    static let keyScheme = 96  // u32: 0 plain, 1 one key, 2 X25519
    static let reserved = 100  // u32: zero
    static let publicKey = 104  // 32 bytes: of an X25519 mailbox, else zero
    static let keyCheck = 136  // 32 bytes: a wrong key, and any change to what is above; zero in a plain file
    static let keyCheckEnd = 168  // from here zero, and checked
    static let checksum = 4092  // u32: CRC-32 of everything above
  }

  /// Block 1: words that change, each alone on 128 bytes (two cache lines), 48 bits of value and 16 of check.
  ///
  /// The first three are in one sector and in the order in which they are stored, so that one `pwrite` publishes too.
  enum Word: UInt64, CaseIterable {
    case lastAppendTime = 0  // units of 64 us since 1970: a clock that was set back
    case lastSequence = 1  // stored before the committed end: may leave a gap, never falls behind
    case committedEnd = 2  // records below it exist; the one store that publishes
    case state = 3  // SegmentState
    case consumedEnd = 4  // everything below is acknowledged
    case consumedSequence = 5  // the last sequence below the consumed end, for counts
    case syncedEnd = 6  // the committed end as read before a finished sync; 0: never synced, nor its name
    case bootIdentity = 7  // a tail that a power cut may have taken
    case fileIdentity = 8  // somebody's copy
    case listener = 9  // 1 while a reader waits: the next append rings; 2: that one did, and the next does again
    case droppedCount = 10  // entries of other segments dropped for room
    case liveByteCount = 11  // key-value logs
    case indexBlock = 12  // key-value logs

    static let stride: UInt64 = 128
    var offset: UInt64 { SegmentLayout.wordsStart + rawValue * Self.stride }
    var offsetInBlock: Int { Int(rawValue * Self.stride) }
    var name: String {
      switch self {
      case .committedEnd: "committed end"
      case .lastSequence: "last sequence"
      case .consumedEnd: "consumed end"
      case .consumedSequence: "consumed sequence"
      case .syncedEnd: "synced end"
      case .state: "state"
      case .liveByteCount: "live bytes"
      case .indexBlock: "index block"
      case .bootIdentity: "boot identity"
      case .fileIdentity: "file identity"
      case .listener: "listener"
      case .lastAppendTime: "last append time"
      case .droppedCount: "dropped entries"
      }
    }
  }
  /// Where an append rings for listeners: eight bytes without meaning, written so that the file system tells of a change.
  static let bellOffset: UInt64 = wordsStart + 31 * Word.stride

  /// A record: this header, then id and value (sealed: and a tag of 16 bytes), then zeros to a multiple of 8.
  enum Frame {
    static let headerChecksum = 0  // u32: CRC-32 of file identifier, offset and the header from byte 4 to the mark
    static let totalByteCount = 4  // u32: of the whole frame, a multiple of 8; zero is never valid
    static let bodyChecksum = 8  // u32: CRC-32 of everything after the header
    static let schemaVersion = 12  // u32: the writer's
    static let sequence = 16  // u64: 1 and up; a repeated or older frame
    static let kind = 24  // u8: RecordKind
    static let flags = 25  // u8: zero
    static let valueType = 26  // u8: LogValueType, or 7 for fields
    static let reserved = 27  // u8: zero
    static let idByteCount = 28  // u32
    static let valueByteCount = 32  // u32
    static let batchPosition = 36  // u32: 0 to count - 1
    static let batchCount = 40  // u32: 1 outside batches; a batch that is there in part
    static let reserved2 = 44  // u32: zero
    static let writerID = 48  // 32 bytes: 16 random ones of the writer's open and zeros, or an ephemeral public key
    static let counter = 80  // u64: the nonce, never used twice under one writer id
    static let appendedAt = 88  // i64: microseconds since 1970, a multiple of 64, never below the record before
    static let expiresAt = 96  // i64: 0 never
    static let reserved3 = 104  // u64: zero
    static let checkedEnd = 112
    static let acknowledged = 112  // a word of its own, outside checksum and tag: 0, or the sequence with its check
    static let body = 120
  }
  static let tagByteCount = 16
  static let idByteCountMax = 1024
  static let valueTypeFields: UInt8 = 7
  /// The word index under which acknowledged marks are checked.
  static let markIndex: UInt64 = 255
}

/// What may happen to a segment: active, then sealed (nothing is appended), then removed (on its way out).
enum SegmentState: UInt64 { case active = 1, sealed = 2, superseding = 3, removed = 4 }

/// What kind of file this is, by the header.
enum LogFileKind: UInt8 {
  case mailboxSegment = 1, keyValueLog = 2

  /// The kinds that its records have.
  var recordKinds: ClosedRange<UInt8> {
    switch self {
    case .mailboxSegment: RecordKind.entry.rawValue...RecordKind.entry.rawValue
    case .keyValueLog: RecordKind.set.rawValue...RecordKind.index.rawValue
    }
  }
}

/// What a record says: an entry of a mailbox; or of a log, that a key has a value, that it has none, that no key has one, or where keys are.
enum RecordKind: UInt8 {
  case entry = 1, set = 2, remove = 3, removeAll = 4, index = 5
}
