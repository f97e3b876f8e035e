import Anteroom
import Testing

/// The same id again.
@Suite struct DuplicateTests {
  @Test("insertIfAbsent: a redelivered entry doesn't overwrite what the user has since edited")
  func insertIfAbsent() async throws {
    let place = try Place()
    try place.append("m", "first")
    let store = try await place.store()
    let promoter = Promoter(from: place.reader, into: store, rule: saveNote)
    try await promoter.drain()
    try await store.update(Note.self, id: "m") { $0.isRead = true }
    try place.append("m", "second")
    let report = try await promoter.drain()
    #expect(report.duplicateCount == 1)
    let note = try #require(try await store.object(Note.self, id: "m"))
    #expect(note.text == "first")
    #expect(note.isRead)
  }

  @Test("insertIfAbsent holds also for an id that the ledger has forgotten: `save` leaves the row as it is")
  func forgotten() async throws {
    let place = try Place()
    let store = try await place.store()
    try await store.save(Note(id: "m", text: "edited", isRead: true))
    try place.append("m", "mail")
    let report = try await Promoter(from: place.reader, into: store, rule: saveNote).drain()
    #expect(report.promotedCount == 1)
    #expect(try await store.object(Note.self, id: "m")?.text == "edited")
  }

  @Test("latestWins: the newest entry's fields are there, and what mail doesn't say stays")
  func latestWins() async throws {
    let place = try Place()
    var options = PromotionOptions()
    options.duplicates = .latestWins
    let store = try await place.store()
    let promoter = Promoter(from: place.reader, into: store, options: options, rule: saveNote)
    try place.append("m", "first")
    try await promoter.drain()
    try await store.update(Note.self, id: "m") { $0.isRead = true }
    try place.append("m", "second")
    try place.append("m", "third")
    #expect(try await promoter.drain().promotedCount == 2)
    let note = try #require(try await store.object(Note.self, id: "m"))
    #expect(note.text == "third")
    #expect(note.isRead)
    #expect(try await store.count(Note.self) == 1)
    #expect(try await store.verify().problems == [])
  }
}
