import Anteroom
import Foundation
import Testing

/// Entries that fail, and what becomes of them in an `ObjectStore`.
@Suite struct QuarantineTests {
  @Test("What the rule did before it threw is undone, in rows and indexes; the others go on; the reason is kept")
  func setAside() async throws {
    let place = try Place(isEncrypted: true)
    try place.append("a", "fine")
    let position = try place.append("bad", "poison")
    try place.append("b", "fine")
    let store = try await place.store()
    let promoter = Promoter(from: place.reader, into: store, rule: saveNote)
    let report = try await promoter.drain()
    #expect(report.promotedCount == 2)
    #expect(report.quarantinedCount == 1)
    #expect(try await store.all(Note.self).map(\.id) == ["a", "b"])
    #expect(try await store.count(Note.self, matching: DatabaseQuery { $0.text == "poison" }) == 0)
    #expect(try await store.verify().problems == [])
    let entry = try #require(try await promoter.quarantine.entries().first)
    #expect(entry.id == "bad")
    #expect(entry.position == position)
    #expect(entry.reason == "the rule can't take it")
    #expect(try place.reader.pendingCount == 0)

    // Readable by who opens the store and has no mailbox.
    let other = PromotionQuarantine(in: try await place.store())
    #expect(try await other.entries().map(\.id) == ["bad"])
  }

  @Test("A retry runs the rule again and takes the entry out; a drop takes it out for good")
  func retry() async throws {
    let place = try Place()
    for id in ["x", "y", "z"] { try place.append(id, "poison") }
    let store = try await place.store()
    try await Promoter(from: place.reader, into: store, rule: saveNote).drain()
    let mended = Promoter(from: place.reader, into: store) { entry, transaction in
      try transaction.save(Note(id: entry.id, text: try entry.string("text")))
    }
    let entries = try await mended.quarantine.entries()
    #expect(entries.map(\.id) == ["x", "y", "z"])
    #expect(try await mended.retryQuarantined([entries[1].position]).promotedCount == 1)
    #expect(try await store.all(Note.self).map(\.id) == ["y"])
    #expect(try await mended.quarantine.drop([entries[0].position]) == 1)
    #expect(try await mended.retryQuarantined().promotedCount == 1)
    #expect(try await store.all(Note.self).map(\.id) == ["y", "z"])
    #expect(try await mended.quarantine.count == 0)
  }

  @Test("A clash of keys and a value that is too large are their entry's own")
  func entriesOwnErrors() async throws {
    let place = try Place()
    let store = try await place.store()
    try await store.save(Note(id: "taken", text: "first"))
    try place.append("taken", "second")
    try place.append(String(repeating: "k", count: 1_020), "the key is too long with its marks")
    try place.append("good", "fine")
    let promoter = Promoter(from: place.reader, into: store) { entry, transaction in
      // Whose index entry holds the id twice.
      try transaction.save(Note(id: entry.id, text: entry.id), update: .error)
    }
    let report = try await promoter.drain()
    #expect(report.promotedCount == 1)
    #expect(report.quarantinedCount == 2)
    let reasons = try await promoter.quarantine.entries().map(\.reason)
    #expect(reasons[0].contains("taken"))
    #expect(reasons[1].contains("bytes"))
    #expect(try await store.object(Note.self, id: "taken")?.text == "first")
    #expect(try await store.verify().problems == [])
  }

  @Test("A sum that overflows in the rule is its entry's own")
  func overflow() async throws {
    let place = try Place()
    let store = try await place.store()
    try await store.write { transaction in
      #expect(!transaction.endsPromotion(StorageError.query(.overflow(part: "sum"))))
      #expect(transaction.endsPromotion(StorageError.noSpace))
    }
  }

  @Test("A full store ends the drain: nothing goes to the quarantine, nothing is lost")
  func full() async throws {
    let place = try Place()
    let text = String(repeating: "long ", count: 1_000)
    for number in 0..<400 { try place.append("\(number)", text) }
    var options = PromotionOptions()
    options.batchEntryCountMax = 20
    let store = try await place.store { $0.fileByteCountMax = 1 << 20 }
    let promoter = Promoter(from: place.reader, into: store, options: options, rule: saveNote)
    let error = await #expect(throws: PromotionError.self) { try await promoter.drain() }
    guard case .target(StorageError.full)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await promoter.quarantine.count == 0)
    let storedCount = try await store.count(Note.self)
    let pendingCount = try place.reader.pendingCount
    #expect(storedCount > 0)
    #expect(storedCount + pendingCount == 400)
    await store.close()

    let larger = try await place.store()
    #expect(
      try await Promoter(from: place.reader, into: larger, options: options, rule: saveNote).drain().promotedCount == pendingCount)
    #expect(try await larger.count(Note.self) == 400)
  }

  @Test("A type that the store doesn't list is the code's fault, and ends the drain")
  func unlistedType() async throws {
    struct Other: IdentifiableStorage {
      @Persisted(primaryKey: true) var id = ""
    }
    let place = try Place()
    try place.append("a", "x")
    let promoter = Promoter(from: place.reader, into: try await place.store()) { entry, transaction in
      try transaction.save(Other(id: entry.id))
    }
    let error = await #expect(throws: PromotionError.self) { try await promoter.drain() }
    guard case .target(StorageError.typeNotListed)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try place.reader.pendingCount == 1)
  }
}
