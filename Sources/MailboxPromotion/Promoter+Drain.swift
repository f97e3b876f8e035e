import MailboxLog
import Synchronization

extension Promoter {
  /// Batch after batch: promote and commit, then acknowledge, then note which segments are gone.
  ///
  /// - Parameter goal: the last sequences that have to be promoted; nil: as many entries as are pending at the call.
  func drain(
    until goal: [MailboxSegmentID: UInt64]?, progress: (@Sendable (PromotionProgress) -> Void)? = nil
  ) async throws(PromotionError) -> PromotionReport {
    let start = ContinuousClock.now
    var report = PromotionReport()
    try await retryOnce(adding: &report)
    let totalCount = try pendingCount()
    report.damagedRangeCount = try reportDamage()
    var handledCount = 0
    var isFirst = true
    while try hasPending() {
      if Task.isCancelled { throw .cancelled }
      let outcome = try await promoteBatch(readsAhead: totalCount - handledCount >= ReadAhead.recordCountMin)
      inbox.reachPromotionPoint(1)
      do { try inbox.acknowledge(outcome.positions) } catch { throw .mailbox(error) }
      inbox.reachPromotionPoint(2)
      if isFirst { try reportSegmentsBehind(outcome.cursors) }
      isFirst = false
      report.add(outcome)
      tell(outcome)
      try findGoneSegments(outcome.cursors)
      handledCount += outcome.positions.count - outcome.unopenedCount
      progress?(PromotionProgress(completedCount: min(handledCount, totalCount), totalCount: totalCount))
      if let goal {
        if goal.allSatisfy({ outcome.cursors[$0.key]?.sequence ?? 0 >= $0.value }) { break }
      } else if handledCount >= totalCount, outcome.unopenedCount == 0 {
        break
      }
    }
    report.remainingCount = try pendingCount()
    report.duration = ContinuousClock.now - start
    return report
  }

  /// One transaction over the next entries. When it throws, nothing of it is in the store.
  private func promoteBatch(readsAhead: Bool) async throws(PromotionError) -> PromotionOutcome {
    let known = state.withLock { $0.goneSegments }
    let (outcome, gone) = try await target.inTransaction { transaction in
      var batch = try self.batch(in: &transaction)
      // A process that drains one batch in its life never sees a second: the first one drops what others left.
      let gone = try self.state.withLock({ $0.hasLookedForGone }) ? known : known.union(self.goneSegments(batch.ledger.cursors))
      // An error of the body is the target's or the rule's; any other that comes out of the mailbox is the mailbox's.
      var bodyError: (any Error)?
      do {
        try self.forEachRecordOfBatch(readsAhead: readsAhead) { entry in
          do {
            try batch.handle(entry, in: &transaction)
          } catch {
            bodyError = error
            throw error
          }
        }
      } catch {
        if let bodyError { throw bodyError }
        if let error = error as? LogError { throw PromotionError.mailbox(error) }
        throw error
      }
      let outcome = try batch.finish(dropping: gone, in: &transaction)
      self.inbox.reachPromotionPoint(0)
      return (outcome, gone)
    }
    state.withLock {
      $0.goneSegments.subtract(gone)
      $0.hasLookedForGone = true
    }
    return keepIndex(of: outcome)
  }

  private func forEachRecordOfBatch(readsAhead: Bool, _ body: (borrowing MailboxEntry) throws -> Void) throws {
    let limit = max(1, options.batchEntryCountMax)
    let byteCountMax = max(1, options.batchByteCountMax)
    if readsAhead {
      let readAhead = ReadAhead { [inbox] add in
        _ = try inbox.forEachPendingRecord(limit: limit, byteCountMax: byteCountMax, add)
      }
      try readAhead.forEach(body)
    } else {
      _ = try inbox.forEachPendingRecord(limit: limit, byteCountMax: byteCountMax, body)
    }
  }

  /// Finds the segments whose ledger rows can go.
  ///
  /// The rows were read before the directory is, so a segment of this mailbox that has a row and isn't there is gone for good;
  /// once that is durable its entries can't come back, and the next batch drops the row.
  private func findGoneSegments(_ cursors: [MailboxSegmentID: LedgerRow.Segment]) throws(PromotionError) {
    let gone = try goneSegments(cursors)
    state.withLock { $0.goneSegments.formUnion(gone) }
  }

  private func goneSegments(_ cursors: [MailboxSegmentID: LedgerRow.Segment]) throws(PromotionError) -> Set<MailboxSegmentID> {
    let mailbox = try mailboxTag()
    var gone = Set(cursors.filter { $0.value.mailbox == mailbox }.keys)
    if gone.isEmpty { return gone }
    do throws(LogError) {
      gone.subtract(try inbox.segmentIDs())
      if !gone.isEmpty { try inbox.synchronizeRemovals() }
    } catch {
      throw .mailbox(error)
    }
    return gone
  }

  private func mailboxTag() throws(PromotionError) -> UInt64 {
    if let tag = state.withLock({ $0.mailboxTag }) { return tag }
    let identity: UInt64
    do throws(LogError) { identity = try inbox.directoryIdentity() } catch { throw .mailbox(error) }
    let tag = LedgerKey.mailboxTag(inbox.directory, identity: identity)
    state.withLock { $0.mailboxTag = tag }
    return tag
  }

  /// Tells of segments that end before what was promoted of them: older copies, or files that lost their tail with the power.
  private func reportSegmentsBehind(_ cursors: [MailboxSegmentID: LedgerRow.Segment]) throws(PromotionError) {
    for (segment, row) in cursors {
      let last: UInt64?
      do { last = try inbox.lastSequence(of: segment) } catch { throw .mailbox(error) }
      guard let last, last < row.sequence else { continue }
      guard state.withLock({ $0.reportedSegments.insert(segment).inserted }) else { continue }
      tell(.damageFound, "segment \(segment.text) is behind its ledger: it ends at \(last), and \(row.sequence) was promoted")
    }
  }

  /// Tells of damaged segments, each once, and again when it has more. - Returns: how many ranges can't be read.
  private func reportDamage() throws(PromotionError) -> Int {
    let reports: [DamageReport]
    do { reports = try inbox.damage() } catch { throw .mailbox(error) }
    for report in reports where !report.isEmpty {
      let count = report.badRanges.count
      let isNew = state.withLock { $0.reportedPaths.updateValue(count, forKey: report.path) != count }
      if isNew { tell(.damageFound, "\(count) ranges can't be read: \(report.path)") }
    }
    return reports.reduce(0) { $0 + $1.badRanges.count }
  }

  /// A batch at its beginning, in its transaction. It takes the window's index along, and a batch that fails loses it.
  func batch(in transaction: inout Target.Transaction) throws -> PromotionBatch<Target.Transaction> {
    let index = state.withLock { state in
      defer { state.windowIndex = nil }
      return state.windowIndex
    }
    return try PromotionBatch(
      options, upcasters, mailbox: mailboxTag(), now: clock(), index: index, in: &transaction, rule: rule)
  }

  /// After the commit: the index is there for the next batch.
  func keepIndex(of outcome: consuming PromotionOutcome) -> PromotionOutcome {
    let index = outcome.index
    outcome.index = nil
    state.withLock { $0.windowIndex = index }
    return outcome
  }

  /// Whether a batch would find anything, also what can't be opened. Cheap, where counting looks at everything.
  func hasPending() throws(PromotionError) -> Bool {
    do {
      return try inbox.forEachPendingRecord(limit: 1, byteCountMax: 1) { _ in } > 0
    } catch {
      throw (error as? LogError).map(PromotionError.mailbox) ?? .target(error)
    }
  }

  func pendingCount() throws(PromotionError) -> Int {
    do { return try inbox.pendingCount } catch { throw .mailbox(error) }
  }

  func tell(_ outcome: PromotionOutcome) {
    guard let handler = options.logHandler else { return }
    outcome.events.forEach(handler)
    guard outcome.hasNews else { return }
    let counts = "\(outcome.promotedCount) promoted, \(outcome.duplicateCount) duplicates, \(outcome.quarantinedCount) quarantined"
    tell(.batchCommitted, counts)
  }

  private func tell(_ kind: PromotionEvent.Kind, _ message: String) {
    options.logHandler?(PromotionEvent(kind: kind, message: message))
  }
}
