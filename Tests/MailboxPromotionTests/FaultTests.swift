import Foundation
import MailboxLog
import MailboxPromotion
import SQLiteTarget
import TestSupport
import Testing

/// Cases from the field: what other apps lost or doubled.
@Suite struct FaultTests {
  @Test("B102 two helpers put the same 500 ids at the same moment: 500 objects")
  func B102_duplicateProducers() async throws {
    let inbox = try TestInbox()
    let store = try inbox.database()
    let (directory, options) = (inbox.reader.directory, inbox.options)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for helper in 0..<2 {
        group.addTask {
          let writer = try MailboxWriter(directory: directory, options: options)
          for number in 0..<500 { try writer.append(id: "m\(number)") { $0.set("text", "from \(helper)") } }
        }
      }
      try await group.waitForAll()
    }
    let report = try await Promoter(from: inbox.reader, into: store, rule: MessageTable.insert).drain()
    #expect(report.promotedCount == 500)
    #expect(report.duplicateCount == 500)
    let ids = try MessageTable.ids(store)
    #expect(ids.count == 500)
    #expect(Set(ids) == Set((0..<500).map { "m\($0)" }))
  }

  @Test("B104 two promoters drain one mailbox into one database at once: each entry once, seen by both")
  func B104_twoDrainers() async throws {
    let inbox = try TestInbox()
    try inbox.append(0..<1_000)
    let stores = [try inbox.database(), try inbox.database()]
    var options = PromotionOptions()
    options.batchEntryCountMax = 20
    let promoters = [
      Promoter(from: inbox.reader, into: stores[0], options: options, rule: MessageTable.insert),
      Promoter(from: try inbox.anotherReader(), into: stores[1], options: options, rule: MessageTable.insert),
    ]
    let counts = try await withThrowingTaskGroup(of: PromotionReport.self) { group in
      for promoter in promoters { group.addTask { try await promoter.drain() } }
      return try await group.reduce(into: [0, 0, 0]) { counts, report in
        counts[0] += report.promotedCount
        counts[1] += report.duplicateCount
        counts[2] += report.quarantinedCount
      }
    }
    #expect(counts == [1_000, 0, 0])
    #expect(try inbox.reader.pendingCount == 0)
    for store in stores { #expect(try MessageTable.ids(store).sorted() == (0..<1_000).map(String.init).sorted()) }
  }

  @Test("B105 the cursor is rolled back by 100, or deleted: no duplicates, no loss", arguments: [true, false])
  func B105_cursorRolledBack(isDeleted: Bool) async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    try inbox.append(0..<50)
    let deaf = DeafInbox(inbox.reader)
    var options = PromotionOptions()
    options.batchEntryCountMax = 50
    let promoter = Promoter(source: deaf, into: store, options: options, rule: saveText)
    await #expect(throws: PromotionError.self) { try await promoter.drain() }
    let key = try #require(store.committed.ledgerKeys("segment/").first)
    let early = store.committed.ledger[key]
    try inbox.append(50..<150)
    options.batchEntryCountMax = 1_000
    await #expect(throws: PromotionError.self) {
      try await Promoter(source: deaf, into: store, options: options, rule: saveText).drain()
    }
    #expect(store.committed.objects.count == 150)
    store.tamper { $0.ledger[key] = isDeleted ? nil : early }
    try inbox.append(150..<160)
    deaf.hear()
    let report = try await promoter.drain()
    #expect(report.promotedCount == 10)
    #expect(report.duplicateCount == 0)
    #expect(store.committed.objects.count == 160)
    #expect(store.committed.doubles == [])
    #expect(try inbox.reader.pendingCount == 0)
  }

  @Test("B105 a lost cursor leaves the quarantine as it is")
  func B105_quarantineAndLostCursor() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    for text in ["fine", "poison", "good"] { try inbox.append(text, text) }
    let deaf = DeafInbox(inbox.reader)
    let promoter = Promoter(source: deaf, into: store, rule: saveText)
    await #expect(throws: PromotionError.self) { try await promoter.drain() }
    store.tamper { state in for key in state.ledgerKeys("segment/") { state.ledger[key] = nil } }
    deaf.hear()
    #expect(try await promoter.drain().isEmpty)
    #expect(try await promoter.quarantine.entries().map(\.attemptCount) == [1])
    #expect(store.committed.doubles == [])
  }

  @Test("B108 a damaged cursor and one undecodable entry among 20: 19 promoted, 1 set aside, the next start clean")
  func B108_poison() async throws {
    let inbox = try TestInbox()
    let store = MemoryTarget()
    let events = Collector<PromotionEvent>()
    var options = PromotionOptions()
    options.logHandler = { events.add($0) }
    try inbox.append(100..<105)
    let deaf = DeafInbox(inbox.reader)
    await #expect(throws: PromotionError.self) {
      try await Promoter(source: deaf, into: store, options: options, rule: saveText).drain()
    }
    let key = try #require(store.committed.ledgerKeys("segment/").first)
    store.tamper { $0.ledger[key]?[4] ^= 0x40 }
    for number in 0..<20 {
      if number == 7 { try inbox.writer.append(id: "7", payload: [0xFF]) } else { try inbox.append("\(number)", "\(number)") }
    }
    let report = try await Promoter(from: inbox.reader, into: store, options: options, rule: saveText).drain()
    #expect(report.promotedCount == 19)
    #expect(report.quarantinedCount == 1)
    #expect(report.duplicateCount == 0)
    #expect(events.values.contains { $0.kind == .damageFound && $0.message.contains("segment/") })
    let entry = try #require(try await PromotionQuarantine(in: store).entries().first)
    #expect(entry.id == "7")
    #expect(entry.reason.contains("text"))
    #expect(entry.bytes == [0xFF])
    #expect(store.committed.objects.count == 24)
    #expect(store.committed.doubles == [])
    let next = Promoter(from: inbox.reader, into: store, options: options, rule: saveText)
    let clean = try await next.drain()
    #expect(clean.isEmpty)
    #expect(clean.damagedRangeCount == 0)
    #expect(try inbox.reader.pendingCount == 0)
  }

  @Test("A record whose bytes were damaged goes to the quarantine, and the others are promoted")
  func damagedRecord() async throws {
    let inbox = try TestInbox(key: .random())
    let store = MemoryTarget()
    for number in 0..<20 { try inbox.append("\(number)", String(repeating: "x", count: 500)) }
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: inbox.reader.directory).first { $0.hasSuffix(".segment") })
    let file = URL(fileURLWithPath: inbox.reader.directory).appending(path: name)
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: 8_192 + 5 * 600)
    try handle.write(contentsOf: [0xDE, 0xAD])
    try handle.close()
    let promoter = Promoter(from: inbox.reader, into: store, rule: saveText)
    let report = try await promoter.drain()
    #expect(report.promotedCount == 19)
    #expect(report.quarantinedCount + report.damagedRangeCount >= 1)
    #expect(try await promoter.drain().isEmpty)
    if let entry = try await promoter.quarantine.entries().first {
      #expect(entry.bytes.isEmpty)
      #expect(entry.id.isEmpty)
      #expect(try await promoter.retryQuarantined().quarantinedCount == 1)
    }
  }
}
