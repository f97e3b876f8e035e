public import MailboxPromotion
import Synchronization

/// A store in memory that mail is promoted into: shows what is committed, and fails when told to.
public final class MemoryTarget: PromotionTarget {
  private struct Contents {
    var committed = MemoryState()
    var commitFailures: [any Error] = []
    var onCommit: (@Sendable (MemoryState) -> Void)?
  }
  private let contents = Mutex(Contents())

  /// An empty store.
  public init() {}

  /// Runs `body` on a copy that replaces the contents when it returns, unless a failure was injected.
  public func withPromotionTransaction<R: Sendable>(
    _ body: @Sendable (inout MemoryTransaction) throws -> R
  ) async throws -> R {
    let (result, state, hook) = try contents.withLock { contents in
      var transaction = MemoryTransaction(state: contents.committed)
      let result = try body(&transaction)
      if !contents.commitFailures.isEmpty { throw contents.commitFailures.removeFirst() }
      contents.committed = transaction.state
      contents.committed.version += 1
      return (result, contents.committed, contents.onCommit)
    }
    hook?(state)
    return result
  }

  /// What a reader sees now.
  public var committed: MemoryState { contents.withLock { $0.committed } }
  /// Makes the next commit fail; several calls, the next several.
  public func failNextCommit(_ error: any Error) { contents.withLock { $0.commitFailures.append(error) } }
  /// Called after each commit, outside of the store's lock.
  public func onCommit(_ hook: (@Sendable (MemoryState) -> Void)?) { contents.withLock { $0.onCommit = hook } }
  /// Changes the contents from outside, as damage does.
  public func tamper(_ body: (inout sending MemoryState) -> Void) { contents.withLock { body(&$0.committed) } }
}

/// What is in a `MemoryTarget` after one commit.
public struct MemoryState: Sendable {
  /// Objects by id.
  public var objects: [String: MemoryObject] = [:]
  /// The ledger's rows.
  public var ledger: [[UInt8]: [UInt8]] = [:]
  /// Commits so far.
  public var version = 0

  /// Nothing.
  public init() {}

  /// Ledger keys that begin with a text, in order.
  public func ledgerKeys(_ prefix: String) -> [[UInt8]] {
    ledger.keys.filter { $0.starts(with: prefix.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// One object.
public struct MemoryObject: Sendable, Equatable {
  /// What was saved last.
  public var text: String
  /// How often it was saved: more than once is a double.
  public var saveCount: Int

  /// An object that was saved that often.
  public init(text: String, saveCount: Int) {
    self.text = text
    self.saveCount = saveCount
  }
}

/// A transaction of a `MemoryTarget`.
public struct MemoryTransaction: PromotionTransaction {
  private enum Undo {
    case object(String, MemoryObject?)
    case row([UInt8], [UInt8]?)
  }
  /// What it would commit now.
  public private(set) var state: MemoryState
  /// As last told.
  public private(set) var duplicates: PromotionDuplicates?
  private var undo: [Undo] = []

  /// A transaction that nobody commits, for tests of the ledger.
  public init(state: MemoryState = MemoryState()) { self.state = state }

  /// Saves an object.
  public mutating func save(_ id: String, _ text: String) {
    let old = state.objects[id]
    undo.append(.object(id, old))
    state.objects[id] = MemoryObject(text: text, saveCount: (old?.saveCount ?? 0) + 1)
  }

  /// Undoes step by step what `body` did when it throws.
  public mutating func nested(_ body: (inout MemoryTransaction) throws -> Void) throws {
    let start = undo.count
    do {
      try body(&self)
    } catch {
      while undo.count > start {
        switch undo.removeLast() {
        case .object(let id, let old): state.objects[id] = old
        case .row(let key, let old): state.ledger[key] = old
        }
      }
      throw error
    }
  }
  /// Reads a row.
  public func ledgerValue(forKey key: [UInt8]) throws -> [UInt8]? { state.ledger[key] }
  /// Writes or removes a row.
  public mutating func setLedgerValue(_ value: [UInt8]?, forKey key: [UInt8]) throws {
    precondition(key.count <= 512, "a key of \(key.count) bytes")
    undo.append(.row(key, state.ledger[key]))
    state.ledger[key] = value
  }
  /// Passes rows in order of keys.
  public func forEachLedgerValue(from lowerBound: [UInt8], _ body: ([UInt8], [UInt8]) throws -> Bool) throws {
    let keys = state.ledger.keys.filter { !$0.lexicographicallyPrecedes(lowerBound) }
    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let value = state.ledger[key], try body(key, value) else { return }
    }
  }
  /// Remembers the policy.
  public mutating func setDuplicates(_ policy: PromotionDuplicates) throws { duplicates = policy }
  /// True for `MemoryTargetFull`.
  public func endsPromotion(_ error: any Error) -> Bool { error is MemoryTargetFull }
}

/// Stands for the store's own errors.
public struct MemoryTargetFull: Error, Equatable {
  /// A full store.
  public init() {}
}
