import RawMemory
import Sealing

/// The key that a handle has for its files, whichever kind it is.
enum FileKey {
  case one(EncryptionKey)
  /// Appends, and reads nothing.
  case writeOnly(WriterAgreement)
  /// Reads; appends with an agreement of its own.
  case pair(MailboxPrivateKey, WriterAgreement?)

  /// What the bytes of a key are for a file: of 32 bytes, the private key of a mailbox that has a public one.
  init(_ key: EncryptionKey, for header: SegmentHeader) throws(LogError) {
    guard header.keyScheme == .publicKey else {
      self = .one(key)
      return
    }
    guard key.secret.count == KeyAgreement.byteCount else { throw .wrongKey }
    self = .pair(MailboxPrivateKey(key.secret), nil)
  }

  var scheme: SegmentHeader.KeyScheme {
    switch self {
    case .one: .oneKey
    case .writeOnly, .pair: .publicKey
    }
  }

  /// Of files with scheme `publicKey`.
  var publicKey: MailboxPublicKey? {
    switch self {
    case .one: nil
    case .writeOnly(let agreement): agreement.publicKey
    case .pair(let key, _): key.publicKey
    }
  }
}

/// What one open of a writer agreed on with a mailbox's public key. The pair that was drawn for it is forgotten but for its public half,
/// which is the writer's id: so nobody but the owner of the mailbox's private key can ever agree on it again.
final class WriterAgreement: Sendable {
  let publicKey: MailboxPublicKey
  let writer: WriterID
  let shared: SecretBytes

  /// - Throws: ``LogError/wrongKey`` for a public key of low order, which is nobody's.
  init(with publicKey: MailboxPublicKey) throws(LogError) {
    let secret = SecretBytes.random(count: KeyAgreement.byteCount)
    guard let shared = KeyAgreement.sharedSecret(secret, with: publicKey.bytes.span) else { throw .wrongKey }
    self.publicKey = publicKey
    self.shared = shared
    let buffer = ByteBuffer(count: KeyAgreement.byteCount)
    buffer.copy(KeyAgreement.publicKey(of: secret).span, at: 0)
    writer = WriterID(buffer, at: 0)
  }
}

extension LogOptions {
  /// Whether what is made is sealed.
  var isSealed: Bool { key != nil || writeOnlyKey != nil || readKey != nil }

  /// - Throws: ``LogError/keyNotExpected`` for more than one key, or for one that isn't for this kind of file.
  func checkKeys(of kind: LogFileKind) throws(LogError) {
    let isMailbox = kind == .mailboxSegment
    let count = (key == nil ? 0 : 1) + (writeOnlyKey == nil ? 0 : 1) + (readKey == nil ? 0 : 1)
    if count > 1 || !isMailbox && (writeOnlyKey != nil || readKey != nil) { throw .keyNotExpected }
  }
}

extension LogContext {
  var fileKey: FileKey? {
    if let key = options.key { return .one(key) }
    if let key = options.readKey { return .pair(key, agreement) }
    return agreement.map { .writeOnly($0) }
  }

  /// Draws this open's pair, where the mailbox has a public key. - Complexity: O(1), about 80 microseconds then.
  mutating func agree() throws(LogError) {
    guard let publicKey = options.writeOnlyKey ?? options.readKey?.publicKey else { return }
    agreement = try WriterAgreement(with: publicKey)
  }
}
