import Anteroom
import Foundation
import XCTest

/// An app in Swift 5 mode.
final class SwiftFiveTests: XCTestCase {
  struct Card: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var title = ""
    @Persisted var tags: List<String> = []
    @Persisted var changedAt: Date?
    static let indexes: [StorageIndex<Card>] = [.index(\.title, \.changedAt)]
  }
  struct Tally: StorageObject { @Persisted var value = 0 }

  func testStore() async throws {
    let store = ObjectStore(configuration: .inMemory(identifier: "five", objectTypes: [Card.self, Tally.self]))
    try await store.open()
    let card = Card(title: "a")
    try await store.save(card)
    let query = DatabaseQuery<Card>().where { $0.title.contains("a") && $0.changedAt == nil }.sorted(by: \.changedAt).limited(to: 3)
    for found in try await store.objects(Card.self, matching: query) { XCTAssertEqual(found.title, "a") }
    try await store.update(Card.self, id: card.id) { $0.title = "b" }
    let count = try await store.write { transaction -> Int in
      try transaction.save(Card())
      return try transaction.count(Card.self)
    }
    XCTAssertEqual(count, 2)
    let sum = try await store.sum(Tally.self, of: \.value)
    XCTAssertEqual(sum, 0)
  }

  func testMail() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "anteroom-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let writer = try MailboxWriter(directory: directory)
    try writer.append(id: "a") { $0.set("text", "t") }
    let inbox = try MailboxReader(directory: directory)
    try inbox.forEachPending { entry in XCTAssertEqual(try entry.string("text"), "t") }
    let store = ObjectStore(configuration: .inMemory(identifier: "five mail", objectTypes: [Card.self]))
    try await store.open()
    let promoter = Promoter(from: inbox, into: store) { entry, transaction in
      try transaction.save(Card(title: try entry.string("text")))
    }
    let report = try await promoter.drain()
    XCTAssertEqual(report.promotedCount, 1)
  }
}
