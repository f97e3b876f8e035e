import Anteroom
import Dispatch
import Foundation
import Synchronization
import Testing

/// Mail into an `ObjectStore`: each entry once.
@Suite struct PromotionTests {
  @Test("Every entry is an object, once", arguments: [false, true])
  func drain(isEncrypted: Bool) async throws {
    let place = try Place(isEncrypted: isEncrypted)
    try place.append(0..<2_500)
    let store = try await place.store()
    let promoter = Promoter(from: place.reader, into: store, rule: saveNote)
    let report = try await promoter.drain()
    #expect(report.promotedCount == 2_500)
    #expect(report.batchCount == 2)
    #expect(try await store.count(Note.self) == 2_500)
    #expect(try await store.object(Note.self, id: "1234")?.text == "1234")
    #expect(try place.reader.pendingCount == 0)
    #expect(try await store.verify().problems == [])
    #expect(try await promoter.health().promotedCount == 2_500)
    #expect(try await promoter.drain().isEmpty)
  }

  @Test("Entries whose acknowledgement got lost are skipped, by this process and the next")
  func replays() async throws {
    let place = try Place()
    try place.append(0..<300)
    do {
      let store = try await place.store()
      let counting: Promoter<ObjectStore>.Rule = { entry, transaction in
        try transaction.save(Note(id: entry.id, text: try entry.string("text")), update: .error)
      }
      var options = PromotionOptions()
      options.batchEntryCountMax = 100
      for _ in 0..<3 {
        let promoter = Promoter(source: DeafInbox(inner: place.reader), into: store, options: options, rule: counting)
        await #expect(throws: PromotionError.self) { try await promoter.drain() }
      }
      #expect(try await store.count(Note.self) == 100)
      await store.close()
    }
    let store = try await place.store()
    let promoter = Promoter(from: place.reader, into: store) { entry, transaction in
      try transaction.save(Note(id: entry.id, text: try entry.string("text")), update: .error)
    }
    let report = try await promoter.drain()
    #expect(report.promotedCount == 200)
    #expect(report.duplicateCount == 0)
    #expect(report.quarantinedCount == 0)
    #expect(try await store.count(Note.self) == 300)
  }

  @Test("Two promoters at once: each entry is promoted by one of them")
  func twoAtOnce() async throws {
    let place = try Place()
    try place.append(0..<1_000)
    let store = try await place.store()
    var options = PromotionOptions()
    options.batchEntryCountMax = 50
    let promoters = (0..<2).map { _ in
      Promoter(from: place.reader, into: store, options: options) { entry, transaction in
        try transaction.save(Note(id: entry.id, text: try entry.string("text")), update: .error)
      }
    }
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for promoter in promoters { group.addTask { try await promoter.drain().promotedCount } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.reduce(0, +) == 1_000)
    #expect(try await store.count(Note.self) == 1_000)
    #expect(try await promoters[0].quarantine.count == 0)
  }

  @Test("drained(timeout:) waits for everything that was sent before")
  func drained() async throws {
    let place = try Place()
    let store = try await place.store()
    let promoter = Promoter(from: place.reader, into: store) { entry, transaction in
      if entry.id == "slow" { Thread.sleep(forTimeInterval: 0.5) }
      try saveNote(entry, &transaction)
    }
    try await promoter.drained(timeout: .seconds(5))
    try place.append(0..<20)
    try await promoter.drained(timeout: .seconds(5))
    #expect(try await store.count(Note.self) == 20)
    try place.append("slow", "x")
    let error = await #expect(throws: PromotionError.self) { try await promoter.drained(timeout: .milliseconds(20)) }
    if case .timedOut(let count)? = error { #expect(count == 1) } else { Issue.record("\(String(describing: error))") }
    // What its batch commits stays.
    try await promoter.drained(timeout: .seconds(5))
    #expect(try await store.count(Note.self) == 21)
  }

  @Test("A batch whose rule is ended by the store leaves nothing behind")
  func rollback() async throws {
    let place = try Place()
    try place.append(0..<10)
    let store = try await place.store()
    let promoter = Promoter(from: place.reader, into: store) { entry, transaction in
      try transaction.save(Note(id: entry.id, text: "x"))
      if entry.id == "7" { throw StorageError.noSpace }
    }
    let error = await #expect(throws: PromotionError.self) { try await promoter.drain() }
    guard case .target(StorageError.noSpace)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await store.count(Note.self) == 0)
    #expect(try place.reader.pendingCount == 10)
    #expect(try await Promoter(from: place.reader, into: store, rule: saveNote).drain().promotedCount == 10)
  }

  /// The daemon, told to stop, met this between two batches and took it for an error of the store.
  @Test("A drain that is cancelled while it waits for another writer was cancelled, and promotes it all the next time")
  func cancelledWhileItWaits() async throws {
    let place = try Place()
    try place.append(0..<3)
    let (store, other) = (try await place.store(), try await place.store())
    let isHeld = Mutex(false)
    let release = DispatchSemaphore(value: 0)
    let holder = Task {
      try await other.write { transaction in
        isHeld.withLock { $0 = true }
        release.wait()
        try transaction.save(Note(id: "other"))
      }
    }
    while !isHeld.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    let promoter = Promoter(from: place.reader, into: store, rule: saveNote)
    let drain = Task { try await promoter.drain() }
    drain.cancel()
    let ended = await drain.result
    release.signal()
    try await holder.value
    #expect {
      _ = try ended.get()
    } throws: { error in
      if case PromotionError.cancelled = error { true } else { false }
    }
    #expect(try await promoter.drain().promotedCount == 3)
    await store.close()
    await other.close()
  }
}
