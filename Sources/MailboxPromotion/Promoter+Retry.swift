public import MailboxLog
import Synchronization

extension Promoter {
  /// Runs the rule again for these entries of the quarantine, or for all; those that fail stay.
  ///
  /// Guarantee: on return, each entry for which the rule ran is in the store once and no longer in the quarantine.
  /// - Parameter positions: which; nil: all that are there at the call, the oldest first. Others than those there are passed over.
  /// - Returns: `promotedCount`, `duplicateCount` (dropped from the quarantine), and `quarantinedCount`: those that stay.
  /// - Throws: ``PromotionError``; batches that were committed stay.
  /// - Concurrency: as ``drain(progress:)``.
  @discardableResult
  public func retryQuarantined(_ positions: [MailboxPosition]? = nil) async throws(PromotionError) -> PromotionReport {
    let start = ContinuousClock.now
    var report = PromotionReport()
    if let positions {
      var rest = positions[...]
      while !rest.isEmpty {
        let batch = try await retry(Array(rest.prefix(max(1, options.batchEntryCountMax))), adding: &report)
        rest = rest.dropFirst(batch)
      }
    } else {
      try await retryAll(byItself: false, adding: &report)
    }
    report.remainingCount = try pendingCount()
    report.duration = ContinuousClock.now - start
    return report
  }

  /// The first drain's look at the quarantine. A drain that fails in it leaves it to the next.
  func retryOnce(adding report: inout PromotionReport) async throws(PromotionError) {
    let isFirst = state.withLock { state in
      defer { state.hasRetried = true }
      return !state.hasRetried
    }
    guard isFirst else { return }
    do {
      try await retryAll(byItself: true, adding: &report)
    } catch {
      state.withLock { $0.hasRetried = false }
      throw error
    }
  }

  /// Goes through the quarantine in its order, up to the entry that is the newest when the first transaction begins.
  private func retryAll(byItself: Bool, adding report: inout PromotionReport) async throws(PromotionError) {
    var next: UInt64? = 0
    var end: UInt64?
    while let from = next {
      if Task.isCancelled { throw .cancelled }
      let known = end
      let pass = try await target.inTransaction { transaction in
        var batch = try self.batch(in: &transaction)
        let end = known ?? batch.ledger.counters.nextWaiting
        let limit = max(1, self.options.batchEntryCountMax)
        let waiting = try PromotionLedger.waiting(from: from, before: end, limit: limit, in: &transaction)
        var next: UInt64? = waiting.count == limit ? waiting[limit - 1].number + 1 : nil
        var byteCount = 0
        for (number, position) in waiting {
          byteCount += try batch.retry(position, byItself: byItself, in: &transaction)
          guard byteCount >= self.options.batchByteCountMax else { continue }
          next = number + 1
          break
        }
        return RetryPass(outcome: try batch.finish(dropping: [], in: &transaction), next: next, end: end)
      }
      add(pass.outcome, to: &report)
      next = pass.next
      end = pass.end
    }
  }

  /// - Returns: how many of the positions were handled.
  private func retry(_ positions: [MailboxPosition], adding report: inout PromotionReport) async throws(PromotionError) -> Int {
    if Task.isCancelled { throw .cancelled }
    let (outcome, count) = try await target.inTransaction { transaction in
      var batch = try self.batch(in: &transaction)
      var byteCount = 0
      var count = 0
      for position in positions where byteCount < self.options.batchByteCountMax {
        byteCount += try batch.retry(position, byItself: false, in: &transaction)
        count += 1
      }
      return (try batch.finish(dropping: [], in: &transaction), count)
    }
    add(outcome, to: &report)
    return count
  }

  private func add(_ outcome: PromotionOutcome, to report: inout PromotionReport) {
    let outcome = keepIndex(of: outcome)
    tell(outcome)
    if outcome.hasNews { report.add(outcome) }
  }
}

/// One transaction of a way through the quarantine.
private struct RetryPass: Sendable {
  var outcome: PromotionOutcome
  /// Where the next transaction goes on; nil when this was the last.
  var next: UInt64?
  var end: UInt64
}
