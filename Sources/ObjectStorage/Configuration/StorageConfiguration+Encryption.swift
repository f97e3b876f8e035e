#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StorageConfiguration {
  /// What a file is sealed with.
  public enum Encryption: Sendable {
    /// A plaintext file; an encrypted one is `StorageError.keyRequired`.
    case none
    /// 32 bytes, or 64; any other count is `StorageError.encryptionKeyInvalidLength`.
    case key(Data)
    /// A key kept in a secret store, made on first use without a race between processes. A file that is there already never gets
    /// a new key: a secret that is missing is then `StorageError.secretUnavailable`.
    case secret(store: any SecretStore, account: String = "encryptionKey")
    /// Stretched with Argon2id; its parameters are in the file. Larger ones than 16 MiB of memory are refused.
    case passphrase(String)

    /// RealmStorage's name for `.secret`.
    public static func keychain(store: any SecretStore, account: String = "encryptionKey") -> Encryption {
      .secret(store: store, account: account)
    }
  }
}
