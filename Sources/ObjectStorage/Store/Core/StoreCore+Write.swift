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
    let transaction = try storing { () throws(EngineError) in try engine.begin(until: Deadline(after: timeout, .live)) }
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
    return result
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
