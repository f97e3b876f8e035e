package import StorageEngine
import StorageIO

extension StorageError {
  /// An engine's error in the words of this layer.
  package init(_ error: EngineError) {
    switch error {
    case .notFound(let path): self = .notFound(path: path)
    case .notAStore(let path): self = .notAStore(path: path)
    case .unsupportedFormat(let found, let newest): self = .unsupportedFormat(found: found, newest: newest)
    case .corrupted(let page, let reason): self = .corrupted(page: UInt64(page), reason: reason)
    case .fileExists(let path): self = .fileExists(path: path)
    case .system(let error, let path): self = .system(call: error.call.name, errno: error.code, path: path)
    case .wrongKey: self = .wrongKey
    case .keyRequired: self = .keyRequired
    case .keyNotExpected: self = .keyNotExpected
    case .keyTooLarge(let byteCount, let limit): self = .keyTooLarge(property: "", byteCount: byteCount, limit: limit)
    case .valueTooLarge(let byteCount, let limit): self = .valueTooLarge(property: "", byteCount: byteCount, limit: limit)
    case .noSpace: self = .noSpace
    case .full(let limit): self = .full(limit: limit)
    case .busy(let waited), .compacting(let waited): self = .busy(waited: waited)
    case .readOnly: self = .readOnly
    case .failedEarlier: self = .failedEarlier
    case .storeReplaced(let path): self = .replaced(path: path)
    case .transactionEnded, .treeDeleted: self = .transactionEnded
    case .snapshotLost: self = .snapshotExpired(version: StorageVersion(transactionID: 0))
    case .suspended: self = .suspended
    case .forkedHandle: self = .forkedHandle
    case .closed: self = .storeNotOpen
    }
  }

  package init(_ error: RowError) {
    switch error {
    case .damaged(let reason): self = .corrupted(page: 0, reason: "a row: \(reason.rawValue)")
    case .valueTooLarge(let property, let byteCount):
      self = .valueTooLarge(property: property, byteCount: byteCount, limit: RowError.byteCountMax)
    }
  }

  package init(_ error: EvaluationError) {
    switch error {
    case .row(let error): self.init(error)
    case .query(let error): self = .query(error)
    }
  }
}

/// Calls into the engine.
@inline(__always)
func storing<R>(_ body: () throws(EngineError) -> R) throws(StorageError) -> R {
  do throws(EngineError) { return try body() } catch { throw StorageError(error) }
}

/// Reads or makes rows.
@inline(__always)
func readingRow<R>(_ body: () throws(RowError) -> R) throws(StorageError) -> R {
  do throws(RowError) { return try body() } catch { throw StorageError(error) }
}

/// Runs a part of a query.
@inline(__always)
func evaluating<R>(_ body: () throws(EvaluationError) -> R) throws(StorageError) -> R {
  do throws(EvaluationError) { return try body() } catch { throw StorageError(error) }
}
