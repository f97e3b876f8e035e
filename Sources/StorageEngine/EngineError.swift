package import StorageIO

/// What an engine got wrong. Unless a case says otherwise, the last committed version is intact and the next call may go on.
package enum EngineError: Error, Sendable {
  // The file
  case notFound(path: String)
  case notAStore(path: String)
  case unsupportedFormat(found: UInt16, newest: UInt16)
  /// What the file says can't be so. Nothing was changed.
  case corrupted(page: PageNumber, reason: String)
  case fileExists(path: String)
  case system(SystemError, path: String)
  // Keys
  case wrongKey, keyRequired, keyNotExpected
  // Entries
  case keyTooLarge(byteCount: Int, limit: Int)
  case valueTooLarge(byteCount: Int, limit: Int)
  // Room, locks, transactions
  case noSpace(path: String)
  case full(limit: UInt64)
  case busy(waited: Duration)
  /// `busy`, and it is a compaction that was waited for: it ends once it has copied what is in use.
  case compacting(waited: Duration)
  case readOnly
  /// A sync failed earlier: what it should have made durable may be lost, so the handle takes no more writes.
  case failedEarlier
  case transactionEnded
  /// A handle's tree was removed in its transaction, or its making undone; the transaction goes on.
  case treeDeleted
  /// Pages of this version were reused: it wasn't registered. Start over with the newest one.
  case snapshotLost
  /// The path leads to another file by now, or the lock file's to another one or to none: somebody replaced, moved or removed them under this
  /// handle, which writes nothing any more. Open the store anew.
  case storeReplaced(path: String)
  case suspended
  case forkedHandle
  case closed
}

extension EngineError {
  /// A system call's failure, with a full disk told from the rest.
  package init(_ error: SystemError, path: String) {
    switch error.code {
    case ErrorNumber.noSpace, ErrorNumber.quota, ErrorNumber.fileTooBig: self = .noSpace(path: path)
    case ErrorNumber.notFound where error.call == .open: self = .notFound(path: path)
    case ErrorNumber.readOnlyFileSystem: self = .readOnly
    default: self = .system(error, path: path)
    }
  }
}

/// Calls `body`, and says of which path its failure is.
@inline(__always)
func naming<R>(_ path: String, _ body: () throws(SystemError) -> R) throws(EngineError) -> R {
  do { return try body() } catch { throw EngineError(error, path: path) }
}
