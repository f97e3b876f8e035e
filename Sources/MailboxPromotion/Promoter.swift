public import MailboxLog
import Synchronization

/// Moves mail into a store, each entry exactly once.
///
/// The rule runs inside the batch's transaction. When it throws, what it did for this entry is undone, the entry goes to the
/// quarantine in the same transaction, and the others go on.
public final class Promoter<Target: PromotionTarget>: Sendable {
  /// What an entry becomes in the store. Runs inside the batch's transaction, in one task at a time for each drain.
  public typealias Rule = @Sendable (borrowing MailboxEntry, inout Target.Transaction) throws -> Void
  let inbox: any PromotionSource
  let target: Target
  let rule: Rule
  let upcasters: UpcasterChain
  let clock: @Sendable () -> LogTimestamp
  let state = Mutex(PromoterState())
  /// As given at `init`.
  public let options: PromotionOptions

  /// Joins a mailbox and a store; reads and writes neither.
  ///
  /// - Parameter inbox: the mailbox, with the key that reads it.
  /// - Parameter target: the store; several promoters, in one or in several processes, may share it and the mailbox.
  /// - Parameter options: bounds, duplicates, upcasters.
  /// - Parameter rule: writes what one entry becomes. It doesn't keep the entry, and has no effects outside the transaction,
  ///   since a batch whose commit fails runs again.
  public convenience init(
    from inbox: MailboxReader, into target: Target, options: PromotionOptions = PromotionOptions(), rule: @escaping Rule
  ) {
    self.init(source: inbox, into: target, options: options, rule: rule)
  }

  /// The same over anything that behaves as a mailbox, and with a clock.
  package init(
    source: any PromotionSource, into target: Target, options: PromotionOptions = PromotionOptions(),
    clock: @escaping @Sendable () -> LogTimestamp = { .now }, rule: @escaping Rule
  ) {
    inbox = source
    self.target = target
    self.options = options
    self.rule = rule
    self.clock = clock
    upcasters = UpcasterChain(options.upcasters)
  }

  /// Promotes everything that is in the mailbox now.
  ///
  /// Guarantee: on return, each entry that was pending at the call is in the store once, counted as a duplicate, or in the
  /// quarantine, as durably as the store makes things. A crash at any instant loses none and doubles none. The first drain of a
  /// promoter also retries the quarantine, see ``PromotionOptions/retryCountMax``.
  /// - Parameter progress: called after each batch, on the drain's task.
  /// - Returns: what this drain did; what another process did meanwhile isn't in it.
  /// - Throws: ``PromotionError``; batches that were committed stay, the rest is still in the mailbox.
  /// - Complexity: one transaction and one acknowledgment for each batch; memory is bounded by the batch.
  /// - Concurrency: safe in any number of tasks and processes at once; waits for the store's other writers, as the store does.
  ///   Cancellation ends it between two batches.
  @discardableResult
  public func drain(progress: (@Sendable (PromotionProgress) -> Void)? = nil) async throws(PromotionError) -> PromotionReport {
    try await drain(until: nil, progress: progress)
  }

  /// Drains, then again on each arrival, a report for each drain that found something. Ends when its task is cancelled, or when
  /// the reader is closed; while the reader is suspended, it waits.
  ///
  /// - Returns: a sequence that works while it is iterated, and throws what ``drain(progress:)`` throws.
  public func run() -> PromotionReports {
    PromotionReports(arrivals: inbox.arrivals()) { () async throws(PromotionError) in try await self.drain() }
  }

  /// What was set aside in this promoter's store.
  public var quarantine: PromotionQuarantine<Target> { PromotionQuarantine(in: target) }

  /// What waits, what was set aside, and when the last batch was committed.
  ///
  /// - Throws: ``PromotionError``.
  /// - Complexity: one transaction that writes nothing.
  public func health() async throws(PromotionError) -> PromotionHealth {
    let backlog: MailboxBacklog
    do { backlog = try inbox.backlog() } catch { throw .mailbox(error) }
    let counters = try await target.ledgerCounters()
    return PromotionHealth(
      backlog: backlog, quarantinedCount: Int(clamping: counters.quarantinedCount),
      promotedCount: Int(clamping: counters.promotedCount), duplicateCount: Int(clamping: counters.duplicateCount),
      lastPromotedAt: counters.lastPromotedAt)
  }
}

/// What a promoter remembers from batch to batch. All of it can be forgotten without harm.
struct PromoterState {
  /// Whether the first drain's look at the quarantine has been taken.
  var hasRetried = false
  /// Segments that were gone when their removal was last made durable: their rows go with the next batch.
  var goneSegments: Set<MailboxSegmentID> = []
  /// Whether rows that earlier promoters left have been looked for.
  var hasLookedForGone = false
  /// What stands for the mailbox in the ledger.
  var mailboxTag: UInt64?
  /// As the last batch left it.
  var windowIndex: WindowIndex?
  /// What the log handler was told already: a segment behind its ledger, or the path of one that has damage.
  var reportedSegments: Set<MailboxSegmentID> = []
  var reportedPaths: [String: Int] = [:]
}

extension PromotionTarget {
  /// Runs `body` in a transaction and tells whose error ended it.
  func inTransaction<R: Sendable>(
    _ body: @Sendable (inout Transaction) throws -> R
  ) async throws(PromotionError) -> R {
    do {
      return try await withPromotionTransaction(body)
    } catch {
      throw PromotionError(endOfTransaction: error)
    }
  }

  func ledgerCounters() async throws(PromotionError) -> LedgerRow.Counters {
    try await inTransaction { transaction in try PromotionLedger(reading: &transaction).counters }
  }
}
