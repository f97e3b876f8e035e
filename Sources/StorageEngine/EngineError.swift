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
  case readOnly
  /// A sync failed earlier: what it should have made durable may be lost, so the handle takes no more writes.
  case failedEarlier
  case transactionEnded
  /// Pages of this version were reused: it wasn't registered. Start over with the newest one.
  case snapshotLost
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
