import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Secrets of this process only.
public final class InMemorySecretStore: SecretStore {
  private let values = Mutex<[String: Data]>([:])

  /// A store that is empty.
  public init() {}

  /// The value, or nil if there is none.
  public func data(forKey key: String) throws -> Data? { values.withLock { $0[key] } }

  /// Stores `data`, in place of what was there.
  public func set(_ data: Data, forKey key: String) throws {
    values.withLock {
      $0[key]?.wipe()
      $0[key] = data
    }
  }

  /// Stores `data` unless there is a value. - Returns: the value that is there afterwards.
  public func setIfAbsent(_ data: Data, forKey key: String) throws -> Data {
    values.withLock { values in
      if let known = values[key] { return known }
      values[key] = data
      return data
    }
  }

  /// Removing what isn't there is no error.
  public func removeData(forKey key: String) throws {
    values.withLock {
      $0[key]?.wipe()
      $0[key] = nil
    }
  }
}
