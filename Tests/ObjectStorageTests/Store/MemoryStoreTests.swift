import Foundation
import ObjectStorage
import Testing

/// A store without a file.
@Suite struct MemoryStoreTests {
  @Test(arguments: [false, true]) func compactingGivesMemoryBack(isEncrypted: Bool) async throws {
    var configuration = StorageConfiguration.inMemory(identifier: "compacting \(isEncrypted)", objectTypes: [Message.self])
    if isEncrypted { configuration.encryption = .key(StoreTests.key) }
    let store = ObjectStore(configuration: configuration)
    try await store.open()
    try await store.save(StoreBench.messages(2000))
    let before = try await store.snapshot()
    try await store.delete(Message.self, matching: DatabaseQuery { $0.size >= 100 })
    let full = try await store.statistics()
    try await store.compact()
    let compacted = try await store.statistics()
    #expect(compacted.fileByteCount < full.fileByteCount / 3)
    // Whoever reads goes on, and writers too.
    #expect(try before.count(Message.self) == 2000)
    #expect(try await store.objects(Message.self, matching: DatabaseQuery { $0.conversationID == "c3" }).count == 10)
    try await store.save(StoreBench.messages(500))
    #expect(try await store.count(Message.self) == 500)
    try await store.compact()
    #expect(try await store.object(Message.self, id: "m499")?.size == 499)
    #expect(try await store.verify().isClean)
    #expect(try before.object(Message.self, id: "m1999")?.size == 1999)
    await store.close()
  }

  @Test func compactingThatIsCancelledChangesNothing() async throws {
    let configuration = StorageConfiguration.inMemory(identifier: "cancelled", objectTypes: [Message.self])
    let store = ObjectStore(configuration: configuration)
    try await store.open()
    try await store.save(StoreBench.messages(2000))
    let version = try await store.currentVersion()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await store.compact()
    }
    task.cancel()
    await #expect(throws: StorageError.cancelled) { try await task.value }
    #expect(try await store.currentVersion() == version)
    try await store.save(Message(id: "new"))
    #expect(try await store.verify().isClean)
    await store.close()
  }
}
