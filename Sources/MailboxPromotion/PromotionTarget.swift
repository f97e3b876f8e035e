/// A store that mail can be promoted into. `ObjectStore` is one; conforming another engine takes one transaction type.
public protocol PromotionTarget: Sendable {
  /// What `withPromotionTransaction` lends: the app's own writes and the ledger, in one transaction.
  associatedtype Transaction: PromotionTransaction

  /// Begins a transaction, runs `body` in it, and commits.
  ///
  /// Guarantee: on return, what `body` wrote is as durable as the target ever makes things; when `body` throws, or the commit
  /// fails, nothing of it is there, now or after a crash. Two transactions, of whatever process, never overlap.
  /// - Parameter body: runs once, on any thread, to its end without suspending.
  /// - Returns: what `body` returned.
  /// - Throws: the error of `body`, as it is; or the target's own, and then everything was rolled back.
  /// - Concurrency: waits for another writer's transaction, with a bound.
  func withPromotionTransaction<R: Sendable>(_ body: @Sendable (inout Transaction) throws -> R) async throws -> R
}

/// What promotion needs inside a transaction: undoing one entry, and a small ordered table of bytes, the ledger.
///
/// The ledger's rows belong to `Promoter`: which sequence is promoted in each segment, recent ids, and the quarantine. They
/// have to commit with the objects. Keys are at most 512 bytes, ordered bytewise; a value is as long as the longest record of
/// the mailbox plus 2 KiB at the most (an entry in the quarantine), and 600 bytes elsewhere.
public protocol PromotionTransaction {
  /// Runs `body`; when it throws, undoes what it did and nothing else (SQL: a savepoint).
  ///
  /// - Throws: the error of `body`, as it is; or the target's own when it couldn't undo, which ends the transaction.
  mutating func nested(_ body: (inout Self) throws -> Void) throws
  /// The row as this transaction sees it, its own writes included; nil when there is none.
  func ledgerValue(forKey key: [UInt8]) throws -> [UInt8]?
  /// Writes a row, in place of the one that is there; nil removes it.
  mutating func setLedgerValue(_ value: [UInt8]?, forKey key: [UInt8]) throws
  /// Passes rows in order of keys, from the first not below `lowerBound`, until `body` returns false.
  ///
  /// `body` doesn't write to the transaction.
  func forEachLedgerValue(from lowerBound: [UInt8], _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool) throws
  /// Tells what `PromotionOptions.duplicates` asks for, before the rule is called.
  mutating func setDuplicates(_ policy: PromotionDuplicates) throws
  /// Whether an error that came out of the rule is about the store and not about the entry: a full disk, a failed read.
  ///
  /// Such an error ends the drain as `PromotionError.target`, with the batch rolled back, instead of sending entry after entry
  /// to the quarantine.
  func endsPromotion(_ error: any Error) -> Bool
}

extension PromotionTransaction {
  /// Does nothing: targets whose rule says itself how it writes ignore the policy.
  public mutating func setDuplicates(_ policy: PromotionDuplicates) throws {}
  /// False: each error of the rule is taken to be about its entry.
  public func endsPromotion(_ error: any Error) -> Bool { false }
}
