import Anteroom
import FoundationEssentials

/// The keys that the service was given.
struct Credentials {
  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String { "there is no credential '\(name)': is LoadCredential= in the unit, and $CREDENTIALS_DIRECTORY set?" }
  }

  private let secrets = CredentialsDirectorySecretStore()

  func data(_ name: String) throws -> Data {
    guard let data = try secrets.data(forKey: name) else { throw Missing(name: name) }
    return data
  }

  func options(_ key: DaemonOptions.Key?) throws -> LogOptions {
    switch key {
    case nil: LogOptions()
    case .shared(let name): LogOptions(key: try EncryptionKey(try data(name)))
    case .reading(let name): LogOptions(readKey: try MailboxPrivateKey([UInt8](try data(name))))
    }
  }
}
