import RawMemory
package import StorageEngine

/// A write transaction of the store, shared by the copies of `WriteTransaction`.
package final class TransactionBox {
  package let transaction: EngineTransaction
  package let core: StoreCore
  package private(set) var view: SchemaView
  /// What `save` does without a policy.
  package var defaultPolicy: UpdatePolicy = .modified
  private var handles: [String: TreeHandle] = [:]
  private(set) var hasEnded = false

  package init(_ core: StoreCore, _ transaction: EngineTransaction) throws(StorageError) {
    self.core = core
    self.transaction = transaction
    let tree = try storing { () throws(EngineError) in try transaction.tree(TreeName.schema) }
    view = try core.view(tree)
  }

  /// The copies can do nothing any more.
  package func end() {
    hasEnded = true
    handles.removeAll()
  }
  func checkOpen() throws(StorageError) {
    if hasEnded { throw .transactionEnded }
  }
  package var reader: StoreReader { StoreReader(core: core, source: .transaction(transaction), view: view) }

  /// After a migration changed the schema.
  func use(_ view: SchemaView) { self.view = view }

  /// Trees are looked up once; a rollback makes what was looked up void.
  func handle(_ name: String) throws(StorageError) -> TreeHandle {
    if let handle = handles[name] { return handle }
    let handle = try storing { () throws(EngineError) in try transaction.handle(name) }
    handles[name] = handle
    return handle
  }

  func forget(_ name: String) { handles[name] = nil }

  /// Runs `body`; if it throws, what it changed is as before, and the transaction goes on.
  package func nested(_ body: () throws -> Void) throws {
    try checkOpen()
    try storing { () throws(EngineError) in try transaction.beginSavepoint() }
    do {
      try body()
    } catch {
      transaction.rollBack()
      handles.removeAll(keepingCapacity: true)
      throw error
    }
    transaction.releaseSavepoint()
  }

  // MARK: Bytes

  func put(_ key: [UInt8], _ value: borrowing RawSpan, in name: String) throws(StorageError) {
    let handle = try handle(name)
    do throws(EngineError) { _ = try transaction.put(key.span.raw, value, in: handle) } catch { throw StorageError(error) }
  }
  func delete(_ key: [UInt8], in name: String) throws(StorageError) {
    let handle = try handle(name)
    _ = try storing { () throws(EngineError) in try transaction.delete(key.span.raw, in: handle) }
  }
  func tree(_ name: String) throws(StorageError) -> Tree { try handle(name).tree }
}
