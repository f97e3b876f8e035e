import MailboxLog
@testable import MailboxPromotion
import SQLiteTarget
import TestSupport
import Testing

/// One promoter and what its drains do.
@Suite struct DrainTests {
  @Test func intoMemory() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<25)
    var options = PromotionOptions()
    options.batchEntryCountMax = 10
    let progress = Collector<PromotionProgress>()
    let promoter = Promoter(from: inbox.reader, into: store, options: options, rule: saveText)
    let report = try await promoter.drain { progress.add($0) }
    #expect(report.promotedCount == 25)
    #expect(report.duplicateCount == 0)
    #expect(report.quarantinedCount == 0)
    #expect(report.remainingCount == 0)
    #expect(report.batchCount == 3)
    #expect(report.byteCount > 25)
    #expect(report.damagedRangeCount == 0)
    #expect(report.duration > .zero)
    #expect(progress.values.map(\.completedCount) == [10, 20, 25])
    #expect(progress.values.allSatisfy { $0.totalCount == 25 })
    #expect(store.committed.objects.count == 25)
    #expect(store.committed.objects["7"] == MemoryObject(text: "7", saveCount: 1))
    #expect(try inbox.reader.pendingCount == 0)
    #expect(try await promoter.drain().isEmpty)
  }

  @Test func intoSQLite() async throws {
    let inbox = try TestInbox(key: .random())
    let store = try inbox.database()
    try inbox.append(0..<25)
    let promoter = Promoter(from: inbox.reader, into: store, rule: MessageTable.insert)
    #expect(try await promoter.drain().promotedCount == 25)
    #expect(try MessageTable.ids(store) == (0..<25).map(String.init))
    let again = try inbox.database()
    #expect(try MessageTable.ids(again).count == 25)
    let health = try await promoter.health()
    #expect(health.promotedCount == 25)
    #expect(health.lastPromotedAt != nil)
    #expect(health.backlog.entryCount == 0)
  }

  @Test("A batch ends at its bytes")
  func byteBound() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    for number in 0..<6 { try inbox.append("\(number)", String(repeating: "x", count: 1_000)) }
    var options = PromotionOptions()
    options.batchByteCountMax = 2_000
    let report = try await Promoter(from: inbox.reader, into: store, options: options, rule: saveText).drain()
    #expect(report.promotedCount == 6)
    #expect(report.batchCount == 3)
  }

  @Test("An idle drain commits nothing but its first look at the quarantine")
  func idle() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    for _ in 0..<3 { #expect(try await promoter.drain().batchCount == 0) }
    #expect(store.committed.version == 1)
    #expect(store.committed.ledger.isEmpty)
  }

  @Test("A segment's row goes with the batch after its removal, so rows stay few")
  func rowsOfGoneSegments() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    for round in 0..<5 {
      try inbox.append(round * 10..<round * 10 + 10)
      try await promoter.drain()
      #expect(store.committed.ledgerKeys("segment/").count <= 2)
    }
    #expect(store.committed.objects.count == 50)
  }

  @Test("Promoters that each drain one batch leave no rows behind either")
  func rowsOfGoneSegmentsOfOthers() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    for round in 0..<8 {
      try inbox.append(round * 10..<round * 10 + 10)
      try await Promoter(from: inbox.reader, into: store, rule: saveText).drain()
      #expect(store.committed.ledgerKeys("segment/").count <= 2)
    }
    #expect(store.committed.objects.count == 80)
    #expect(store.committed.doubles == [])
  }

  @Test("A mailbox is its directory and not only its name")
  func tags() {
    #expect(LedgerKey.mailboxTag("inbox.mailbox", identity: 1) != LedgerKey.mailboxTag("inbox.mailbox", identity: 2))
    #expect(LedgerKey.mailboxTag("inbox.mailbox", identity: 1) != LedgerKey.mailboxTag("outbox.mailbox", identity: 1))
    #expect(LedgerKey.mailboxTag("inbox.mailbox", identity: 1) == LedgerKey.mailboxTag("inbox.mailbox", identity: 1))
  }

  @Test("Two mailboxes in front of one store keep each other's rows")
  func twoMailboxes() async throws {
    let first = try TestInbox()
    let second = try TestInbox()
    let store = MemoryTarget()
    let deaf = DeafInbox(first.reader)
    try first.append(0..<10)
    await #expect(throws: PromotionError.self) { try await Promoter(source: deaf, into: store, rule: saveText).drain() }
    let row = try #require(store.committed.ledgerKeys("segment/").first)
    let other = Promoter(from: second.reader, into: store, rule: saveText)
    for round in 1...3 {
      try second.append(round * 10..<round * 10 + 10)
      try await other.drain()
    }
    #expect(store.committed.ledger[row] != nil)
  }

  @Test("A commit that fails acknowledges nothing")
  func commitFails() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<10)
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    try await promoter.drain()
    try inbox.append(10..<20)
    store.failNextCommit(MemoryTargetFull())
    let error = await #expect(throws: PromotionError.self) { try await promoter.drain() }
    guard case .target(let inner) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(inner is MemoryTargetFull)
    #expect(try inbox.reader.pendingCount == 10)
    #expect(store.committed.objects.count == 10)
    #expect(try await promoter.drain().promotedCount == 10)
    #expect(store.committed.doubles == [])
  }

  @Test("A commit without its acknowledgement is replayed and skipped, also without a window", arguments: [8 << 20, 0])
  func acknowledgementFails(ledgerByteCountMax: Int) async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<10)
    let deaf = DeafInbox(inbox.reader)
    var options = PromotionOptions()
    options.ledgerByteCountMax = ledgerByteCountMax
    let promoter = Promoter(source: deaf, into: store, options: options, rule: saveText)
    let error = await #expect(throws: PromotionError.self) { try await promoter.drain() }
    guard case .mailbox(.noSpace) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.committed.objects.count == 10)
    #expect(try inbox.reader.pendingCount == 10)
    try inbox.append(10..<12)
    deaf.hear()
    let report = try await promoter.drain()
    #expect(report.promotedCount == 2)
    #expect(report.duplicateCount == 0)
    #expect(try inbox.reader.pendingCount == 0)
    #expect(store.committed.objects.count == 12)
    #expect(store.committed.doubles == [])
  }

  @Test("An error that is the store's ends the drain and sends nothing to the quarantine")
  func storeFailsInTheRule() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<3)
    let promoter = Promoter(from: inbox.reader, into: store) { _, _ in throw MemoryTargetFull() }
    await #expect(throws: PromotionError.self) { try await promoter.drain() }
    #expect(try inbox.reader.pendingCount == 3)
    #expect(try await promoter.quarantine.count == 0)
  }

  @Test func cancelled() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<30)
    var options = PromotionOptions()
    options.batchEntryCountMax = 10
    let slow = SlowTarget(inner: store, delay: .milliseconds(50))
    let task = Task { try await Promoter(from: inbox.reader, into: slow, options: options, rule: saveText).drain() }
    while store.committed.objects.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    let result = await task.result
    guard case .failure(let error) = result, case .cancelled = error as? PromotionError else {
      Issue.record("\(result)")
      return
    }
    let count = store.committed.objects.count
    #expect(count % 10 == 0)
    let report = try await Promoter(from: inbox.reader, into: store, options: options, rule: saveText).drain()
    #expect(report.promotedCount == 30 - count)
    #expect(store.committed.doubles == [])
  }

  @Test("A closed mailbox is the mailbox's error")
  func closed() async throws {
    let inbox = try TestInbox()
    inbox.reader.close()
    let promoter = Promoter(from: inbox.reader, into: MemoryTarget(), rule: saveText)
    let error = await #expect(throws: PromotionError.self) { try await promoter.drain() }
    guard case .mailbox(.closed) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
