/// What a store got wrong. Unless a case says otherwise, the last committed version is intact and the next call may go on.
public enum StorageError: Error, Sendable {
  // Lifecycle.

  /// The store wasn't opened, or was closed.
  case storeNotOpen
  /// A part that the app supplied failed (`migrate` has a case of its own), or a system call with no case of its own.
  case openFailed(underlying: any Error)
  /// `suspend()` was called, and not `resume()`.
  case suspended
  /// The store was opened by the parent of this process: open one's own.
  case forkedHandle
  /// An earlier sync failed: the store takes no more writes until it is opened anew.
  case failedEarlier
  /// The task was cancelled before anything was changed.
  case cancelled

  // The file.

  /// Nothing has this path, and the store isn't to be created.
  case notFound(path: String)
  /// The bytes at this path aren't a store.
  case notAStore(path: String)
  /// A newer build wrote the file.
  case unsupportedFormat(found: UInt16, newest: UInt16)
  /// A page isn't what its checksum, its tag or the schema says.
  case corrupted(page: UInt64, reason: String)
  /// The directory that the file belongs in can't be found or made.
  case storageDirectoryUnavailable(path: String)
  /// The destination of a copy is there already; it wasn't touched.
  case fileExists(path: String)
  /// The path leads to another file than the one that is open, or to none: somebody replaced, moved or removed it, or its lock file. Nothing
  /// more is written by this store; what was read stays good. Close it and open it anew.
  case replaced(path: String)
  /// A directory has this path.
  case notAFile(path: String)
  /// A system call failed, with this `errno`.
  case system(call: String, errno: Int32, path: String)

  // Keys.

  /// The key isn't the file's.
  case wrongKey
  /// The file is encrypted and no key was given.
  case keyRequired
  /// A key was given for a plain file that can't be encrypted now.
  case keyNotExpected
  /// Another process rekeyed the file: open it with the new key.
  case keyChanged
  /// A key has `expected` bytes.
  case encryptionKeyInvalidLength(expected: Int, actual: Int)
  /// A passphrase has at least one byte.
  case passphraseEmpty
  /// The secret store has no key to give, or failed.
  case secretUnavailable(account: String, underlying: any Error)
  /// The device hasn't been unlocked since it started. Nothing is wrong with the file.
  case protectedData

  // Schema.

  /// A listed type can't be stored as it is declared.
  case invalidSchema(type: String, property: String?, reason: String)
  /// The file's schema version is newer than the configuration's.
  case schemaTooNew(found: UInt64, configured: UInt64)
  /// The file's types differ from the code's in ways that need a migration.
  case migrationNeeded(differences: [SchemaDifference])
  /// A step threw, or what it did doesn't fit; the file is as it was before.
  case migrationFailed(toVersion: UInt64, underlying: any Error)

  // Objects.

  /// No object has this id.
  case objectNotFound(type: String, id: String)
  /// Another object has these values, and no two may.
  case duplicateKey(type: String, property: String, values: [String])
  /// A property with the rule `.deny` still links to objects.
  case deleteDenied(type: String, property: String)
  /// A value is too long; nothing was written.
  case valueTooLarge(property: String, byteCount: Int, limit: Int)
  /// A primary key, or what an index would hold of an object, is too long; nothing was written.
  ///
  /// An entry of an index has all of the index's properties and the primary key. `property` is the one that takes most of it, `byteCount` what
  /// it takes, `limit` what is left for it beside the others.
  case keyTooLarge(property: String, byteCount: Int, limit: Int)
  /// The configuration doesn't list the type.
  case typeNotListed(type: String)
  /// The query can't be run.
  case query(QueryError)

  // Room, locks, transactions.

  /// The device or the quota is full.
  case noSpace
  /// `fileByteCountMax` is reached; deleting works.
  case full(limit: UInt64)
  /// Another writer, of this process or of another one, had the store for all of the configuration's `lockTimeout`.
  case busy(waited: Duration)
  /// The store, or the file system, is for reading only.
  case readOnly
  /// `write` inside `write`.
  case nestedWrite
  /// The transaction is over: it is of use inside its closure only.
  case transactionEnded
  /// The version is no longer in the file.
  case snapshotExpired(version: StorageVersion)
}
