import RawMemory
import Sealing

/// 32 or 64 bytes of key material, all of it the input of the key derivation, held in guarded memory and wiped when the last
/// owner goes.
public final class EncryptionKey: Sendable {
  let secret: SecretBytes

  /// Copies the key into guarded memory. The caller wipes its own copy.
  /// - Parameter bytes: 32 or 64 random bytes; a password isn't a key.
  /// - Throws: ``LogError/invalidKeyLength(actual:)`` for any other count.
  public convenience init(_ bytes: [UInt8]) throws(LogError) { try self.init(bytes.span) }

  /// Copies the key into guarded memory.
  /// - Parameter bytes: 32 or 64 random bytes.
  /// - Throws: ``LogError/invalidKeyLength(actual:)`` for any other count.
  public init(_ bytes: Span<UInt8>) throws(LogError) {
    guard bytes.count == 32 || bytes.count == 64 else { throw .invalidKeyLength(actual: bytes.count) }
    secret = SecretBytes(copying: bytes)
  }
  private init(_ secret: SecretBytes) { self.secret = secret }

  /// A new key of 32 bytes from the system's generator.
  public static func random() -> EncryptionKey { EncryptionKey(SecretBytes.random(count: 32)) }

  /// Lends the bytes, for storing the key elsewhere. - Throws: what `body` throws.
  public func withBytes<R>(_ body: (Span<UInt8>) throws(LogError) -> R) throws(LogError) -> R { try secret.withBytes(body) }
}
