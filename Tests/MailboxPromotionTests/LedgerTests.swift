import MailboxLog
import TestSupport
import Testing

@testable import MailboxPromotion

/// Cursors, window and counters, without a mailbox.
@Suite struct LedgerTests {
  private let segment = MailboxSegmentID(high: 1, low: 2)
  private let day: Double = 24 * 3600

  private func time(_ seconds: Double) -> LogTimestamp { LogTimestamp(secondsSinceReferenceDate: seconds) }

  private func place(_ sequence: UInt64, at seconds: Double) -> LedgerRow.Place {
    LedgerRow.Place(appendedAt: time(seconds), position: MailboxPosition(segment: segment, sequence: sequence))
  }

  private func bounds(entries: Int, age: Duration, bytes: Int = 8 << 20) -> PromotionLedger.WindowBounds {
    var options = PromotionOptions()
    options.ledgerEntryCountMax = entries
    options.ledgerAgeMax = age
    options.ledgerByteCountMax = bytes
    return PromotionLedger.WindowBounds(options)
  }

  private func remember(_ ids: Range<Int>, at now: Double, _ ledger: inout PromotionLedger, _ transaction: inout MemoryTransaction)
    throws
  {
    for number in ids {
      let key = LedgerKey.entry(id: "\(number)")
      let earlier = try ledger.remembered(key, in: &transaction)
      try ledger.remember(key, place(UInt64(number), at: now), inPlaceOf: earlier, now: time(now), in: &transaction)
    }
  }

  /// What counting the rows gives is what the counters say, and the newest place of each key is the one that is found.
  private func check(_ ledger: inout PromotionLedger, _ transaction: inout MemoryTransaction) throws {
    try ledger.writeOrder(in: &transaction)
    let counted = try LedgerRow.Counters(counting: &transaction)
    #expect(counted.windowEntryCount == ledger.counters.windowEntryCount)
    #expect(counted.windowByteCount == ledger.counters.windowByteCount)
    let order = transaction.state.ledger.filter { $0.key.starts(with: "order/".utf8) }
    #expect(order.reduce(0) { $0 + $1.key.count + $1.value.count } == Int(counted.windowByteCount))
    #expect(order.values.allSatisfy { $0.count <= LedgerFormat.OrderRow.byteCountMax })
    var newest: [[UInt8]: LedgerRow.Place] = [:]
    for row in try WindowRow.read(limit: .max, in: &transaction) {
      var index = 0
      row.value.forEachKey { key in
        newest[Array(key)] = row.value.place(index, withKey: key)
        index += 1
        return true
      }
    }
    for (key, place) in newest { #expect(try ledger.remembered(key, in: &transaction)?.place == place) }
    var loaded = try PromotionLedger(reading: &transaction)
    for (key, place) in newest { #expect(try loaded.remembered(key, in: &transaction)?.place == place) }
  }

  @Test func cursorsOnlyMoveForward() throws {
    var transaction = MemoryTransaction()
    var ledger = try PromotionLedger(reading: &transaction)
    let moves = [3, 3, 2, 4].map { ledger.advance(to: MailboxPosition(segment: segment, sequence: $0), of: 1) }
    #expect(moves == [true, false, false, true])
    try ledger.write(dropping: [], in: &transaction)
    var next = try PromotionLedger(reading: &transaction)
    #expect(next.cursors == [segment: LedgerRow.Segment(sequence: 4, mailbox: 1)])
    try next.write(dropping: [segment], in: &transaction)
    #expect(transaction.state.ledger.keys.allSatisfy { $0 == LedgerKey.counters })
  }

  @Test("Nothing to write writes nothing")
  func idle() throws {
    var transaction = MemoryTransaction()
    var ledger = try PromotionLedger(reading: &transaction)
    try ledger.evict(bounds(entries: 0, age: .zero), now: time(0), in: &transaction)
    try ledger.write(dropping: [segment], in: &transaction)
    #expect(transaction.state.ledger.isEmpty)
  }

  @Test("An id stays while it is among the newest, or young")
  func largerOfCountAndAge() throws {
    var transaction = MemoryTransaction()
    var ledger = try PromotionLedger(reading: &transaction)
    try remember(0..<100, at: 0, &ledger, &transaction)
    try remember(100..<150, at: 8 * day, &ledger, &transaction)
    let window = bounds(entries: 80, age: .seconds(7 * day))
    try ledger.evict(window, now: time(day), in: &transaction)
    #expect(ledger.counters.windowEntryCount == 150)
    try ledger.evict(window, now: time(8 * day), in: &transaction)
    #expect(ledger.counters.windowEntryCount == 80)
    try check(&ledger, &transaction)
    for number in 0..<150 {
      #expect(try (ledger.remembered(LedgerKey.entry(id: "\(number)"), in: &transaction) != nil) == (number >= 70))
    }
    try ledger.evict(bounds(entries: 1, age: .seconds(day)), now: time(8.5 * day), in: &transaction)
    #expect(ledger.counters.windowEntryCount == 50)
    try check(&ledger, &transaction)
  }

  @Test("The bytes are a bound whatever count and age say", arguments: [0, 150, 10_000])
  func byteBound(byteCountMax: Int) throws {
    var transaction = MemoryTransaction()
    var ledger = try PromotionLedger(reading: &transaction)
    try remember(0..<1_100, at: 0, &ledger, &transaction)
    try ledger.evict(bounds(entries: .max, age: .seconds(day), bytes: byteCountMax), now: time(1), in: &transaction)
    #expect(ledger.counters.windowByteCount <= UInt64(byteCountMax))
    try check(&ledger, &transaction)
    if byteCountMax >= 150 { #expect(try ledger.remembered(LedgerKey.entry(id: "1099"), in: &transaction) != nil) }
  }

  @Test("An id that is remembered again is the newest, and its older place goes with the oldest")
  func again() throws {
    var transaction = MemoryTransaction()
    var ledger = try PromotionLedger(reading: &transaction)
    try remember(0..<10, at: 0, &ledger, &transaction)
    try remember(0..<1, at: 1, &ledger, &transaction)
    #expect(ledger.counters.windowEntryCount == 10)
    try ledger.evict(bounds(entries: .max, age: .seconds(day)), now: time(1), in: &transaction)
    #expect(ledger.counters.windowEntryCount == 10)
    try check(&ledger, &transaction)
    try ledger.evict(bounds(entries: 1, age: .zero), now: time(1), in: &transaction)
    #expect(try ledger.remembered(LedgerKey.entry(id: "0"), in: &transaction)?.place == place(0, at: 1))
    #expect(ledger.counters.windowEntryCount == 1)
    try check(&ledger, &transaction)
  }

  @Test("Counters that are gone or damaged are counted anew", arguments: [true, false])
  func counters(areGone: Bool) throws {
    var transaction = MemoryTransaction()
    var ledger = try PromotionLedger(reading: &transaction)
    try remember(0..<10, at: 0, &ledger, &transaction)
    try ledger.write(dropping: [], in: &transaction)
    try transaction.setLedgerValue(areGone ? nil : [1, 2, 3], forKey: LedgerKey.counters)
    var next = try PromotionLedger(reading: &transaction)
    #expect(next.counters.windowEntryCount == 10)
    #expect(next.counters.nextOrder == 10)
    #expect(next.damage.isEmpty == areGone)
    try next.write(dropping: [], in: &transaction)
    #expect(try PromotionLedger(reading: &transaction).damage.isEmpty)
    try check(&next, &transaction)
  }

  @Test("Ids of every length, again and again: counters and rows agree, and what is in the bounds is remembered")
  func randomWindows() throws {
    var random = SplitMix64(seed: 7)
    var transaction = MemoryTransaction()
    var newest: [String] = []
    var index: WindowIndex?
    for batch in 0..<60 {
      var ledger = try PromotionLedger(reading: &transaction, index: index)
      for _ in 0..<Int(random.next() % 80) {
        let number = Int(random.next() % 300)
        let id = "\(number)" + String(repeating: "x", count: number % 7 == 0 ? number : 3)
        let key = LedgerKey.entry(id: id)
        let earlier = try ledger.remembered(key, in: &transaction)
        let place = place(UInt64(newest.count), at: Double(batch))
        try ledger.remember(key, place, inPlaceOf: earlier, now: time(Double(batch)), in: &transaction)
        newest.append(id)
      }
      try ledger.evict(bounds(entries: 150, age: .zero), now: time(Double(batch)), in: &transaction)
      #expect(ledger.counters.windowEntryCount <= 150)
      try ledger.write(dropping: [], in: &transaction)
      try check(&ledger, &transaction)
      for id in newest.suffix(150) {
        #expect(try ledger.remembered(LedgerKey.entry(id: id), in: &transaction) != nil)
      }
      index = ledger.window.index
    }
  }

  @Test("A row of the order that is damaged is told, and nothing is promoted beside it")
  func damagedRow() throws {
    var transaction = MemoryTransaction()
    try transaction.setLedgerValue([9], forKey: LedgerKey.order(0))
    try transaction.setLedgerValue(LedgerRow.Counters().value(forKey: LedgerKey.counters), forKey: LedgerKey.counters)
    var ledger = try PromotionLedger(reading: &transaction)
    let error = #expect(throws: PromotionError.self) {
      try ledger.remembered(LedgerKey.entry(id: "a"), in: &transaction)
    }
    guard case .ledgerDamaged(let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found == LedgerKey.order(0))
  }
}
