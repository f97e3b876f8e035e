import RawMemory
import Sealing

/// What a key becomes in one file: HKDF-SHA-256 over the file's salt, a check value, and a subkey a writer.
final class SegmentKeys: @unchecked Sendable {
  /// What subkeys come from.
  private enum Source {
    /// One root for all writers.
    case root(SecretBytes)
    /// The root of one open of a writer, who knows no other.
    case writer(WriterAgreement, root: SecretBytes)
    /// A root for each open of a writer, from an agreement with its id.
    case reader(MailboxPrivateKey, salt: [UInt8])
  }
  private let source: Source
  /// The ciphers of recent writers; guarded by the lock of the handle that reads, or used by one iteration alone.
  private var ciphers: [(writer: WriterID, cipher: RecordCipher)] = []
  /// An agreement takes forty times as long as a derivation.
  private var cipherCountMax: Int { if case .reader = source { 32 } else { 8 } }

  init(_ key: FileKey, header block: ByteBuffer) {
    let salt = SegmentLayout.Header.salt..<SegmentLayout.Header.salt + 32
    source =
      switch key {
      case .one(let key): .root(block.withSpan(salt) { KeyDerivation.extract(salt: $0, secret: key.secret) })
      case .writeOnly(let agreement):
        .writer(agreement, root: block.withSpan(salt) { KeyDerivation.extract(salt: $0, secret: agreement.shared) })
      // What it appends itself, it agrees on as it does on what others appended.
      case .pair(let key, _): .reader(key, salt: block.bytes(salt))
      }
  }
  private init(_ source: Source) { self.source = source }

  /// The keys, if the key they are made from is the file's.
  static func fitting(_ key: FileKey, _ header: SegmentHeader, _ block: ByteBuffer) -> SegmentKeys? {
    guard key.scheme == header.keyScheme else { return nil }
    let place = SegmentLayout.Header.publicKey
    if let publicKey = key.publicKey {
      guard block.withSpan(place..<place + 32, { $0.equals(publicKey.bytes.span) }) else { return nil }
    }
    let keys = SegmentKeys(key, header: block)
    let stored = SegmentLayout.Header.keyCheck
    let expected = keys.keyCheck(of: block)
    return block.withSpan(stored..<stored + 32) { $0.equals(expected.span) } ? keys : nil
  }

  /// The same keys with a cache of their own, for another thread.
  func forAnotherUse() -> SegmentKeys { SegmentKeys(source) }

  /// 32 bytes over everything that the header says before them. Under a public key, which is no secret, they only tell that the
  /// header is whole.
  func keyCheck(of block: ByteBuffer) -> [UInt8] {
    let header = 0..<SegmentLayout.Header.keyCheck
    guard case .root(let root) = source else {
      let publicKey = block.bytes(SegmentLayout.Header.publicKey..<SegmentLayout.Header.keyCheck)
      return block.withSpan(header) { KeyDerivation.authenticationCode(of: $0, keyBytes: publicKey.span) }
    }
    let label: [UInt8] = Array("anteroom 1 key check".utf8)
    let key = KeyDerivation.expand(root, info: label.span)
    return block.withSpan(header) { KeyDerivation.authenticationCode(of: $0, key: key) }
  }

  /// What hashes the keys of a log: secret, so that an index says nothing about the keys in it.
  func keyHash() -> KeyedHash {
    let label: [UInt8] = Array("anteroom 1 key hash".utf8)
    guard case .root(let root) = source else { preconditionFailure("a log has one key") }
    return KeyedHash(key: KeyDerivation.expand(root, info: label.span, count: KeyedHash.keyByteCount))
  }

  /// The cipher under a writer's subkey, in a log: it has one key, which opens every writer's records.
  func cipher(for writer: WriterID) -> RecordCipher {
    guard let cipher = cipher(ofReader: writer) else { preconditionFailure("a log has one key") }
    return cipher
  }

  /// The cipher under a writer's subkey; nil for what these keys can't read.
  /// - Complexity: O(1); for a writer that wasn't met lately a derivation of 2 us, and with a private key an agreement of 40.
  func cipher(ofReader writer: WriterID) -> RecordCipher? {
    for entry in ciphers where entry.writer == writer { return entry.cipher }
    guard let root = root(of: writer) else { return nil }
    var info: [UInt8] = Array("anteroom 1 record".utf8)
    writer.append(to: &info)
    if let publicKey { info.append(contentsOf: publicKey.bytes) }
    let cipher = RecordCipher(subkey: KeyDerivation.expand(root, info: info.span))
    if ciphers.count == cipherCountMax { ciphers.removeFirst() }
    ciphers.append((writer, cipher))
    return cipher
  }

  private var publicKey: MailboxPublicKey? {
    switch source {
    case .root: nil
    case .writer(let agreement, _): agreement.publicKey
    case .reader(let key, _): key.publicKey
    }
  }

  private func root(of writer: WriterID) -> SecretBytes? {
    switch source {
    case .root(let root): return root
    case .writer(let agreement, let root): return agreement.writer == writer ? root : nil
    case .reader(let key, let salt):
      var id: [UInt8] = []
      writer.append(to: &id)
      return KeyAgreement.sharedSecret(key.secret, with: id.span).map { KeyDerivation.extract(salt: salt.span, secret: $0) }
    }
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
