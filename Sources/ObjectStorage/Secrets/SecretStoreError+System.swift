import StorageIO

extension SecretStoreError {
  /// A system call's failure.
  init(_ error: SystemError, path: String) {
    self = .system(call: error.call.name, errno: error.code, path: path)
  }
}

/// Calls `body`, and says of which path its failure is.
@inline(__always)
func namingSecret<R>(_ path: String, _ body: () throws(SystemError) -> R) throws(SecretStoreError) -> R {
  do { return try body() } catch { throw SecretStoreError(error, path: path) }
}
