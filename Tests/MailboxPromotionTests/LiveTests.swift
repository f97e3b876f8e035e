import MailboxLog
import MailboxPromotion
import SQLiteTarget
import Synchronization
import TestSupport
import Testing

/// Promoters that stay: `run` and `drained`.
@Suite(.timeLimit(.minutes(1))) struct LiveTests {
  @Test("run wakes on arrivals and ends with its task")
  func runs() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<3)
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    let reports = Collector<PromotionReport>()
    let task = Task { for try await report in promoter.run() { reports.add(report) } }
    try await waitUntil { store.committed.objects.count == 3 }
    try inbox.append(3..<5)
    try await waitUntil { store.committed.objects.count == 5 }
    try await waitUntil { reports.values.reduce(0) { $0 + $1.promotedCount } == 5 }
    task.cancel()
    try await task.value
    #expect(reports.values.allSatisfy { !$0.isEmpty })
  }

  @Test("run ends when the reader is closed")
  func runEndsWithReader() async throws {
    let inbox = try TestInbox()
    let promoter = Promoter(from: inbox.reader, into: MemoryTarget(), rule: saveText)
    let task = Task { for try await _ in promoter.run() {} }
    try await Task.sleep(for: .milliseconds(50))
    inbox.reader.close()
    try await task.value
  }

  @Test("run throws what a drain throws, once")
  func runThrows() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<1)
    store.failNextCommit(MemoryTargetFull())
    var iterator = Promoter(from: inbox.reader, into: store, rule: saveText).run().makeAsyncIterator()
    await #expect(throws: PromotionError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func drainedPromotes() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    var options = PromotionOptions()
    options.batchEntryCountMax = 10
    let promoter = Promoter(from: inbox.reader, into: store, options: options, rule: saveText)
    #expect(try await promoter.drained(timeout: .seconds(5)).isEmpty)
    try inbox.append(0..<35)
    #expect(try await promoter.drained(timeout: .seconds(30)).promotedCount == 35)
    #expect(store.committed.objects.count == 35)
  }

  @Test("drained is content with what another promoter does")
  func drainedByAnother() async throws {
    let inbox = try TestInbox()
    let store = try inbox.database()
    var options = PromotionOptions()
    options.batchEntryCountMax = 10
    try inbox.append(0..<100)
    let one = Promoter(from: inbox.reader, into: store, options: options, rule: MessageTable.insert)
    let other = Promoter(from: try inbox.anotherReader(), into: try inbox.database(), options: options, rule: MessageTable.insert)
    async let first = one.drained(timeout: .seconds(30))
    async let second = other.drained(timeout: .seconds(30))
    let promotedCount = try await first.promotedCount + second.promotedCount
    #expect(promotedCount == 100)
    #expect(try MessageTable.ids(store).count == 100)
  }

  @Test("drained gives up in time, and what it had committed stays")
  func drainedTimesOut() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<20)
    var options = PromotionOptions()
    options.batchEntryCountMax = 1
    let slow = Promoter(
      from: inbox.reader, into: SlowTarget(inner: store, delay: .milliseconds(300)), options: options, rule: saveText)
    let start = ContinuousClock.now
    let error = await #expect(throws: PromotionError.self) { try await slow.drained(timeout: .milliseconds(700)) }
    #expect(ContinuousClock.now - start < .seconds(5))
    guard case .timedOut(let remainingCount) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(remainingCount > 0)
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    try await promoter.drained(timeout: .seconds(30))
    #expect(store.committed.objects.count == 20)
    #expect(store.committed.doubles == [])
  }

  private func waitUntil(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(5)) }
  }
}
