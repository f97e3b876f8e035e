import Foundation
import ObjectStorage
import Testing

@Suite struct StoreTests {
  static let key = Data(repeating: 7, count: 32)

  @Test(arguments: [false, true]) func savesReadsAndDeletes(isEncrypted: Bool) async throws {
    let bench = try await StoreBench(encryption: isEncrypted ? .key(Self.key) : .none)
    let messages = StoreBench.messages(1000)
    try await bench.store.save(messages)
    #expect(try await bench.store.count(Message.self) == 1000)
    #expect(try await bench.store.object(Message.self, id: "m17") == messages[17])
    let newest = DatabaseQuery<Message> { $0.conversationID == "c3" }.sorted(by: \.sentAt, ascending: false).limited(to: 50)
    let found = try await bench.store.objects(Message.self, matching: newest).array()
    #expect(found == messages.filter { $0.conversationID == "c3" }.sorted { $0.sentAt! > $1.sentAt! }.prefix(50).map { $0 })
    let plan = try await bench.store.explain(newest)
    #expect(plan.indexName == "Message.conversationID+sentAt")
    #expect(plan.examinedRowCount == 50)
    #expect(try await bench.store.count(Message.self, matching: DatabaseQuery { $0.isRead }) == 334)
    try await bench.store.update(Message.self, id: "m5") { $0.text = "changed" }
    #expect(try await bench.store.object(Message.self, id: "m5")?.text == "changed")
    #expect(try await bench.store.delete(Message.self, matching: DatabaseQuery { $0.size < 100 }) == 100)
    #expect(try await bench.store.count(Message.self) == 900)
    try await bench.check()
    let again = try await bench.reopened()
    #expect(try await again.count(Message.self) == 900)
    #expect(try await again.object(Message.self, id: "m999") == messages[999])
    try await bench.check(again)
    try await again.compact()
    #expect(try await again.object(Message.self, id: "m999") == messages[999])
    try await again.save(StoreBench.messages(100))
    #expect(try await again.count(Message.self) == 1000)
    try await bench.check(again)
  }

  @Test func aThrowRollsEverythingBack() async throws {
    struct Stop: Error {}
    let bench = try await StoreBench()
    try await bench.store.save(StoreBench.messages(10))
    await #expect(throws: Stop.self) {
      try await bench.store.write { transaction in
        try transaction.deleteAll(Message.self)
        try transaction.save(Message(id: "x"))
        throw Stop()
      }
    }
    #expect(try await bench.store.count(Message.self) == 10)
    try await bench.check()
  }
}
