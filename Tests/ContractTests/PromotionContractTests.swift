import Anteroom
import Foundation
import Synchronization
import Testing

/// Promotion into the store, and into a target of the app's own.
@Suite struct PromotionContractTests {
  @Test func intoTheStore() async throws {
    let folder = try Folder()
    let writer = try MailboxWriter(directory: folder.url.appending(path: "inbox.mailbox"))
    let inbox = try MailboxReader(directory: folder.url.appending(path: "inbox.mailbox"))
    let store = try await folder.store()
    var options = PromotionOptions()
    options.batchEntryCountMax = 100
    options.batchByteCountMax = 1 << 18
    options.duplicates = .latestWins
    options.duplicateKey = { entry in "shop/" + entry.id }
    options.ledgerEntryCountMax = 1000
    options.ledgerAgeMax = .seconds(3600)
    options.ledgerByteCountMax = 1 << 20
    options.retryCountMax = 0
    options.logHandler = { _ = ($0.kind, $0.message) }
    options.upcaster(from: 1, to: 2) { old, new in
      new.rename("name", to: "reader")
      new.set("length", try old.string("name").utf8.count)
    }
    #expect(options.upcasters.map(\.to) == [2] && options.upcasters.map(\.from) == [1])
    options.upcasters.append(PromotionUpcaster(from: 2, to: 3) { _, _ in })
    let rule: Promoter<ObjectStore>.Rule = { entry, transaction in
      var loan = try transaction.object(Loan.self, id: entry.id) ?? Loan(book: "b", reader: "")
      loan.id = entry.id
      loan.reader = try entry.string("reader")
      loan.dueAt = try? entry.date("dueAt")
      try transaction.save(loan)
    }
    let promoter = Promoter(from: inbox, into: store, options: options, rule: rule)
    #expect(promoter.options.batchEntryCountMax == 100)
    try writer.append(id: "1", schemaVersion: 1) { $0.set("name", "Ada") }
    try writer.append(id: "2", schemaVersion: 3) { $0.set("nothing", 1) }
    let report = try await promoter.drain { _ = ($0.completedCount, $0.totalCount) }
    #expect(report.promotedCount == 1 && report.quarantinedCount == 1 && report.duplicateCount == 0 && report.remainingCount == 0)
    #expect(report.batchCount == 1 && report.byteCount > 0 && report.duration > .zero && report.damagedRangeCount == 0)
    #expect(try await store.object(Loan.self, id: "1")?.reader == "Ada")
    try await promoter.drained(timeout: .seconds(5))
    let quarantine: PromotionQuarantine<ObjectStore> = promoter.quarantine
    #expect(try await quarantine.count == 1)
    for entry: QuarantinedEntry in try await quarantine.entries(limit: 10, after: nil) {
      #expect(
        entry.id == "2" && !entry.reason.isEmpty && entry.attemptCount > 0 && entry.schemaVersion == 3 && !entry.bytes.isEmpty)
      #expect(entry.quarantinedAt >= entry.appendedAt)
      try await promoter.retryQuarantined([entry.position])
      try await promoter.retryQuarantined()
      #expect(try await PromotionQuarantine(in: store).drop([entry.position]) == 1)
    }
    #expect(try await quarantine.drop() == 0)
    try writer.append(id: "3", schemaVersion: 3) { $0.set("reader", "Bea") }
    let reports: PromotionReports = promoter.run()
    for try await report in reports {
      #expect(report.promotedCount == 1)
      break
    }
    try writer.append(id: "4", schemaVersion: 3) { $0.set("reader", "Cleo") }
    var iterator = promoter.run().makeAsyncIterator()
    #expect(try await iterator.next()?.promotedCount == 1)
  }

  @Test func intoATargetOfOnesOwn() async throws {
    let folder = try Folder()
    let writer = try MailboxWriter(directory: folder.url.appending(path: "inbox.mailbox"))
    let inbox = try MailboxReader(directory: folder.url.appending(path: "inbox.mailbox"))
    for text in ["a", "bad", "b"] { try writer.append(id: text) { $0.set("text", text) } }
    let target = Letters()
    let promoter = Promoter(from: inbox, into: target) { entry, transaction in
      transaction.letters.append(try entry.string("text"))
      if transaction.letters.last == "bad" { throw PromotionError.cancelled }
    }
    do {
      #expect(try await promoter.drain().promotedCount == 2)
    } catch {
      switch error {
      case .mailbox(let error): Issue.record("\(error.code)")
      case .target(let error): Issue.record("\(error)")
      case .timedOut(let remainingCount): Issue.record("\(remainingCount)")
      case .ledgerDamaged(let key): Issue.record("\(key)")
      case .cancelled: Issue.record("cancelled")
      }
    }
    #expect(target.state.withLock { $0.letters } == ["a", "b"])
    #expect(try await promoter.quarantine.count == 1)
  }
}

/// The smallest target: values, so that a copy undoes.
private final class Letters: PromotionTarget {
  struct Transaction: PromotionTransaction {
    var letters: [String] = []
    var ledger: [[UInt8]: [UInt8]] = [:]

    mutating func nested(_ body: (inout Transaction) throws -> Void) throws {
      var copy = self
      try body(&copy)
      self = copy
    }
    func ledgerValue(forKey key: [UInt8]) throws -> [UInt8]? { ledger[key] }
    mutating func setDuplicates(_ policy: PromotionDuplicates) throws { _ = policy }
    mutating func setLedgerValue(_ value: [UInt8]?, forKey key: [UInt8]) throws { ledger[key] = value }
    func forEachLedgerValue(from lowerBound: [UInt8], _ body: ([UInt8], [UInt8]) throws -> Bool) throws {
      for (key, value) in ledger.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
      where !key.lexicographicallyPrecedes(lowerBound) {
        if !(try body(key, value)) { return }
      }
    }
  }
  let state = Mutex(Transaction())

  func withPromotionTransaction<R: Sendable>(_ body: @Sendable (inout Transaction) throws -> R) async throws -> R {
    try state.withLock { state in
      var copy = state
      let result = try body(&copy)
      state = copy
      return result
    }
  }
}
