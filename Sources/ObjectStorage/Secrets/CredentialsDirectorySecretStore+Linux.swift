#if os(Linux)
  package import StorageIO

  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  /// systemd credentials: files of `$CREDENTIALS_DIRECTORY`. Writing is `SecretStoreError.readOnly`.
  ///
  /// The key is the credential's name. A directory or a file that others may write to or that everybody may read isn't used, nor one that
  /// is a symbolic link or belongs to another user than root and the process's own.
  public struct CredentialsDirectorySecretStore: SecretStore {
    private let directory: URL?
    private let environment: StorageEnvironment
    private let system: SystemCalls

    /// Credentials of the service. - Parameter directory: nil takes the directory from the environment.
    public init(directory: URL? = nil) { self.init(directory: directory, environment: .live, system: .live) }

    package init(directory: URL?, environment: StorageEnvironment, system: SystemCalls) {
      self.directory = directory
      self.environment = environment
      self.system = system
    }

    /// The credential, or nil if the service has none of that name.
    ///
    /// - Throws: ``SecretStoreError``: `insecurePermissions`, `invalidKey`, `system`.
    public func data(forKey key: String) throws -> Data? {
      let name = try SecretFileName.verbatim(key)
      guard let path = try path() else { return nil }
      // Where the service's user isn't the owner, a list of access rights lets it read, and shows as rights of the group.
      return try SecretFiles(system: system, directory: path, forbiddenMode: 0o027, trustsRoot: true).contents(name)
    }

    /// Always ``SecretStoreError/readOnly``.
    public func set(_ data: Data, forKey key: String) throws { throw SecretStoreError.readOnly }
    /// Always ``SecretStoreError/readOnly``.
    public func setIfAbsent(_ data: Data, forKey key: String) throws -> Data { throw SecretStoreError.readOnly }
    /// Always ``SecretStoreError/readOnly``.
    public func removeData(forKey key: String) throws { throw SecretStoreError.readOnly }

    private func path() throws(SecretStoreError) -> String? {
      guard let directory else {
        let path = environment.variable("CREDENTIALS_DIRECTORY")
        return path == "" ? nil : path
      }
      do throws(StorageError) { return try StoragePath.path(of: directory) } catch {
        throw .system(call: "open", errno: ErrorNumber.invalidArgument, path: directory.absoluteString)
      }
    }
  }
#endif
