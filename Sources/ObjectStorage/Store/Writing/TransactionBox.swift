import RawMemory
package import StorageEngine

/// A write transaction of the store, shared by the copies of `WriteTransaction`.
package final class TransactionBox {
  package let transaction: EngineWriter
  package let core: StoreCore
  package private(set) var view: SchemaView
  /// What `save` does without a policy.
  package var defaultPolicy: UpdatePolicy = .modified
  /// Few, and asked for with each change: looked through, not hashed. Equal names are mostly the same string.
  private var handles: [(name: String, handle: TreeHandle)] = []
  private var undo = UndoLog()
  private(set) var hasEnded = false

  package init(_ core: StoreCore, _ transaction: EngineWriter) throws(StorageError) {
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
    for known in handles where known.name == name { return known.handle }
    let handle = try storing { () throws(EngineError) in try transaction.handle(name) }
    handles.append((name, handle))
    return handle
  }

  /// Runs `body`; if it throws, what it changed is as before, and the transaction goes on.
  ///
  /// - Throws: the error of `body`; the store's own when that left the transaction unusable, as a full disk does.
  package func nested(_ body: () throws -> Void) throws {
    try checkOpen()
    let start = undo.steps.count
    undo.depth += 1
    do {
      try body()
    } catch {
      undo.depth -= 1
      do throws(StorageError) { try undo(to: start) } catch let failure { throw error is StorageError ? error : failure }
      throw error
    }
    undo.depth -= 1
    if !undo.isNeeded { keepChanges() }
  }

  private func keepChanges() {
    for _ in 0..<undo.dropSavepoints(from: 0) { transaction.releaseSavepoint() }
    undo.removeAll()
  }

  private func undo(to start: Int) throws(StorageError) {
    let savepointCount = undo.dropSavepoints(from: start)
    if savepointCount > 0 { handles.removeAll(keepingCapacity: true) }
    for _ in 0..<savepointCount { transaction.rollBack() }
    while let step = undo.popLast(downTo: start) {
      guard case .entry(let tree, let key, let old) = step else { continue }
      let handle = try handle(tree)
      if let old {
        try write(key, old.span.raw, handle)
      } else {
        _ = try storing { () throws(EngineError) in try transaction.delete(key.span.raw, in: handle) }
      }
    }
  }

  // MARK: Bytes

  /// - Parameter old: what the key has by now; nil when it isn't there.
  func put(_ key: [UInt8], _ value: borrowing RawSpan, over old: [UInt8]?, in name: String) throws(StorageError) {
    try write(key, value, try handle(name))
    undo.add(.entry(tree: name, key: key, old: old))
  }
  /// - Parameter old: what the key has by now.
  func delete(_ key: [UInt8], having old: [UInt8], in name: String) throws(StorageError) {
    let handle = try handle(name)
    let wasThere = try storing { () throws(EngineError) in try transaction.delete(key.span.raw, in: handle) }
    if wasThere { undo.add(.entry(tree: name, key: key, old: old)) }
  }

  func put(_ key: [UInt8], _ value: borrowing RawSpan, in name: String) throws(StorageError) {
    try put(key, value, over: undo.isNeeded ? try self.value(key, in: name) : nil, in: name)
  }
  func delete(_ key: [UInt8], in name: String) throws(StorageError) {
    try delete(key, having: undo.isNeeded ? try value(key, in: name) ?? [] : [], in: name)
  }
  func deleteTree(_ name: String) throws(StorageError) {
    if undo.isNeeded {
      try storing { () throws(EngineError) in try transaction.beginSavepoint() }
      undo.add(.savepoint)
    }
    handles.removeAll { $0.name == name }
    _ = try storing { () throws(EngineError) in try transaction.deleteTree(name) }
  }

  private func write(_ key: [UInt8], _ value: borrowing RawSpan, _ handle: TreeHandle) throws(StorageError) {
    do throws(EngineError) { _ = try transaction.put(key.span.raw, value, in: handle) } catch { throw StorageError(error) }
  }
  func value(_ key: [UInt8], in name: String) throws(StorageError) -> [UInt8]? {
    let handle = try handle(name)
    return try storing { () throws(EngineError) in try transaction.value(forKey: key.span.raw, in: handle) }
  }
  func tree(_ name: String) throws(StorageError) -> Tree { try handle(name).tree }
}
