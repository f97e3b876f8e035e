import RawMemory
import Sealing
import StorageIO

/// The first block of a segment, parsed.
struct SegmentHeader {
  enum KeyScheme: UInt32 { case plain = 0, oneKey = 1, publicKey = 2 }
  typealias Layout = SegmentLayout.Header

  let identifier: MailboxSegmentID
  let createdAt: Int64
  let keyScheme: KeyScheme
  /// Whether a feature that this build doesn't know forbids writing.
  let isReadOnlyHere: Bool

  /// Why a block isn't a header that this build can use.
  enum Fault: Error {
    case blank
    case notALog
    case newer(found: UInt16)
    case damaged(String)

    /// What it means to who wants the file at a path.
    func error(_ path: String) -> LogError {
      switch self {
      case .blank, .notALog: .notALog(path: path)
      case .newer(let found): .unsupportedVersion(found: found, newest: SegmentLayout.formatVersion)
      case .damaged(let reason): .corrupted(offset: 0, reason: reason)
      }
    }
  }

  /// - Parameters:
  ///   - block: at least 4,096 bytes, from the start of the file.
  ///   - kind: another one is `notALog`.
  init(parsing block: ByteBuffer, as kind: LogFileKind = .mailboxSegment) throws(Fault) {
    let magic = block.load(UInt64.self, at: Layout.magic)
    if magic == 0, Self.isZero(block, 0..<SegmentLayout.blockByteCount) { throw .blank }
    if magic != SegmentLayout.magic { throw .notALog }
    guard block.load(UInt32.self, at: Layout.checksum) == Checksum.crc32(block, 0..<Layout.checksum) else {
      throw .damaged("the header's checksum doesn't match")
    }
    let version = block.load(UInt16.self, at: Layout.formatVersion)
    if version > SegmentLayout.formatVersion || block.load(UInt64.self, at: Layout.mustUnderstandFeatures) != 0 {
      throw .newer(found: version)
    }
    guard block.load(UInt8.self, at: Layout.fileKind) == kind.rawValue else { throw .notALog }
    guard version != 0, block.load(UInt32.self, at: Layout.blockByteCount) == UInt32(SegmentLayout.blockByteCount),
      Self.isZero(block, Layout.reserved..<Layout.publicKey), Self.isZero(block, Layout.keyCheckEnd..<Layout.checksum)
    else { throw .damaged("a reserved field of the header isn't zero") }
    let suite = block.load(UInt8.self, at: Layout.suite)
    guard let scheme = KeyScheme(rawValue: block.load(UInt32.self, at: Layout.keyScheme)), suite == (scheme == .plain ? 0 : 1),
      scheme != .publicKey || kind == .mailboxSegment
    else { throw .newer(found: version) }
    guard scheme == .publicKey || Self.isZero(block, Layout.publicKey..<Layout.keyCheck),
      scheme != .plain || Self.isZero(block, Layout.keyCheck..<Layout.keyCheckEnd)
    else { throw .damaged("a field of another kind of key isn't zero") }
    identifier = Self.identifier(in: block)
    createdAt = block.load(Int64.self, at: Layout.createdAt)
    keyScheme = scheme
    isReadOnlyHere = block.load(UInt64.self, at: Layout.mayReadFeatures) != 0
  }

  /// The identifier, of a header that may be damaged: a removal leaves it readable.
  static func identifier(in block: ByteBuffer) -> MailboxSegmentID {
    MailboxSegmentID(
      high: block.load(UInt64.self, at: Layout.identifier).byteSwapped,
      low: block.load(UInt64.self, at: Layout.identifier + 8).byteSwapped)
  }

  /// Fills `block`, zero so far, with a new header. - Parameter random: 48 random bytes in a buffer: identifier and salt.
  static func write(
    to block: ByteBuffer, random: ByteBuffer, createdAt: Int64, key: FileKey?, as kind: LogFileKind = .mailboxSegment
  ) {
    block.store(SegmentLayout.magic, at: Layout.magic)
    block.store(SegmentLayout.formatVersion, at: Layout.formatVersion)
    block.store(kind.rawValue, at: Layout.fileKind)
    block.store(UInt8(key == nil ? 0 : 1), at: Layout.suite)
    block.store(UInt32(SegmentLayout.blockByteCount), at: Layout.blockByteCount)
    block.copy(from: random, 0..<16, at: Layout.identifier)
    block.store(createdAt, at: Layout.createdAt)
    block.copy(from: random, 16..<48, at: Layout.salt)
    block.store((key?.scheme ?? .plain).rawValue, at: Layout.keyScheme)
    if let publicKey = key?.publicKey { block.copy(publicKey.bytes.span, at: Layout.publicKey) }
    if let key { block.copy(SegmentKeys(key, header: block).keyCheck(of: block).span, at: Layout.keyCheck) }
    block.store(Checksum.crc32(block, 0..<Layout.checksum), at: Layout.checksum)
  }

  private static func isZero(_ block: ByteBuffer, _ range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      if block.load(UInt64.self, at: offset) != 0 { return false }
      offset += 8
    }
    while offset < range.upperBound {
      if block.load(UInt8.self, at: offset) != 0 { return false }
      offset += 1
    }
    return true
  }
}
