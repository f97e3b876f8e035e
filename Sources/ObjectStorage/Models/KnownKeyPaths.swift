import Synchronization

/// Which property a key path reads, for those that were resolved before.
///
/// A key path that stands in the code is one object for ever, and is found by its identity; those that are made anew each time are found
/// by what they are.
final class KnownKeyPaths: Sendable {
  /// Only compared and hashed, never applied: so what it may have captured is of no concern.
  private struct Known: @unchecked Sendable {
    let keyPath: AnyKeyPath
    let property: Int
  }
  private struct Tables {
    /// Holds the key paths, so that no other one gets the identity of one that is gone.
    var byIdentity: [ObjectIdentifier: Known] = [:]
    var byValue: [Int: [Known]] = [:]
  }
  private static let identityCountMax = 256
  private let tables = Mutex(Tables())

  func property(_ keyPath: AnyKeyPath) -> Int? {
    let identity = ObjectIdentifier(keyPath)
    if let known = tables.withLock({ $0.byIdentity[identity] }) { return known.property }
    let hash = keyPath.hashValue
    return tables.withLock { $0.byValue[hash] }?.first { $0.keyPath == keyPath }?.property
  }

  /// - Parameter keyPath: of a stored property: so there are few different ones.
  func insert(_ keyPath: AnyKeyPath, _ property: Int) {
    let known = Known(keyPath: keyPath, property: property)
    let (identity, hash) = (ObjectIdentifier(keyPath), keyPath.hashValue)
    tables.withLock { tables in
      tables.byValue[hash, default: []].append(known)
      if tables.byIdentity.count < Self.identityCountMax { tables.byIdentity[identity] = known }
    }
  }
}
