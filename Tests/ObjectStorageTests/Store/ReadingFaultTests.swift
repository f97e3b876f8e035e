import Foundation
import ObjectStorage
import TestSupport
import Testing

/// Faults of reading that users of comparable stores have met.
@Suite struct ReadingFaultTests {
  @Test(arguments: [false, true]) func B061AHeldValueOutlivesEverything(isEncrypted: Bool) async throws {
    let bench = try await StoreBench(encryption: isEncrypted ? .key(StoreTests.key) : .none)
    let messages = StoreBench.messages(200)
    try await bench.store.save(messages)
    let held = try #require(try await bench.store.object(Message.self, id: "m7"))
    let results = try await bench.store.all(Message.self)
    try await bench.store.delete(Message.self, id: "m7")
    for round in 1...8 {
      try await bench.store.save((0..<200).map { Message(id: "r\(round)-\($0)", text: String(repeating: "x", count: 500)) })
    }
    try await bench.store.compact()
    #expect(held == messages[7])
    #expect(try results.array().count == 200)
    #expect(results.contains { $0.id == "m7" })
    await bench.store.close()
    #expect(held == messages[7])
    #expect(try results.element(at: 0).id == "m0")
    #expect(!results.isDamaged)
  }

  @Test func B062AnObjectDeletedElsewhere() async throws {
    let bench = try await StoreBench()
    let other = ObjectStore(configuration: bench.configuration)
    let report = try await other.open()
    #expect(!report.wasCreated)
    try await bench.store.save(Message(id: "a", text: "t"))
    let held = try #require(try await bench.store.object(Message.self, id: "a"))
    #expect(try await other.delete(Message.self, id: "a"))
    #expect(held.text == "t")
    #expect(try await bench.store.object(Message.self, id: "a") == nil)
    await #expect(throws: StorageError.objectNotFound(type: "", id: "")) {
      try await bench.store.update(Message.self, id: "a") { $0.text = "" }
    }
  }

  @Test func whatIsLeftOutOfCountingIsChecked() async throws {
    struct Stop: Error {}
    let bench = try await StoreBench()
    try await bench.store.save(StoreBench.messages(30))
    // Nothing has to be sorted to count; but an order that can't be is an error all the same.
    let sorted = DatabaseQuery<Message> { $0.isRead }.sorted(by: \.text)
    #expect(try await bench.store.count(Message.self, matching: sorted) == 10)
    #expect(try await bench.store.count(Message.self, matching: sorted.limited(to: 7).offset(by: 2)) == 5)
    let wrong = try DatabaseQuery<Message>(text: "isRead | sort nothing")
    await #expect(throws: StorageError.query(.unknownProperty(name: "nothing", type: "Message"))) {
      try await bench.store.count(Message.self, matching: wrong)
    }
    // The error of a closure of the app comes through as it is.
    await #expect(throws: Stop.self) {
      try await bench.store.objects(
        Message.self,
        transform: { message -> Int in
          if message.size == 3 { throw Stop() }
          return message.size
        })
    }
  }

  @Test func B082TiesKeepTheirOrder() async throws {
    struct Ranked: IdentifiableStorage {
      @Persisted(primaryKey: true) var id = 0
      @Persisted(indexed: true) var rank = 0
      @Persisted var other = 0
    }
    let bench = try await StoreBench([Ranked.self])
    try await bench.store.save([5, 3, 1, 6, 2, 4].map { Ranked(id: $0, rank: 1, other: 1) })
    for id in [2, 5] { try await bench.store.delete(Ranked.self, id: id) }
    try await bench.store.save([9, 0].map { Ranked(id: $0, rank: 1, other: 1) })
    let expected = [0, 1, 3, 4, 6, 9]
    try await bench.store.compact()
    let again = try await bench.reopened()
    for ascending in [true, false] {
      let indexed = DatabaseQuery<Ranked>().sorted(by: \.rank, ascending: ascending)
      #expect(try await again.objects(Ranked.self, matching: indexed).map(\.id) == expected)
      let sorted = DatabaseQuery<Ranked>().sorted(by: \.other, ascending: ascending)
      #expect(try await again.objects(Ranked.self, matching: sorted).map(\.id) == expected)
    }
    #expect(try await again.all(Ranked.self).map(\.id) == expected)
  }

  @Test func B085DatesAreBitExact() async throws {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let dates = [
      Date(timeIntervalSinceReferenceDate: 573385274.217203), try #require(formatter.date(from: "2017-12-12T15:00:37.447Z")),
      Date.distantPast, Date(timeIntervalSinceReferenceDate: -0.5),
    ]
    let bench = try await StoreBench()
    try await bench.store.save(dates.enumerated().map { Message(id: "\($0.offset)", sentAt: $0.element) })
    let again = try await bench.reopened()
    for (index, date) in dates.enumerated() {
      let found = try await again.object(Message.self, id: "\(index)")?.sentAt
      #expect(found?.timeIntervalSinceReferenceDate.bitPattern == date.timeIntervalSinceReferenceDate.bitPattern)
      #expect(try await again.count(Message.self, matching: DatabaseQuery { $0.sentAt == date }) == 1)
    }
  }

  @Test func B080AggregatesOfNothing() async throws {
    struct Measure: IdentifiableStorage {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var value: Double? = nil
      @Persisted var count = 0
    }
    let bench = try await StoreBench([Measure.self])
    let store = bench.store
    #expect(try await store.sum(Measure.self, of: \.value) == 0)
    #expect(try await store.min(Measure.self, of: \.value) == nil)
    #expect(try await store.average(Measure.self, of: \.value) == nil)
    try await store.save((0..<3).map { Measure(id: $0) })
    #expect(try await store.max(Measure.self, of: \.value) == nil)
    #expect(try await store.sum(Measure.self, of: \.value) == 0)
    try await store.save([Measure(id: 0, value: -3), Measure(id: 1, value: -1.5)])
    #expect(try await store.max(Measure.self, of: \.value) == -1.5)
    #expect(try await store.average(Measure.self, of: \.value) == -2.25)
    try await store.save([Measure(id: 5, count: .max), Measure(id: 6, count: 1)])
    await #expect(throws: StorageError.query(.overflow(part: "count"))) { try await store.sum(Measure.self, of: \.count) }
    let groups = try await store.groups(Measure.self, by: \.value)
    #expect(groups.map(\.key) == [nil, -3, -1.5])
    #expect(groups.map(\.results.count) == [3, 1, 1])
  }

  @Test func aForgottenResultShowsInTheStatistics() async throws {
    let bench = try await StoreBench()
    try await bench.store.save(StoreBench.messages(50))
    let results = try await bench.store.all(Message.self)
    try await bench.store.save(StoreBench.messages(50).map { Message(id: $0.id, text: "new") })
    let pinned = try await bench.store.statistics().pinnedVersions
    #expect(pinned.map(\.version) == [results.version])
    #expect(pinned.first?.processID == ProcessInfo.processInfo.processIdentifier)
    #expect(pinned.first.map { $0.heldByteCount > 0 } == true)
    #expect(try results.array().allSatisfy { $0.text.hasPrefix("text") })
    let held = results
    _ = held
  }
}
