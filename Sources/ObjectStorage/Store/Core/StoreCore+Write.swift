import RawMemory
import StorageEngine
import StorageIO

extension StoreCore {
  /// Runs `body` in a write transaction: all of it is committed, or when it throws, nothing.
  ///
  /// - Parameters:
  ///   - timeout: how long another writer is waited for.
  ///   - durability: what the commit survives.
  package func write<T>(
    timeout: Duration, durability: StorageDurability, _ body: (inout WriteTransaction) throws -> T
  ) throws -> T {
    if Task.isCancelled { throw StorageError.cancelled }
    let transaction = try begin(timeout)
    // Waiting may have taken long.
    if Task.isCancelled {
      transaction.abort()
      throw StorageError.cancelled
    }
    let result: T
    do {
      let box = try TransactionBox(self, transaction)
      defer { box.end() }
      var inside = WriteTransaction(box)
      result = try body(&inside)
    } catch {
      transaction.abort()
      throw error
    }
    _ = try storing { () throws(EngineError) in try transaction.commit(durability.engine) }
    watch?.didCommit(engine)
    return result
  }

  private func begin(_ timeout: Duration) throws(StorageError) -> EngineWriter {
    guard let watch else {
      return try storing { () throws(EngineError) in try engine.begin(until: Deadline(after: timeout, .live)) }
    }
    let start = SystemCalls.live.monotonicNanoseconds()
    defer { watch.lockWasWaitedFor(since: start) }
    return try storing { () throws(EngineError) in try engine.begin(until: Deadline(after: timeout, .live)) }
  }
}

extension StorageDurability {
  var engine: EngineDurability {
    switch self {
    case .powerLoss: .powerLoss
    case .ordered: .ordered
    case .processCrash: .processCrash
    }
  }
}
