import RawMemory
import Sealing

/// What an encryption key becomes in one file: HKDF-SHA-256 over the file's salt, a check value, and a subkey a writer.
final class SegmentKeys: @unchecked Sendable {
  private let root: SecretBytes
  /// The ciphers of recent writers; guarded by the lock of the handle that reads, or used by one iteration alone.
  private var ciphers: [(writer: WriterID, cipher: RecordCipher)] = []
  private static let cipherCountMax = 8

  init(_ key: EncryptionKey, header block: ByteBuffer) {
    let salt = SegmentLayout.Header.salt
    root = block.withSpan(salt..<salt + 32) { KeyDerivation.extract(salt: $0, secret: key.secret) }
  }
  private init(root: SecretBytes) { self.root = root }

  /// The same keys with a cache of their own, for another thread.
  func forAnotherUse() -> SegmentKeys { SegmentKeys(root: root) }

  /// 32 bytes over everything that the header says before them.
  func keyCheck(of block: ByteBuffer) -> [UInt8] {
    let label: [UInt8] = Array("anteroom 1 key check".utf8)
    let key = KeyDerivation.expand(root, info: label.span)
    return block.withSpan(0..<SegmentLayout.Header.keyCheck) { KeyDerivation.authenticationCode(of: $0, key: key) }
  }

  /// Whether the key that these were made from is the file's.
  func fit(_ block: ByteBuffer) -> Bool {
    let stored = SegmentLayout.Header.keyCheck
    let expected = keyCheck(of: block)
    return block.withSpan(stored..<stored + 32) { $0.equals(expected.span) }
  }

  /// What hashes the keys of a log: secret, so that an index says nothing about the keys in it.
  func keyHash() -> KeyedHash {
    let label: [UInt8] = Array("anteroom 1 key hash".utf8)
    return KeyedHash(key: KeyDerivation.expand(root, info: label.span, count: KeyedHash.keyByteCount))
  }

  /// The cipher under a writer's subkey. - Complexity: O(1); a derivation of 2 us for a writer not among the last 8.
  func cipher(for writer: WriterID) -> RecordCipher {
    for entry in ciphers where entry.writer == writer { return entry.cipher }
    var info: [UInt8] = Array("anteroom 1 record".utf8)
    writer.append(to: &info)
    let cipher = RecordCipher(subkey: KeyDerivation.expand(root, info: info.span))
    if ciphers.count == Self.cipherCountMax { ciphers.removeFirst() }
    ciphers.append((writer, cipher))
    return cipher
  }
}

/// 32 bytes that each record of one open of a writer carries.
struct WriterID: Equatable {
  let words: (UInt64, UInt64, UInt64, UInt64)

  init(_ a: UInt64, _ b: UInt64) { words = (a, b, 0, 0) }
  init(_ buffer: ByteBuffer, at offset: Int) {
    words = (
      buffer.load(UInt64.self, at: offset), buffer.load(UInt64.self, at: offset + 8), buffer.load(UInt64.self, at: offset + 16),
      buffer.load(UInt64.self, at: offset + 24)
    )
  }
  func store(to buffer: ByteBuffer, at offset: Int) {
    buffer.store(words.0, at: offset)
    buffer.store(words.1, at: offset + 8)
    buffer.store(words.2, at: offset + 16)
    buffer.store(words.3, at: offset + 24)
  }
  func append(to bytes: inout [UInt8]) {
    for word in [words.0, words.1, words.2, words.3] {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
    }
  }
  static func == (a: WriterID, b: WriterID) -> Bool {
    a.words.0 == b.words.0 && a.words.1 == b.words.1 && a.words.2 == b.words.2 && a.words.3 == b.words.3
  }
}
