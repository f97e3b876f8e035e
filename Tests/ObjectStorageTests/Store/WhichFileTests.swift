import Foundation
import ObjectStorage
import TestSupport
import Testing

/// Which file a store is: after a compaction, beside another handle, through a link, with a lock file that is none.
@Suite struct WhichFileTests {
  private let directory = TemporaryDirectory()

  private func store(_ name: String, _ change: (inout StorageConfiguration) -> Void = { _ in }) async throws(StorageError)
    -> ObjectStore
  {
    var configuration = StorageConfiguration(
      location: .file(URL(filePath: directory.path(of: name))), encryption: .none, objectTypes: [Message.self])
    change(&configuration)
    let store = ObjectStore(configuration: configuration)
    try await store.open()
    return store
  }

  /// The file system gives the old file's inode to the next file, as ext4 does at once.
  @Test func aNewFileIsNotTheOneThatWasCompacted() async throws {
    for number in 0..<4 {
      let first = try await store("a\(number).store")
      try await first.save(Message(id: "a"))
      try await first.compact()
      let second = try await store("b\(number).store")
      #expect(try await second.count(Message.self) == 0)
      try await second.save(Message(id: "b"))
      #expect(try await first.count(Message.self) == 1)
      await first.close()
      await second.close()
      let again = try await store("b\(number).store")
      #expect(try await again.object(Message.self, id: "b") != nil)
      await again.close()
    }
  }

  @Test func aHandleForReadingOnlyWritesNothing() async throws {
    let writer = try await store("a.store")
    try await writer.save(Message(id: "a"))
    let reader = try await store("a.store") { $0.isReadOnly = true }
    await #expect(throws: StorageError.readOnly) { try await reader.save(Message(id: "b")) }
    await #expect(throws: StorageError.readOnly) { try await reader.compact() }
    try await writer.save(Message(id: "c"))
    #expect(try await reader.count(Message.self) == 2)
    await writer.close()
    // One that reads doesn't keep another from writing.
    let next = try await store("a.store")
    try await next.save(Message(id: "d"))
    #expect(try await reader.count(Message.self) == 3)
    await reader.close()
    await next.close()
  }

  @Test func aStoreIsWrittenThroughALink() async throws {
    let made = try await store("a.store")
    try await made.save(Message(id: "a"))
    await made.close()
    let link = directory.path(of: "link.store")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path(of: "a.store"))
    let linked = try await store("link.store")
    try await linked.save(Message(id: "b"))
    try await linked.compact()
    await linked.close()
    #expect(try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType == .typeSymbolicLink)
    let again = try await store("a.store")
    #expect(try await again.count(Message.self) == 2)
    await again.close()
  }

  @Test(arguments: [CorruptionPolicy.deleteAndRecreate, .quarantine])
  func aLockFileThatIsNoneCostsNoStore(policy: CorruptionPolicy) async throws {
    let made = try await store("a.store")
    try await made.save(Message(id: "a"))
    await made.close()
    let lock = try #require(directory.names.first { $0.hasSuffix(".lock") })
    let bytes = try #require(directory.contents(lock))
    directory.write([UInt8](repeating: 7, count: 16_384), to: lock)
    await #expect(throws: StorageError.self) { try await store("a.store") { $0.corruptionPolicy = policy } }
    directory.write(bytes, to: lock)
    let again = try await store("a.store")
    #expect(try await again.count(Message.self) == 1)
    await again.close()
    #expect(directory.names.allSatisfy { !$0.contains("damaged") })
  }
}
