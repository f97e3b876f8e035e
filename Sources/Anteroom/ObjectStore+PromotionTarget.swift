public import MailboxPromotion
public import ObjectStorage

/// Mail is promoted into the store: objects and ledger in one transaction, durable whatever the store's own level.
extension ObjectStore: PromotionTarget {
  /// Runs `body` in a write transaction and commits it with `.powerLoss`.
  ///
  /// - Throws: `CancellationError` for a task that was cancelled before the transaction began, also while it waited for another writer;
  ///   what `body` throws; ``StorageError``.
  public func withPromotionTransaction<R: Sendable>(_ body: @Sendable (inout WriteTransaction) throws -> R) async throws -> R {
    do {
      return try await writeDurably(body)
    } catch StorageError.cancelled {
      throw CancellationError()
    }
  }
}

extension WriteTransaction: PromotionTransaction {
  /// Runs `body` in a savepoint; when it throws, what it did is undone, and the transaction goes on.
  public mutating func nested(_ body: (inout WriteTransaction) throws -> Void) throws {
    try box.nested { try body(&self) }
  }
  /// The ledger's value of a key, as this transaction sees it; nil without one.
  public func ledgerValue(forKey key: [UInt8]) throws -> [UInt8]? { try ledgerBytes(forKey: key) }
  /// Sets the ledger's value of a key; nil removes it.
  public mutating func setLedgerValue(_ value: [UInt8]?, forKey key: [UInt8]) throws { try setLedgerBytes(value, forKey: key) }
  /// The ledger's entries in the order of their keys, until `body` returns false.
  public func forEachLedgerValue(from lowerBound: [UInt8], _ body: ([UInt8], [UInt8]) throws -> Bool) throws {
    try forEachLedgerEntry(from: lowerBound, body)
  }
  /// `save` without a policy follows it.
  public mutating func setDuplicates(_ policy: PromotionDuplicates) throws {
    box.defaultPolicy =
      switch policy {
      case .insertIfAbsent: .insertIfAbsent
      case .latestWins: .modified
      }
  }
  /// What is wrong with the store, or with the code, would go wrong for every entry; a clash of keys, a value that is too large or
  /// a sum that overflows is its entry's own.
  public func endsPromotion(_ error: any Error) -> Bool {
    guard let error = error as? StorageError else { return false }
    switch error {
    case .objectNotFound, .duplicateKey, .deleteDenied, .valueTooLarge, .keyTooLarge, .query(.overflow): return false
    default: return true
    }
  }
}
