import MailboxLog
import TestSupport
import Testing

@testable import MailboxPromotion

/// The index that outlives a transaction, against a list of what was remembered.
@Suite struct WindowTests {
  private static let entryCountMax = 120

  /// A store at one moment, and what it remembers, the oldest first.
  private struct Moment {
    var transaction = MemoryTransaction()
    var entries: [(key: [UInt8], place: LedgerRow.Place)] = []

    func place(_ key: [UInt8]) -> LedgerRow.Place? { entries.last { $0.key == key }?.place }

    var idCount: Int { Set(entries.map(\.key)).count }

    mutating func evict() {
      while let first = entries.first {
        let isVoid = entries.dropFirst().contains { $0.key == first.key }
        guard isVoid || idCount > WindowTests.entryCountMax else { return }
        entries.removeFirst()
      }
    }
  }

  private static func place(_ random: inout SplitMix64) -> LedgerRow.Place {
    let segment = MailboxSegmentID(high: 1, low: random.next() % 3)
    return LedgerRow.Place(
      appendedAt: LogTimestamp(secondsSinceReferenceDate: Double(random.next() % 1_000)),
      position: MailboxPosition(segment: segment, sequence: random.next() % 10_000))
  }

  @Test(
    "Processes in turn, failed batches, older copies put back and lost counters: what is remembered is what the store has",
    arguments: 1...3 as ClosedRange<UInt64>)
  func indexOutlivesTransactions(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var options = PromotionOptions()
    options.ledgerEntryCountMax = Self.entryCountMax
    options.ledgerAgeMax = .zero
    let bounds = PromotionLedger.WindowBounds(options)
    var moment = Moment()
    var older = moment
    var indexes: [WindowIndex?] = [nil, nil, nil]
    for step in 0..<200 {
      let process = Int(random.next() % 3)
      switch random.next() % 16 {
      case 0: older = moment
      case 1: moment = older
      case 2: try moment.transaction.setLedgerValue(nil, forKey: LedgerKey.counters)
      default: break
      }
      var next = moment
      let now = LogTimestamp(secondsSinceReferenceDate: Double(step / 3))
      var ledger = try PromotionLedger(reading: &next.transaction, index: indexes[process])
      indexes[process] = nil
      for _ in 0..<Int(random.next() % 40) {
        let number = Int(random.next() % 200)
        let key = LedgerKey.entry(id: "\(number)" + String(repeating: "x", count: number % 9 == 0 ? number : 0))
        let earlier = try ledger.remembered(key, in: &next.transaction)
        #expect(earlier?.place == next.place(key))
        if earlier != nil, random.next() % 2 == 0 { continue }
        let place = Self.place(&random)
        try ledger.remember(key, place, inPlaceOf: earlier, now: now, in: &next.transaction)
        next.entries.append((key, place))
      }
      next.evict()
      ledger.hasVoidPlaces = true
      try ledger.evict(bounds, now: now, in: &next.transaction)
      try ledger.write(dropping: [], in: &next.transaction)
      #expect(ledger.counters.windowEntryCount == UInt64(next.idCount))
      // A batch that fails leaves the store as it was, and its index goes with it.
      if random.next() % 5 == 0 { continue }
      indexes[process] = ledger.window.index
      moment = next
    }
  }

  @Test("One key thousands of times takes one place of the table")
  func hotKey() throws {
    var transaction = MemoryTransaction()
    var random = SplitMix64(seed: 3)
    let key = LedgerKey.entry(id: "presence")
    var ledger = try PromotionLedger(reading: &transaction)
    let now = LogTimestamp.now
    var last: LedgerRow.Place?
    for _ in 0..<2_000 {
      let place = Self.place(&random)
      let earlier = try ledger.remembered(key, in: &transaction)
      #expect(earlier?.place == last)
      try ledger.remember(key, place, inPlaceOf: earlier, now: now, in: &transaction)
      last = place
    }
    #expect(ledger.window.index.ordinals(withHash: WindowIndex.hash(key)).count == 1)
    try ledger.write(dropping: [], in: &transaction)
    var loaded = try PromotionLedger(reading: &transaction)
    #expect(try loaded.remembered(key, in: &transaction)?.place == last)
    #expect(loaded.window.index.ordinals(withHash: WindowIndex.hash(key)).count == 1)
  }

  @Test("An id that comes again and again doesn't push others out of the newest")
  func aHotKeyCountsOnce() throws {
    var transaction = MemoryTransaction()
    var random = SplitMix64(seed: 4)
    var options = PromotionOptions()
    options.ledgerEntryCountMax = 2
    options.ledgerAgeMax = .zero
    let bounds = PromotionLedger.WindowBounds(options)
    let now = LogTimestamp.now
    for id in ["rare"] + [String](repeating: "hot", count: 300) {
      var ledger = try PromotionLedger(reading: &transaction)
      let key = LedgerKey.entry(id: id)
      let earlier = try ledger.remembered(key, in: &transaction)
      try ledger.remember(key, Self.place(&random), inPlaceOf: earlier, now: now, in: &transaction)
      try ledger.evict(bounds, now: now, in: &transaction)
      try ledger.write(dropping: [], in: &transaction)
    }
    var ledger = try PromotionLedger(reading: &transaction)
    #expect(try ledger.remembered(LedgerKey.entry(id: "rare"), in: &transaction) != nil)
    #expect(ledger.counters.windowEntryCount == 2)
  }

  @Test("A batch whose commit fails is promoted by the next one, and its ids aren't taken for remembered")
  func failedCommit() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    try inbox.append(0..<20)
    try await promoter.drain()
    try inbox.append(20..<40)
    store.failNextCommit(MemoryTargetFull())
    await #expect(throws: PromotionError.self) { try await promoter.drain() }
    #expect(try await promoter.drain().promotedCount == 20)
    try inbox.append(10..<30)
    let report = try await promoter.drain()
    #expect(report.duplicateCount == 20)
    #expect(store.committed.doubles == [])
  }

  @Test("A store that is put back to an older copy, under a promoter that goes on: what it lost is promoted again, once")
  func olderCopy() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    try inbox.append(0..<30)
    try await promoter.drain()
    let copy = store.committed
    try inbox.append(30..<60)
    try await promoter.drain()
    store.tamper { $0 = copy }
    try inbox.append(20..<50)
    let report = try await promoter.drain()
    #expect(report.promotedCount == 20)
    #expect(report.duplicateCount == 10)
    #expect(store.committed.doubles == [])
    #expect(store.committed.objects.count == 50)
  }
}
