import MailboxLog
import MailboxPromotion
import TestSupport
import Testing

/// Entries that fail, and what becomes of them.
@Suite struct QuarantineTests {
  private let mended: Promoter<MemoryTarget>.Rule = { entry, transaction in
    transaction.save(entry.id, try entry.string("text"))
  }

  private func options(_ change: (inout PromotionOptions) -> Void = { _ in }) -> PromotionOptions {
    var options = PromotionOptions()
    change(&options)
    return options
  }

  @Test func setAside() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    let events = Collector<PromotionEvent>()
    let position = try inbox.append("bad", "poison", version: 3)
    try inbox.append("good", "fine")
    let options = options { $0.logHandler = { events.add($0) } }
    let promoter = Promoter(from: inbox.reader, into: store, options: options, rule: saveText)
    let report = try await promoter.drain()
    #expect(report.promotedCount == 1)
    #expect(report.quarantinedCount == 1)
    #expect(store.committed.objects.keys.sorted() == ["good"])
    #expect(try await promoter.quarantine.count == 1)
    let entry = try #require(try await promoter.quarantine.entries().first)
    #expect(entry.id == "bad")
    #expect(entry.position == position)
    #expect(entry.reason == "the rule can't take it")
    #expect(entry.attemptCount == 1)
    #expect(entry.schemaVersion == 3)
    #expect(entry.hasFields)
    #expect(!entry.bytes.isEmpty)
    #expect(entry.appendedAt <= entry.quarantinedAt)
    #expect(events.values.map(\.kind) == [.quarantined, .batchCommitted])
    #expect(try inbox.reader.pendingCount == 0)
    #expect(try await promoter.drain().isEmpty)
  }

  @Test func retry() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    for number in 0..<5 { try inbox.append("\(number)", "poison") }
    try await Promoter(from: inbox.reader, into: store, rule: saveText).drain()
    let failing = Promoter(from: inbox.reader, into: store, rule: saveText)
    #expect(try await failing.retryQuarantined().quarantinedCount == 5)
    #expect(try await failing.quarantine.entries().map(\.attemptCount) == [2, 2, 2, 2, 2])
    let promoter = Promoter(from: inbox.reader, into: store, options: options { $0.batchEntryCountMax = 2 }, rule: mended)
    let positions = try await promoter.quarantine.entries(limit: 2).map(\.position)
    let some = try await promoter.retryQuarantined([positions[1], positions[1]])
    #expect(some.promotedCount == 1)
    #expect(store.committed.objects.keys.sorted() == ["1"])
    let rest = try await promoter.retryQuarantined()
    #expect(rest.promotedCount == 4)
    #expect(rest.batchCount == 2)
    #expect(store.committed.doubles == [])
    #expect(try await promoter.quarantine.count == 0)
    #expect(store.committed.ledgerKeys("quarantine/") == [])
    #expect(store.committed.ledgerKeys("waiting/") == [])
  }

  @Test("The oldest first, page by page, and dropped")
  func pagesAndDropping() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    for number in 0..<7 { try inbox.append("\(number)", "poison") }
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    try await promoter.drain()
    let quarantine = PromotionQuarantine(in: store)
    var ids: [String] = []
    var last: MailboxPosition?
    while true {
      let page = try await quarantine.entries(limit: 3, after: last)
      if page.isEmpty { break }
      ids += page.map(\.id)
      last = page.last?.position
    }
    #expect(ids == (0..<7).map(String.init))
    let first = try #require(try await quarantine.entries(limit: 1).first)
    #expect(try await quarantine.drop([first.position, first.position]) == 1)
    #expect(try await quarantine.count == 6)
    #expect(try await quarantine.drop() == 6)
    #expect(try await quarantine.drop() == 0)
    #expect(try await quarantine.count == 0)
    #expect(try await quarantine.entries(limit: 0).isEmpty)
  }

  @Test("Each new promoter tries by itself, as often as the options say")
  func byItself() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append("bad", "poison")
    func attempts(_ change: (inout PromotionOptions) -> Void) async throws -> Int? {
      let promoter = Promoter(from: inbox.reader, into: store, options: options(change), rule: saveText)
      for _ in 0..<2 { try await promoter.drain() }
      return try await promoter.quarantine.entries().first?.attemptCount
    }
    for expected in [1, 2, 3, 3, 3] { #expect(try await attempts { $0.retryCountMax = 2 } == expected) }
    #expect(
      try await attempts {
        $0.retryCountMax = 2; $0.appVersion = "2"
      } == 4)
    #expect(
      try await attempts {
        $0.retryCountMax = 2; $0.appVersion = "2"
      } == 5)
    #expect(
      try await attempts {
        $0.retryCountMax = 2; $0.appVersion = "2"
      } == 5)
    let promoter = Promoter(from: inbox.reader, into: store, options: options { $0.appVersion = "3" }, rule: mended)
    #expect(try await promoter.drain().promotedCount == 1)
    #expect(try await promoter.quarantine.count == 0)
    #expect(store.committed.objects["bad"]?.saveCount == 1)
  }

  @Test("A retry is a duplicate when its id was promoted meanwhile")
  func duplicateMeanwhile() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append("a", "poison")
    try inbox.append("a", "good")
    try await Promoter(from: inbox.reader, into: store, rule: saveText).drain()
    let promoter = Promoter(from: inbox.reader, into: store, rule: mended)
    #expect(try await promoter.retryQuarantined().duplicateCount == 1)
    #expect(store.committed.objects["a"] == MemoryObject(text: "good", saveCount: 1))
  }

  @Test("A damaged row of the quarantine is told by its key")
  func damagedRow() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append("a", "poison")
    try await Promoter(from: inbox.reader, into: store, rule: saveText).drain()
    let key = try #require(store.committed.ledgerKeys("quarantine/").first)
    store.tamper { $0.ledger[key]?[20] ^= 1 }
    let error = await #expect(throws: PromotionError.self) { try await PromotionQuarantine(in: store).entries() }
    guard case .ledgerDamaged(key) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A wrong key stops the drain and sends nothing to the quarantine")
  func wrongKey() async throws {
    let inbox = try TestInbox(key: .random())
    let store = MemoryTarget()
    try inbox.append(0..<3)
    var foreign = LogOptions(key: .random())
    foreign.keyMismatch = .ownSegment
    let writer = try MailboxWriter(directory: inbox.reader.directory, options: foreign)
    try writer.append(id: "foreign") { $0.set("text", "x") }
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    let error = await #expect(throws: PromotionError.self) { try await promoter.drain() }
    guard case .mailbox = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await promoter.quarantine.count == 0)
    #expect(store.committed.ledgerKeys("quarantine/") == [])
  }
}
