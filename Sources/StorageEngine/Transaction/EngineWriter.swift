/// A write transaction in the hands of who began it: it ends with `commit`, with `abort`, or when this object is let go.
///
/// The transaction and its trees refer to each other for as long as it lasts, so nothing but this object can tell that nobody has it
/// any more. One thread uses it. What was got from it, trees, handles and cursors, throws `transactionEnded` after its end.
package final class EngineWriter {
  private let transaction: EngineTransaction

  init(_ transaction: EngineTransaction) { self.transaction = transaction }
  deinit { transaction.abort() }

  /// Of the version that is made.
  package var id: TransactionID { transaction.id }
  /// The one that it is built on.
  package var version: TransactionID { transaction.version }

  // MARK: Ending

  /// Publishes what was changed; the transaction has ended then, whether it succeeds or throws.
  ///
  /// - Parameters:
  ///   - durability: what the version survives once this returns.
  ///   - isForced: a version is made also when nothing was changed.
  /// - Returns: the new version; the old one when nothing was changed.
  /// - Throws: `noSpace`, `full`, a system call's failure: the version before is current, and later transactions work. After a sync
  ///   that failed the handle takes no more writes.
  package func commit(_ durability: EngineDurability = .powerLoss, isForced: Bool = false) throws(EngineError) -> TransactionID {
    try transaction.commit(durability, isForced: isForced)
  }

  /// Undoes everything. Calling it again, or after a commit, does nothing.
  package func abort() { transaction.abort() }

  // MARK: Trees

  /// A tree by its name, as it is now; nil if there is none.
  package func tree(_ name: String) throws(EngineError) -> Tree? { try transaction.tree(name) }
  /// The names of all trees, in byte order, those made in this transaction included.
  package func treeNames() throws(EngineError) -> [String] { try transaction.treeNames() }
  /// A tree to change many times without looking its name up; made if there is none.
  package func handle(_ name: String) throws(EngineError) -> TreeHandle { try transaction.handle(name) }
  /// Removes a tree and everything in it. - Complexity: O(pages of the tree). - Returns: whether there was one.
  @discardableResult
  package func deleteTree(_ name: String) throws(EngineError) -> Bool { try transaction.deleteTree(name) }

  // MARK: Entries

  /// Sets a value, in a tree that is made if there is none. - Returns: whether the key is new.
  @discardableResult
  package func put(_ key: borrowing RawSpan, _ value: borrowing RawSpan, in name: String) throws(EngineError) -> Bool {
    try transaction.put(key, value, in: name)
  }
  /// Removes a key. - Returns: whether it was there.
  @discardableResult
  package func delete(_ key: borrowing RawSpan, in name: String) throws(EngineError) -> Bool {
    try transaction.delete(key, in: name)
  }

  /// - Throws: as by name; `treeDeleted` when the handle's tree was removed, or its making undone, and nothing is changed then.
  @discardableResult
  package func put(_ key: borrowing RawSpan, _ value: borrowing RawSpan, in tree: TreeHandle) throws(EngineError) -> Bool {
    try check(tree)
    return try transaction.put(key, value, in: tree)
  }
  @discardableResult
  package func delete(_ key: borrowing RawSpan, in tree: TreeHandle) throws(EngineError) -> Bool {
    try check(tree)
    return try transaction.delete(key, in: tree)
  }
  /// A copy of a value, as this transaction has it; nil without such a key. - Complexity: one descent, which a change of the key then saves.
  package func value(forKey key: borrowing RawSpan, in tree: TreeHandle) throws(EngineError) -> [UInt8]? {
    try check(tree)
    return try transaction.value(forKey: key, in: tree)
  }

  /// A handle is good in its own transaction, as long as its tree is there: pages put into another would belong to nobody.
  private func check(_ tree: TreeHandle) throws(EngineError) {
    if tree.writer.isDetached { throw .treeDeleted }
    if tree.writer.transaction !== transaction { throw .transactionEnded }
  }

  // MARK: Savepoints

  /// Begins what can be undone alone; savepoints nest. - Complexity: a copy of each page that is changed for the first time within it.
  package func beginSavepoint() throws(EngineError) { try transaction.beginSavepoint() }
  /// Keeps what was done; the savepoint around it, if there is one, can still undo it.
  package func releaseSavepoint() { transaction.releaseSavepoint() }
  /// Undoes what was done since the savepoint, which is gone then.
  package func rollBack() { transaction.rollBack() }
}
