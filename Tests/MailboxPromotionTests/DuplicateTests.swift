import MailboxLog
@testable import MailboxPromotion
import TestSupport
import Testing

/// The same id more than once.
@Suite struct DuplicateTests {
  @Test func firstWins() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append("a", "first")
    try inbox.append("a", "second")
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    var report = try await promoter.drain()
    #expect(report.promotedCount == 1)
    #expect(report.duplicateCount == 1)
    try inbox.append("a", "third")
    report = try await promoter.drain()
    #expect(report.duplicateCount == 1)
    #expect(store.committed.objects["a"] == MemoryObject(text: "first", saveCount: 1))
    #expect(try await promoter.health().duplicateCount == 2)
  }

  @Test func latestWins() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    var options = PromotionOptions()
    options.duplicates = .latestWins
    let promoter = Promoter(from: inbox.reader, into: store, options: options, rule: saveText)
    try inbox.append("a", "first")
    try inbox.append("a", "second")
    #expect(try await promoter.drain().promotedCount == 2)
    #expect(store.committed.objects["a"]?.text == "second")
    try inbox.append("a", "third")
    #expect(try await promoter.drain().promotedCount == 1)
    #expect(store.committed.objects["a"]?.text == "third")
    #expect(store.committed.ledgerKeys("order/").count == 1)
  }

  @Test("The latest isn't overwritten by an older one from the quarantine")
  func latestWinsOverOlder() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    var options = PromotionOptions()
    options.duplicates = .latestWins
    try inbox.append("a", "poison")
    try inbox.append("a", "new")
    let report = try await Promoter(from: inbox.reader, into: store, options: options, rule: saveText).drain()
    #expect(report.promotedCount == 1)
    #expect(report.quarantinedCount == 1)
    let mended = Promoter(from: inbox.reader, into: store, options: options) { entry, transaction in
      transaction.save(entry.id, try entry.string("text"))
    }
    #expect(try await mended.retryQuarantined().duplicateCount == 1)
    #expect(store.committed.objects["a"]?.text == "new")
    #expect(try await mended.quarantine.count == 0)
  }

  @Test func keyOfTheApp() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    var options = PromotionOptions()
    options.duplicateKey = { entry in try entry.string("text") }
    let promoter = Promoter(from: inbox.reader, into: store, options: options, rule: saveText)
    try inbox.append("a", "one")
    try inbox.append("b", "one")
    try inbox.append("a", "two")
    let report = try await promoter.drain()
    #expect(report.promotedCount == 2)
    #expect(report.duplicateCount == 1)
    #expect(store.committed.objects["b"] == nil)
    #expect(try await store.ledgerCounters().windowEntryCount == 2)
  }

  @Test("A key that throws sends its entry to the quarantine")
  func keyThrows() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    var options = PromotionOptions()
    options.duplicateKey = { entry in try entry.string("absent") }
    try inbox.append(0..<2)
    let promoter = Promoter(from: inbox.reader, into: store, options: options, rule: saveText)
    #expect(try await promoter.drain().quarantinedCount == 2)
  }

  @Test("Ids of any length are told apart", arguments: [400, 401, 1_000])
  func longIDs(count: Int) async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    let ids = ["a", "b"].map { String(repeating: "x", count: count - 1) + $0 }
    for id in ids + ids { try inbox.append(id, "text") }
    let report = try await Promoter(from: inbox.reader, into: store, rule: saveText).drain()
    #expect(report.promotedCount == 2)
    #expect(report.duplicateCount == 2)
  }

  @Test("The window forgets, and stays within its bytes")
  func window() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    var options = PromotionOptions()
    options.batchEntryCountMax = 100
    options.ledgerByteCountMax = 10_000
    let promoter = Promoter(from: inbox.reader, into: store, options: options, rule: saveText)
    try inbox.append(0..<500)
    store.onCommit { state in
      let rows = state.ledger.filter { $0.key.starts(with: "id/".utf8) || $0.key.starts(with: "order/".utf8) }
      #expect(rows.reduce(0) { $0 + $1.key.count + $1.value.count } <= 10_000)
    }
    #expect(try await promoter.drain().promotedCount == 500)
    try inbox.append("499", "again")
    #expect(try await promoter.drain().duplicateCount == 1)
    try inbox.append("0", "again")
    #expect(try await promoter.drain().promotedCount == 1)
  }
}
