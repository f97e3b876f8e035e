extension StorageError: CustomStringConvertible {
  /// One sentence for people: what, where, and what is true now.
  public var description: String {
    switch self {
    case .storeNotOpen: "the store is not open"
    case .openFailed(let error): "the store could not be opened: \(error)"
    case .suspended: "the store is suspended; resume it before using it"
    case .forkedHandle: "the store was opened by the parent of this process"
    case .failedEarlier: "an earlier sync failed; open the store anew before writing"
    case .cancelled: "the task was cancelled; nothing was changed"
    case .notFound(let path): "no such store: \(path)"
    case .notAStore(let path): "not a store: \(path)"
    case .unsupportedFormat(let found, let newest): "format \(found) is newer than \(newest), the newest this build reads"
    case .corrupted(let page, let reason): "page \(page) is damaged: \(reason)"
    case .storageDirectoryUnavailable(let path): "the directory can't be used: \(path)"
    case .fileExists(let path): "there is a file already, and it was not touched: \(path)"
    case .replaced(let path): "the store's file was replaced, moved or removed; open it anew: \(path)"
    case .notAFile(let path): "not a file: \(path)"
    case .system(let call, let errno, let path): "\(call) failed with errno \(errno): \(path)"
    case .wrongKey: "the key is not this store's"
    case .keyRequired: "the store is encrypted and no key was given"
    case .keyNotExpected: "a key was given, but the store is not encrypted"
    case .keyChanged: "another process rekeyed the store; open it with the new key"
    case .encryptionKeyInvalidLength(let expected, let actual): "a key has \(expected) bytes, not \(actual)"
    case .passphraseEmpty: "the passphrase is empty"
    case .secretUnavailable(let account, let error): "no secret for account \(account): \(error)"
    case .protectedData: "the store can't be read before the device is unlocked once"
    case .invalidSchema(let type, nil, let reason): "\(type) can't be stored: \(reason)"
    case .invalidSchema(let type, .some(let property), let reason): "\(type).\(property) can't be stored: \(reason)"
    case .schemaTooNew(let found, let configured): "the store has schema version \(found), newer than \(configured)"
    case .migrationNeeded(let differences):
      "the store needs a migration: \(differences.map(\.description).joined(separator: "; "))"
    case .migrationFailed(let version, let error): "the migration to version \(version) failed and was undone: \(error)"
    case .objectNotFound(let type, let id): "no \(type) has the id \(id)"
    case .duplicateKey(let type, let property, let values):
      "another \(type) has the same \(property): \(values.joined(separator: ", "))"
    case .deleteDenied(let type, let property): "\(type).\(property) still links to objects, so it can't be deleted"
    case .valueTooLarge(let property, let byteCount, let limit):
      "the value of \(property) has \(byteCount) bytes, more than \(limit); nothing was written"
    case .keyTooLarge(let property, let byteCount, let limit):
      "\(property) takes \(byteCount) bytes of a key that has room for \(max(limit, 0)); nothing was written"
    case .typeNotListed(let type): "\(type) is not one of the store's object types"
    case .query(let error): "the query can't be run: \(error)"
    case .noSpace: "no space left on the device; nothing was written"
    case .full(let limit): "the store has reached its limit of \(limit) bytes; deleting works"
    case .busy(let waited): "another writer, of this process or of another one, holds the store; gave up after \(waited)"
    case .readOnly: "the store is open for reading only"
    case .nestedWrite: "a write can't begin inside another one"
    case .transactionEnded: "the transaction is over"
    case .snapshotExpired: "that version is no longer in the store"
    }
  }
}
