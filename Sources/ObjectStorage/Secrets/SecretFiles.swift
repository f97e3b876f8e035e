import RawMemory
import StorageIO

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reading and checking files that hold secrets.
struct SecretFiles: Sendable {
  /// A secret is a key or a passphrase; what is longer is some other file.
  static let byteCountMax = 64 << 10

  let system: SystemCalls
  let directory: String
  /// Permissions that make a file or a directory unfit for secrets.
  let forbiddenMode: UInt32
  /// Whether root may own them too.
  let trustsRoot: Bool

  /// Whether the directory is there.
  ///
  /// - Throws: `insecurePermissions`; for a symbolic link `ELOOP`, for another file `ENOTDIR`.
  func checkDirectory() throws(SecretStoreError) -> Bool {
    var status: FileStatus?
    let code = system.status(path: directory, &status)
    if code == -Int(ErrorNumber.notFound) { return false }
    guard code == 0, let status else { throw SecretStoreError(SystemError(.status, Int32(-code)), path: directory) }
    guard status.kind == .directory else {
      let code = status.kind == .file ? ErrorNumber.notADirectory : ErrorNumber.symbolicLink
      throw SecretStoreError(SystemError(.open, code), path: directory)
    }
    try check(status, path: directory)
    return true
  }

  /// The contents of a file; nil if there is none. Links aren't followed, and nothing is waited for.
  func contents(_ name: String) throws(SecretStoreError) -> Data? {
    guard try checkDirectory() else { return nil }
    let path = directory + "/" + name
    let file: StorageFile
    do throws(SystemError) {
      file = try StorageFile(system, path: path, flags: OpenFlag.readOnly | OpenFlag.noFollow | OpenFlag.nonBlocking)
    } catch {
      if error.code == ErrorNumber.notFound { return nil }
      throw SecretStoreError(error, path: path)
    }
    let status = try namingSecret(path) { () throws(SystemError) in try file.status() }
    guard status.kind == .file else { throw SecretStoreError(SystemError(.open, ErrorNumber.invalidArgument), path: path) }
    try check(status, path: path)
    return try namingSecret(path) { () throws(SystemError) in
      guard status.byteCount <= UInt64(Self.byteCountMax) else { throw SystemError(.read, ErrorNumber.fileTooBig) }
      let buffer = ByteBuffer(count: max(Int(status.byteCount), 1))
      defer { buffer.zero(0..<buffer.count) }
      let count = try file.read(buffer, 0..<Int(status.byteCount), at: 0)
      return Data(copying: buffer, 0..<count)
    }
  }

  private func check(_ status: FileStatus, path: String) throws(SecretStoreError) {
    let owner = status.owner
    let isOurs = owner == system.effectiveUser() || trustsRoot && owner == 0
    guard isOurs, status.mode & forbiddenMode == 0 else {
      throw .insecurePermissions(path: path, mode: UInt16(truncatingIfNeeded: status.mode))
    }
  }
}
