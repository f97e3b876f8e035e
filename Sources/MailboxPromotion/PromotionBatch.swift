import MailboxLog

/// One batch inside its transaction: what becomes of each entry.
struct PromotionBatch<Transaction: PromotionTransaction> {
  let options: PromotionOptions
  let upcasters: UpcasterChain
  let rule: (borrowing MailboxEntry, inout Transaction) throws -> Void
  /// Whose segments' cursors move.
  let mailbox: UInt64
  let now: LogTimestamp
  private(set) var ledger: PromotionLedger
  private(set) var outcome = PromotionOutcome()
  private let appVersion: [UInt8]?

  init(
    _ options: PromotionOptions, _ upcasters: UpcasterChain, mailbox: UInt64, now: LogTimestamp, index: consuming WindowIndex?,
    in transaction: inout Transaction, rule: @escaping (borrowing MailboxEntry, inout Transaction) throws -> Void
  ) throws {
    self.options = options
    self.upcasters = upcasters
    self.rule = rule
    self.mailbox = mailbox
    self.now = now
    appVersion = options.appVersion.map { QuarantineRow.bounded($0, QuarantineRow.appVersionByteCountMax) }
    ledger = try PromotionLedger(reading: &transaction, index: index)
    try transaction.setDuplicates(options.duplicates)
  }

  /// Handles one record of the mailbox. Whatever becomes of it, it is acknowledged once the transaction is committed.
  mutating func handle(_ entry: borrowing MailboxEntry, in transaction: inout Transaction) throws {
    let position = entry.position
    if let failure = entry.openingFailure, !failure.isAboutOneRecord { throw PromotionError.mailbox(failure) }
    outcome.positions.append(position)
    guard ledger.advance(to: position, of: mailbox) else { return }
    // Only after a lost cursor: the entry waits in the quarantine already.
    if ledger.counters.quarantinedCount > 0, try PromotionLedger.quarantined(position, in: &transaction) != nil { return }
    if let failure = entry.openingFailure {
      outcome.unopenedCount += 1
      try quarantine(entry, EntryFailure(kind: .unopened, failure), in: &transaction)
      return
    }
    switch try apply(entry, in: &transaction) {
    case .replayed: return
    case .promoted: countPromoted(entry)
    case .duplicate: countDuplicate()
    case .failed(let failure): try quarantine(entry, failure, in: &transaction)
    }
  }

  /// Runs the rule again for an entry of the quarantine, and takes it out unless it fails again.
  ///
  /// - Parameter byItself: whether the app didn't ask; then it uses up a retry, and is left alone when none is left.
  /// - Returns: bytes handled.
  mutating func retry(_ position: MailboxPosition, byItself: Bool, in transaction: inout Transaction) throws -> Int {
    guard var row = try PromotionLedger.quarantined(position, in: &transaction) else { return 0 }
    if byItself, appVersion != nil, row.appVersion != appVersion { row.retryCount = 0 }
    if byItself, !row.isOpened || row.retryCount >= UInt32(clamping: options.retryCountMax) { return 0 }
    guard row.isOpened else {
      outcome.quarantinedCount += 1
      return 0
    }
    switch try row.withEntry(at: position, { entry in try apply(entry, in: &transaction) }) {
    case .replayed:
      try ledger.release(row, at: position, in: &transaction)
    case .promoted:
      try ledger.release(row, at: position, in: &transaction)
      countPromoted(byteCount: row.id.count + row.bytes.count)
    case .duplicate:
      try ledger.release(row, at: position, in: &transaction)
      countDuplicate()
    case .failed(let failure):
      if !byItself { outcome.quarantinedCount += 1 }
      try keep(&row, at: position, failure, byItself: byItself, in: &transaction)
    }
    return row.bytes.count
  }

  /// Evicts old ids and writes the ledger: the last thing before the commit.
  mutating func finish(dropping gone: Set<MailboxSegmentID>, in transaction: inout Transaction) throws -> PromotionOutcome {
    try ledger.evict(PromotionLedger.WindowBounds(options), now: now, in: &transaction)
    if outcome.hasNews { ledger.counters.lastPromotedAt = now }
    try ledger.write(dropping: gone, in: &transaction)
    outcome.cursors = ledger.cursors
    outcome.nextWaiting = ledger.counters.nextWaiting
    outcome.index = ledger.window.index
    for message in ledger.damage { outcome.events.append(PromotionEvent(kind: .damageFound, message: message)) }
    return outcome
  }

  private enum Verdict {
    /// This very entry is in the store.
    case replayed
    case promoted, duplicate
    case failed(EntryFailure)
  }

  /// Upcasts, looks for duplicates and runs the rule.
  private mutating func apply(_ entry: borrowing MailboxEntry, in transaction: inout Transaction) throws -> Verdict {
    do {
      return try upcasters.withNewest(entry) { newest in try promote(newest, in: &transaction) }
    } catch let failure as EntryFailure {
      return .failed(failure)
    }
  }

  private mutating func promote(_ entry: borrowing MailboxEntry, in transaction: inout Transaction) throws -> Verdict {
    let key = try entryKey(of: entry)
    let earlier = try ledger.remembered(key, in: &transaction)
    if let earlier {
      if earlier.place.position == entry.position { return .replayed }
      switch options.duplicates {
      case .insertIfAbsent: return .duplicate
      case .latestWins: if earlier.place.isNewer(than: entry) { return .duplicate }
      }
    }
    try transaction.nested { nested in
      do {
        try rule(entry, &nested)
      } catch {
        if error is CancellationError || nested.endsPromotion(error) { throw error }
        throw EntryFailure(kind: .thrown, error)
      }
    }
    let place = LedgerRow.Place(appendedAt: entry.appendedAt, position: entry.position)
    try ledger.remember(key, place, inPlaceOf: earlier, now: now, in: &transaction)
    return .promoted
  }

  private func entryKey(of entry: borrowing MailboxEntry) throws -> [UInt8] {
    guard let duplicateKey = options.duplicateKey else { return LedgerKey.entry(id: entry.id) }
    do { return LedgerKey.entry(duplicateKey: try duplicateKey(entry)) } catch { throw EntryFailure(kind: .thrown, error) }
  }

  private mutating func quarantine(
    _ entry: borrowing MailboxEntry, _ failure: EntryFailure, in transaction: inout Transaction
  ) throws {
    try ledger.quarantine(entry, failure, appVersion: appVersion, now: now, in: &transaction)
    outcome.quarantinedCount += 1
    let place = "entry \(entry.position.sequence) of segment \(entry.position.segment.text)"
    outcome.events.append(PromotionEvent(kind: .quarantined, message: "\(place) went to the quarantine"))
    if failure.kind == .upcasterMissing {
      outcome.events.append(PromotionEvent(kind: .upcasterMissing, message: failure.reason))
    }
  }

  private func keep(
    _ row: inout QuarantineRow, at position: MailboxPosition, _ failure: EntryFailure, byItself: Bool,
    in transaction: inout Transaction
  ) throws {
    let before = row
    row.reason = QuarantineRow.bounded(failure.reason, QuarantineRow.reasonByteCountMax)
    if failure.kind == .thrown {
      row.attemptCount += 1
      if byItself { row.retryCount += 1 }
      row.appVersion = appVersion ?? row.appVersion
    }
    if row != before { try PromotionLedger.put(row, at: position, in: &transaction) }
  }

  private mutating func countPromoted(_ entry: borrowing MailboxEntry) { countPromoted(byteCount: entry.byteCount) }
  private mutating func countPromoted(byteCount: Int) {
    outcome.promotedCount += 1
    outcome.byteCount += byteCount
    ledger.counters.promotedCount += 1
  }
  private mutating func countDuplicate() {
    outcome.duplicateCount += 1
    ledger.counters.duplicateCount += 1
  }
}

/// What a transaction did, told to the drain once it is committed.
struct PromotionOutcome: Sendable {
  /// To acknowledge: of this batch only, so that a long drain stays small.
  var positions: [MailboxPosition] = []
  var promotedCount = 0
  var duplicateCount = 0
  var quarantinedCount = 0
  /// Of `positions`, those whose record couldn't be opened.
  var unopenedCount = 0
  var byteCount = 0
  /// The cursors as committed.
  var cursors: [MailboxSegmentID: LedgerRow.Segment] = [:]
  /// The number that the next entry of the quarantine gets.
  var nextWaiting: UInt64 = 0
  var events: [PromotionEvent] = []
  /// Of the window as committed.
  var index: WindowIndex?

  var hasNews: Bool { promotedCount > 0 || duplicateCount > 0 || quarantinedCount > 0 }
}
