#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where a store's key is kept. Calls may come from any thread.
///
/// What an implementation throws reaches the caller as `StorageError.secretUnavailable`, or as `StorageError.protectedData` where
/// the system says that the device wasn't unlocked yet: a key is never made anew because the old one can't be read now.
public protocol SecretStore: Sendable {
  /// The value, or nil if there is none.
  func data(forKey key: String) throws -> Data?
  /// Stores `data`, in place of what was there; afterwards the old value is there, or the new one, never a mixture.
  func set(_ data: Data, forKey key: String) throws
  /// Stores `data` unless there is a value, as one step among all processes. - Returns: the value that is there afterwards.
  func setIfAbsent(_ data: Data, forKey key: String) throws -> Data
  /// Removing what isn't there is no error.
  func removeData(forKey key: String) throws
}

/// What a secret store got wrong. Nothing was stored or removed.
public enum SecretStoreError: Error, Equatable, Sendable {
  /// A file or a directory that others can read or write; it wasn't used.
  case insecurePermissions(path: String, mode: UInt16)
  /// The store is for reading only.
  case readOnly
  /// The key can't name a secret here: it is empty or too long, or holds a zero byte.
  case invalidKey(String)
  /// The keychain refused, with this `OSStatus`.
  case keychain(status: Int32)
  /// A system call failed, with this `errno`.
  case system(call: String, errno: Int32, path: String)
}
