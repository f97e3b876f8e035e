import RawMemory
import Sealing

/// The half of an X25519 pair that a helper gets: it can append to a mailbox and can't read it, not even its own entries.
public struct MailboxPublicKey: Sendable, Hashable {
  /// 32 bytes; they are no secret, but who has them can append.
  public let bytes: [UInt8]

  /// - Parameter bytes: what another's ``MailboxPrivateKey/publicKey`` says.
  /// - Throws: ``LogError/invalidKeyLength(actual:)`` unless there are 32.
  public init(_ bytes: [UInt8]) throws(LogError) {
    guard bytes.count == KeyAgreement.byteCount else { throw .invalidKeyLength(actual: bytes.count) }
    self.bytes = bytes
  }
  init(of secret: SecretBytes) { bytes = KeyAgreement.publicKey(of: secret) }
}

/// The half that stays with the main process, in guarded memory, wiped when the last owner goes.
public final class MailboxPrivateKey: Sendable {
  let secret: SecretBytes
  /// What helpers get.
  public let publicKey: MailboxPublicKey

  /// Copies the key into guarded memory. The caller wipes its own copy.
  /// - Parameter bytes: 32 random bytes.
  /// - Throws: ``LogError/invalidKeyLength(actual:)`` for any other count.
  public convenience init(_ bytes: [UInt8]) throws(LogError) {
    guard bytes.count == KeyAgreement.byteCount else { throw .invalidKeyLength(actual: bytes.count) }
    self.init(SecretBytes(copying: bytes.span))
  }
  init(_ secret: SecretBytes) {
    self.secret = secret
    publicKey = MailboxPublicKey(of: secret)
  }

  /// A new key from the system's generator.
  public static func random() -> MailboxPrivateKey { MailboxPrivateKey(SecretBytes.random(count: KeyAgreement.byteCount)) }

  /// Lends the 32 bytes, for storing the key elsewhere. - Throws: what `body` throws.
  public func withBytes<R>(_ body: (Span<UInt8>) throws(LogError) -> R) throws(LogError) -> R { try secret.withBytes(body) }
}
