import Sealing
package import StorageEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// From what a configuration says to what the engine takes.
package enum EncryptionResolver {
  /// Of a key that is made, in bytes.
  static let keyByteCount = 32
  /// What a file may ask for to stretch a passphrase: 16 MiB.
  static let stretchKibibytesMax = PassphraseStretching.memoryByteCountMax >> 10
  /// `errSecInteractionNotAllowed`: there is a secret, and it can't be read before the device is unlocked.
  static let interactionNotAllowed: Int32 = -25308

  /// The key, from the secret store if that has it.
  ///
  /// - Parameter makesMissingSecret: whether a secret that isn't there is made: only for a file that isn't there either, or that is plain
  ///   and is encrypted now. Any other file needs the key that it was sealed with, and a new one would hide that it is lost.
  /// - Throws: `encryptionKeyInvalidLength`, `passphraseEmpty`, `secretUnavailable`, `protectedData`.
  package static func key(
    for encryption: StorageConfiguration.Encryption, makesMissingSecret: Bool
  ) throws(StorageError) -> EngineKey {
    switch encryption {
    case .none: return .none
    case .key(let data): return .secret(try secret(data))
    case .passphrase(let phrase):
      guard !phrase.isEmpty else { throw .passphraseEmpty }
      return .passphrase([UInt8](phrase.utf8), kibibytesMax: stretchKibibytesMax)
    case .secret(let store, let account):
      var data = try stored(store, account, makesMissingSecret: makesMissingSecret)
      defer { data.wipe() }
      return .secret(try secret(data))
    }
  }

  private static func secret(_ data: Data) throws(StorageError) -> SecretBytes {
    guard data.count == 32 || data.count == 64 else {
      throw .encryptionKeyInvalidLength(expected: keyByteCount, actual: data.count)
    }
    return SecretBytes(copying: data.span)
  }

  private static func stored(
    _ store: any SecretStore, _ account: String, makesMissingSecret: Bool
  ) throws(StorageError) -> Data {
    do {
      if makesMissingSecret { return try made(store, account) }
      if let data = try store.data(forKey: account) { return data }
    } catch let error as StorageError {
      if case .protectedData = error { throw .protectedData }
      throw .secretUnavailable(account: account, underlying: error)
    } catch {
      if error as? SecretStoreError == .keychain(status: interactionNotAllowed) { throw .protectedData }
      throw .secretUnavailable(account: account, underlying: error)
    }
    throw .secretUnavailable(account: account, underlying: MissingSecretError())
  }

  /// Through `setIfAbsent` also when there is a secret: only that promises that it lasts as long as the file that is sealed with it.
  /// A store for reading only has to have it.
  private static func made(_ store: any SecretStore, _ account: String) throws -> Data {
    var fresh = Data()
    fresh.reserveCapacity(keyByteCount)
    SecretBytes.random(count: keyByteCount).withBytes { bytes in for index in bytes.indices { fresh.append(bytes[index]) } }
    defer { fresh.wipe() }
    do {
      return try store.setIfAbsent(fresh, forKey: account)
    } catch SecretStoreError.readOnly {
      if let data = try store.data(forKey: account) { return data }
      throw SecretStoreError.readOnly
    }
  }
}

/// The secret store has no such secret, and the file needs the one that it was sealed with.
struct MissingSecretError: Error, CustomStringConvertible {
  var description: String { "there is none, and a new one could not open the file" }
}
