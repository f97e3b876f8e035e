/// A meta page, as named offsets. There are three, 16 KiB apart; each says all that is needed to read one version.
///
/// The first part is the same in all three and never changes: what the file is, and how to get at its keys. Behind it the envelope, as a
/// sealed page has one, and the content: one version. A list of pages stands at the end: those written since the last durable version, with
/// the checksums of their stored bytes, so that opening after an unclean end can tell whether they all reached the disk.
package enum MetaLayout {
  package static let magic: [UInt8] = Array("ANTSTORE".utf8)
  package static let version: UInt16 = 1

  static let magicOffset = 0
  static let formatVersion = 8
  static let pageShift = 10
  /// 0 plain, 1 ChaCha20-Poly1305-IETF with HKDF-SHA-256.
  static let suite = 11
  /// What a reader, and what a writer, must understand.
  static let readFeatures = 12
  static let writeFeatures = 16
  /// Of a passphrase's Argon2id; 0 for a key.
  static let stretchKibibytes = 20
  static let stretchPasses = 24
  static let reserved = 28
  static let fileID = 32
  static let salt = 48
  /// Tells a wrong key from damage.
  static let keyCheck = 64
  /// CRC-32 of everything before it.
  static let headerChecksum = 80
  static let headerByteCount = 84

  /// Of envelope and content together, from `envelope` on.
  static let contentByteCount = 84
  /// CRC-32 of the content, in a plain file.
  static let contentChecksum = 88
  static let reserved2 = 92
  static let envelope = 96

  /// The content; in the clear in sealed files, like a page's birth: the version.
  static let transactionID = 136
  /// The last version that was durable when this one was written; itself not counted.
  static let durableID = 144
  static let bootIdentity = 152
  static let pageCount = 160
  static let catalogPage = 164
  static let catalogBirth = 168
  static let catalogCount = 176
  static let freePage = 184
  static let nextTreeID = 188
  static let freeBirth = 192
  static let freeCount = 200
  /// Microseconds since 1970.
  static let commitTime = 208
  static let catalogLevel = 216
  static let freeLevel = 217
  static let reserved3 = 218
  static let listCount = 220
  static let reserved4 = 224
  static let list = 256
  static let entryByteCount = 8
  static let listCountMax = 1024
  /// In place of a count: pages weren't listed and weren't synced, so only the boot that wrote them may believe in them.
  static let unlisted: UInt32 = 0xFFFF_FFFF

  /// Meta pages are written in whole sectors.
  static let sectorByteCount = 512
}
