/// What a commit survives once `write` has returned.
public enum StorageDurability: Sendable {
  /// Loss of power. One sync a commit.
  case powerLoss
  /// Loss of power may undo the last commits, never reorder them.
  case ordered
  /// The death of the process only: after loss of power the file may be that of an earlier commit, and is whole.
  case processCrash
}

/// Apple's protection classes, without Foundation.
public enum StorageFileProtection: Sendable {
  /// Readable while the device is unlocked.
  case complete
  /// A file that is open stays readable when the device locks.
  case completeUnlessOpen
  /// Readable from the first unlock after a start on.
  case completeUntilFirstUserAuthentication
}

/// What `save` does when a row with that key is there.
public enum UpdatePolicy: Sendable {
  /// Writes what was assigned, see `Persisted`.
  case modified
  /// Writes every property.
  case all
  /// Throws `StorageError.duplicateKey`.
  case error
  /// Leaves the row as it is.
  case insertIfAbsent
}
