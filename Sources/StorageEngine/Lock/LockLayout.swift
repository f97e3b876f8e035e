/// The file that processes share about one store, `*.store.lock`, as named offsets. Little-endian words of 8 bytes, each read and written in
/// one step. It says nothing about the store that outlives a boot, so it is never synced.
///
/// The file is a row of *chunks* of one size. Each has room for slots; the first one also holds the header. A *table* is a chain of chunks
/// that processes of one boot use for one data file: its words are in its first chunk. When the data file under the path is another one, a
/// table of its own is appended: those that still have the old file open keep theirs, and nobody's words change their meaning.
enum LockLayout {
  static let magic: UInt64 = 0x4B43_4F4C_4554_4E41  // "ANTELOCK"
  static let version: UInt64 = 1
  /// More where pages of the system are larger.
  static let chunkByteCountMin = 16_384
  static let chunkByteCountMax = 1 << 20

  /// In the first chunk of the file.
  enum Header {
    static let magic = 0
    static let version = 8
    static let chunkByteCount = 16
    /// Which boot this file is of. Stored last, and 0 while a void file is made anew: who finds another than its own starts there.
    static let bootIdentity = 24
    /// Where the first chunk of the current table is.
    static let table = 32
    /// Where the next chunk will be: whoever moves this word has the bytes that it passes. Not the file's size, which follows.
    static let end = 40
    /// Written with 0 to wake whoever watches the file: stores through a mapping raise no event.
    static let bell = 48
    static let reserved = 56
  }

  /// In every chunk.
  enum Chunk {
    /// Where the table's next chunk is; 0 in the last one.
    static let next = 64
    static let reserved = 72
    static let slots = 1024
  }

  /// In the first chunk of a table. Words that are stored often have 64 bytes for themselves.
  enum Table {
    /// The version that readers read and writers build on.
    static let published = 128
    /// The newest version that a sync made durable.
    static let durable = 192
    /// The last id that a write transaction took.
    static let transaction = 256
    static let fileID = 320
    /// The id of the file that is about to take the name; 0 when none is.
    static let successorID = 328
    /// How often the data file was swapped for a compacted one.
    static let generation = 336
    static let extra = 384
    static let extraStride = 64
    static let extraCount = 4
    static let reserved = 640
  }

  /// What one handle pins.
  enum Slot {
    static let byteCount = 64
    /// 0: free. Else the process, as `LockOwner`; taken by compare-exchange.
    static let owner = 0
    /// Which program image of the process, at random: an image that was replaced by `exec` holds nothing. 0: not known.
    static let image = 8
    /// When the process started, in ticks since the boot. 0: not known.
    static let start = 16
    /// The pinned version plus 1; 0 for none. What stands here in a free slot means nothing.
    static let version = 24
    /// When it was pinned, in nanoseconds of the monotonic clock.
    static let since = 32
    static let reserved = 40
  }

  static func slotCount(chunkByteCount: Int) -> Int { (chunkByteCount - Chunk.slots) / Slot.byteCount }
}
