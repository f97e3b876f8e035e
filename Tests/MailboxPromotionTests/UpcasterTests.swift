import MailboxLog
import MailboxPromotion
import TestSupport
import Testing

/// Entries of several schema versions.
@Suite struct UpcasterTests {
  private struct Promotion {
    let report: PromotionReport
    let store: MemoryTarget
    let promoter: Promoter<MemoryTarget>
    let events: [PromotionEvent]
  }

  private func promote(
    _ inbox: TestInbox, into store: MemoryTarget = MemoryTarget(), _ change: (inout PromotionOptions) -> Void
  ) async throws -> Promotion {
    var options = PromotionOptions()
    change(&options)
    let events = Collector<PromotionEvent>()
    options.logHandler = { events.add($0) }
    let promoter = Promoter(from: inbox.reader, into: store, options: options) { entry, transaction in
      transaction.save(entry.id, "\(entry.schemaVersion) " + (try entry.string("text")))
    }
    return Promotion(report: try await promoter.drain(), store: store, promoter: promoter, events: events.values)
  }

  private func addSteps(to options: inout PromotionOptions) {
    options.upcaster(from: 1, to: 2) { old, new in
      new.rename("msg", to: "text")
      new.set("length", try old.string("msg").utf8.count)
    }
    options.upcaster(from: 2, to: 3) { old, new in
      let length = try old.int("length")
      new.set("text", try old.string("text") + "/\(length)")
      new.remove("length")
    }
  }

  @Test func chain() async throws {
    let inbox = try TestInbox()
    try inbox.writer.append(id: "1", schemaVersion: 1) { $0.set("msg", "one") }
    try inbox.writer.append(id: "2", schemaVersion: 2) { fields in
      fields.set("text", "two")
      fields.set("length", 99)
    }
    try inbox.append("3", "three", version: 3)
    let result = try await promote(inbox, addSteps)
    #expect(result.report.promotedCount == 3)
    #expect(result.store.committed.objects.mapValues(\.text) == ["1": "3 one/3", "2": "3 two/99", "3": "3 three"])
  }

  @Test("Without steps each version goes to the rule as it is")
  func noSteps() async throws {
    let inbox = try TestInbox()
    try inbox.append("9", "nine", version: 9)
    let result = try await promote(inbox) { _ in }
    #expect(result.store.committed.objects["9"]?.text == "9 nine")
  }

  @Test("An entry newer than the app waits for it, however often the old app starts")
  func newer() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append("4", "four", version: 4)
    let first = try await promote(inbox, into: store, addSteps)
    #expect(first.report.quarantinedCount == 1)
    for _ in 0..<5 { #expect(try await promote(inbox, into: store, addSteps).report.isEmpty) }
    let entry = try #require(try await first.promoter.quarantine.entries().first)
    #expect(entry.attemptCount == 0)
    #expect(entry.reason.contains("newer"))
    let updated = try await promote(inbox, into: store) { options in
      addSteps(to: &options)
      options.upcaster(from: 3, to: 4) { _, _ in }
    }
    #expect(updated.report.promotedCount == 1)
    #expect(store.committed.objects["4"]?.text == "4 four")
  }

  @Test("A gap in the chain is reported, and its entry kept")
  func gap() async throws {
    let inbox = try TestInbox()
    try inbox.append("1", "one", version: 1)
    let result = try await promote(inbox) { $0.upcaster(from: 2, to: 3) { _, _ in } }
    #expect(result.report.quarantinedCount == 1)
    #expect(result.events.contains { $0.kind == .upcasterMissing })
    #expect(result.events.contains { $0.kind == .quarantined })
  }

  @Test("A step that throws sends the entry to the quarantine as it was appended")
  func throwing() async throws {
    let inbox = try TestInbox()
    try inbox.append("1", "one", version: 1)
    let result = try await promote(inbox) { $0.upcaster(from: 1, to: 2) { _, _ in throw RuleError() } }
    let entry = try #require(try await result.promoter.quarantine.entries().first)
    #expect(entry.schemaVersion == 1)
    #expect(entry.attemptCount == 1)
    #expect(entry.reason == "the rule can't take it")
  }

  @Test("A payload passes through a step that sets no field")
  func payload() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.writer.append(id: "p", payload: [1, 2, 3])
    var options = PromotionOptions()
    options.upcaster(from: 0, to: 1) { _, _ in }
    let promoter = Promoter(from: inbox.reader, into: store, options: options) { entry, transaction in
      transaction.save(entry.id, "\(entry.schemaVersion) \(entry.payload)")
    }
    try await promoter.drain()
    #expect(store.committed.objects["p"]?.text == "1 [1, 2, 3]")
  }
}
