public import MailboxLog

/// Why a drain stopped.
///
/// What was committed before stays in the store, and what wasn't is still in the mailbox: draining again goes on from there.
public enum PromotionError: Error, Sendable {
  /// The mailbox's own error. A wrong or a missing key is one of these: the drain stops and nothing goes to the quarantine.
  case mailbox(LogError)
  /// The target's own error; an `ObjectStore`'s is a `StorageError`.
  case target(any Error)
  /// The timeout passed while this many entries were still in the mailbox.
  case timedOut(remainingCount: Int)
  /// The task was cancelled between two batches, or the rule threw a `CancellationError`.
  case cancelled
  /// The ledger's bytes are not this library's. Removing the row with this key lets the next drain go on without it.
  case ledgerDamaged(key: [UInt8])
}

extension PromotionError: CustomStringConvertible {
  /// One sentence for people: what, and what is true now.
  public var description: String {
    switch self {
    case .mailbox(let error): "the mailbox: \(error)"
    case .target(let error): "the store: \(error)"
    case .timedOut(let remainingCount): "the timeout passed; \(remainingCount) entries are still in the mailbox"
    case .cancelled: "cancelled; what was committed stays, the rest is still in the mailbox"
    case .ledgerDamaged(let key): "the ledger's row \(LedgerFormat.readable(key)) is damaged"
    }
  }
}

extension PromotionError {
  /// What a transaction of the target ended with: this module's own errors as they are, the rest as the target's.
  init(endOfTransaction error: any Error) {
    switch error {
    case let error as PromotionError: self = error
    case is CancellationError: self = .cancelled
    default: self = .target(error)
    }
  }
}

extension LogError {
  /// Whether it is about the bytes of one record, which would be no better next time, and not about the mailbox or its key.
  var isAboutOneRecord: Bool {
    switch self {
    case .corrupted, .typeMismatch, .missingField, .invalidKey, .keyTooLarge, .recordTooLarge: true
    default: false
    }
  }
}
