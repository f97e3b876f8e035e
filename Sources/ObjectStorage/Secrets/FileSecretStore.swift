import RawMemory
package import StorageIO

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One 0600 file for each secret in a 0700 directory; refuses anything looser; replaces by rename.
///
/// The file's name is the key, with every byte but letters, digits, `_`, `-` and `.` as `%` and two digits. A directory or a file that is
/// a symbolic link, that another user owns, or that others have any right to isn't used. What was stored survives a loss of power.
/// Processes that share the directory need no other lock.
public struct FileSecretStore: SecretStore {
  /// Where the files are; made when the first secret is stored.
  public let directory: URL
  private let system: SystemCalls

  /// Secrets in a directory; nothing is looked at before the first call.
  ///
  /// - Parameter directory: of their own, as other files in it aren't touched but may be in the way.
  public init(directory: URL) { self.init(directory: directory, system: .live) }

  package init(directory: URL, system: SystemCalls) {
    self.directory = directory
    self.system = system
  }

  /// The value, or nil if there is none.
  ///
  /// - Throws: ``SecretStoreError``: `insecurePermissions`, `invalidKey`, `system`.
  public func data(forKey key: String) throws -> Data? {
    try files().contents(SecretFileName.escaped(key))
  }

  /// Stores `data`, in place of what was there; after an error, a crash or a loss of power the old value is there or the new one.
  ///
  /// - Throws: ``SecretStoreError``: `insecurePermissions`, `invalidKey`, `system`.
  public func set(_ data: Data, forKey key: String) throws {
    let name = try SecretFileName.escaped(key)
    try change { (directory) throws(SystemError) in
      for _ in 0..<Self.attemptCountMax {
        let isDone = try withContents(data) { (buffer, count) throws(SystemError) in
          try directory.replaceWhole(name, random: try directory.system.randomNumber()) { (file) throws(SystemError) in
            try file.write(buffer, 0..<count, at: 0)
            try file.synchronize()
          }
        }
        if isDone { return try directory.synchronize() }
      }
      throw SystemError(.rename, ErrorNumber.tryAgain)
    }
  }

  /// Stores `data` unless there is a value, as one step among all processes. On return the value survives a loss of power, whoever
  /// stored it.
  ///
  /// - Returns: the value that is there afterwards.
  /// - Throws: ``SecretStoreError``: `insecurePermissions`, `invalidKey`, `system`.
  public func setIfAbsent(_ data: Data, forKey key: String) throws -> Data {
    let name = try SecretFileName.escaped(key)
    let files = try files()
    for _ in 0..<Self.attemptCountMax {
      if let known = try files.contents(name) {
        let directory = directory(files)
        try namingSecret(files.directory) { () throws(SystemError) in try directory.synchronize() }
        return known
      }
      let isMade = try make(name, data)
      if isMade { return data }
    }
    throw SecretStoreError(SystemError(.link, ErrorNumber.tryAgain), path: files.directory)
  }

  /// Removing what isn't there is no error.
  ///
  /// - Throws: ``SecretStoreError``: `insecurePermissions`, `invalidKey`, `system`.
  public func removeData(forKey key: String) throws {
    let name = try SecretFileName.escaped(key)
    let files = try files()
    guard try files.checkDirectory() else { return }
    let directory = directory(files)
    try namingSecret(files.directory) { () throws(SystemError) in
      try directory.remove(name)
      try directory.synchronize()
    }
  }
}

extension FileSecretStore {
  /// Each attempt fails only because another process did something meanwhile.
  private static let attemptCountMax = 64

  private func files() throws(SecretStoreError) -> SecretFiles {
    do throws(StorageError) {
      let path = try StoragePath.path(of: directory)
      return SecretFiles(system: system, directory: path, forbiddenMode: 0o077, trustsRoot: false)
    } catch {
      throw .system(call: "open", errno: ErrorNumber.invalidArgument, path: directory.absoluteString)
    }
  }

  private func directory(_ files: SecretFiles) -> StorageDirectory {
    StorageDirectory(system, path: files.directory, fileMode: 0o600, directoryMode: 0o700, forcesModes: false)
  }

  /// Calls `body` with the directory, which is there and safe then, and in which no killed process has left anything.
  private func change<R>(_ body: (StorageDirectory) throws(SystemError) -> R) throws(SecretStoreError) -> R {
    let files = try files()
    try namingSecret(files.directory) { () throws(SystemError) in
      try StorageDirectory.makeWithParents(system, files.directory, mode: 0o700)
    }
    guard try files.checkDirectory() else {
      throw SecretStoreError(SystemError(.status, ErrorNumber.notFound), path: files.directory)
    }
    let directory = directory(files)
    return try namingSecret(files.directory) { () throws(SystemError) in
      try directory.removeLitter()
      return try body(directory)
    }
  }

  /// - Returns: whether the name was free.
  private func make(_ name: String, _ data: Data) throws(SecretStoreError) -> Bool {
    try change { (directory) throws(SystemError) in
      let file = try withContents(data) { (buffer, count) throws(SystemError) in
        try directory.makeWhole(name, random: try directory.system.randomNumber()) { (file) throws(SystemError) in
          try file.write(buffer, 0..<count, at: 0)
          try file.synchronize()
        }
      }
      guard file != nil else { return false }
      try directory.synchronize()
      return true
    }
  }

  private func withContents<R>(
    _ data: Data, _ body: (ByteBuffer, Int) throws(SystemError) -> R
  ) throws(SystemError) -> R {
    let buffer = ByteBuffer.holding(data)
    defer { buffer.zero(0..<buffer.count) }
    return try body(buffer, data.count)
  }
}
