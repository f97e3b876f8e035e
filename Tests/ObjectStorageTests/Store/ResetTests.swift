import Foundation
import ObjectStorage
import Synchronization
import TestSupport
import Testing

private enum First {
  struct Note: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var rank = 0
  }
}
private enum Second {
  struct Note: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted(indexed: true) var rank = 0
    @Persisted var isPinned = false
    static let indexes: [StorageIndex<Note>] = [.unique(\.name)]
  }
}

/// Beginning anew, and looking at a migration before it is made.
@Suite struct ResetTests {
  @Test(arguments: [false, true]) func resettingLeavesAnEmptyOpenStore(isEncrypted: Bool) async throws {
    let bench = try await StoreBench(encryption: isEncrypted ? .key(StoreTests.key) : .none)
    try await bench.store.save(StoreBench.messages(500))
    let held = try await bench.store.snapshot()
    try await bench.store.reset()
    #expect(try await bench.store.count(Message.self) == 0)
    #expect(try held.count(Message.self) == 500)
    try await bench.store.save(Message(id: "new"))
    try await bench.check()
    let again = try await bench.reopened()
    #expect(try await again.all(Message.self).map(\.id) == ["new"])
    await again.close()
    // Closed, it is opened; gone, it is made.
    try await again.reset()
    #expect(try await again.count(Message.self) == 0)
    await again.close()
    try FileManager.default.removeItem(atPath: bench.directory.path(of: "default.store"))
    try await again.reset()
    #expect(try await again.count(Message.self) == 0)
    #expect(bench.directory.names.sorted() == ["default.store", "default.store.lock"])
    await again.close()
  }

  @Test func whatCantBeOpenedCanBeReset() async throws {
    let bench = try await StoreBench(encryption: .key(StoreTests.key))
    await bench.store.close()
    var configuration = bench.configuration
    configuration.encryption = .key(Data(repeating: 9, count: 32))
    let store = ObjectStore(configuration: configuration)
    await #expect(throws: StorageError.wrongKey) { try await store.open() }
    try await store.reset()
    try await store.save(Message(id: "a"))
    await store.close()
    bench.directory.write([UInt8](repeating: 7, count: 100_000), to: "default.store")
    await #expect(throws: StorageError.notAStore(path: "")) { try await store.open() }
    try await store.reset()
    #expect(try await store.count(Message.self) == 0)
    await store.close()
  }

  @Test func whoElseHasItOpenKeepsIt() async throws {
    let bench = try await StoreBench()
    try await bench.store.save(Message(id: "a"))
    let other = ObjectStore(configuration: bench.configuration)
    try await other.open()
    await #expect(throws: StorageError.busy(waited: .zero)) { try await bench.store.reset() }
    await bench.store.close()
    await #expect(throws: StorageError.busy(waited: .zero)) { try await bench.store.reset() }
    #expect(try await other.count(Message.self) == 1)
    await other.close()
    var readOnly = bench.configuration
    readOnly.isReadOnly = true
    await #expect(throws: StorageError.readOnly) { try await ObjectStore(configuration: readOnly).reset() }
    await #expect(throws: StorageError.readOnly) {
      try await ObjectStore(configuration: bench.configuration.constrained()).reset()
    }
    try await bench.store.open()
    #expect(try await bench.store.count(Message.self) == 1)
    try await bench.store.reset()
    #expect(try await bench.store.count(Message.self) == 0)
  }

  @Test func anotherProcessKeepsItUntilItIsGone() async throws {
    let bench = try await StoreBench()
    try await bench.store.save(Message(id: "a"))
    let child = try ChildProcess(
      "storage-worker", ["store", "pin", bench.directory.path(of: "default.store"), "plain"], input: nil)
    #expect(child.waitForOutput("pinned"))
    await #expect(throws: StorageError.busy(waited: .zero)) { try await bench.store.reset() }
    #expect(try await bench.store.count(Message.self) == 1)
    child.kill()
    _ = child.wait()
    try await bench.store.reset()
    #expect(try await bench.store.count(Message.self) == 0)
  }

  @Test func inMemory() async throws {
    let configuration = StorageConfiguration.inMemory(identifier: "reset", objectTypes: [Message.self])
    let (store, other) = (ObjectStore(configuration: configuration), ObjectStore(configuration: configuration))
    try await store.open()
    try await other.open()
    try await store.save(Message(id: "a"))
    await #expect(throws: StorageError.busy(waited: .zero)) { try await store.reset() }
    await other.close()
    let held = try await store.snapshot()
    try await store.reset()
    #expect(try await store.count(Message.self) == 0)
    #expect(try held.count(Message.self) == 1)
    await store.close()
  }

  @Test(arguments: [false, true]) func aDryRunSaysWhatOpeningWouldDoAndWritesNothing(isInMemory: Bool) async throws {
    let directory = TemporaryDirectory()
    let place: StorageLocation = isInMemory ? .inMemory(identifier: "dry") : .directory(URL(filePath: directory.path))
    let first = ObjectStore(configuration: StorageConfiguration(location: place, objectTypes: [First.Note.self]))
    try await first.open()
    try await first.save((0..<200).map { First.Note(id: $0, title: "t\($0)", rank: $0 % 3) })
    let held = try await first.snapshot()
    if !isInMemory { await first.close() }
    let bytes = directory.contents("default.store")
    let calls = Mutex(0)
    func store(_ version: UInt64) -> ObjectStore {
      var configuration = StorageConfiguration(location: place, schemaVersion: version, objectTypes: [Second.Note.self])
      configuration.keepsCopyBeforeMigration = true
      configuration.migrate = { migration, _ in
        calls.withLock { $0 += 1 }
        try migration.renameProperty(onType: "Note", from: "title", to: "name")
      }
      return ObjectStore(configuration: configuration)
    }
    // Without the renaming all names are the default, which is no more unique for a dry run than it would be.
    await #expect(throws: StorageError.duplicateKey(type: "", property: "", values: [])) { try await store(1).dryRunMigration() }
    let report = try await store(2).dryRunMigration()
    #expect(report.fromVersion == 1 && report.toVersion == 2 && report.copy == nil)
    #expect(calls.withLock { $0 } == 1)
    #expect(directory.contents("default.store") == bytes)
    #expect(directory.names.sorted() == (isInMemory ? [] : ["default.store", "default.store.lock"]))
    #expect(try held.first(First.Note.self)?.title == "t0")
    let second = store(2)
    let real = try #require(try await second.open().migration)
    #expect(real.differences == report.differences && !report.differences.isEmpty)
    #expect(try await second.object(Second.Note.self, id: 7)?.name == "t7")
    let nothing = try await second.dryRunMigration()
    #expect(nothing.fromVersion == 2 && nothing.toVersion == 2 && nothing.differences.isEmpty)
    await second.close()
    await first.close()
    if isInMemory { return }
    await #expect(throws: StorageError.schemaTooNew(found: 2, configured: 1)) { try await store(1).dryRunMigration() }
  }

  @Test func aDryRunFindsDuplicates() async throws {
    let directory = TemporaryDirectory()
    let place = StorageLocation.directory(URL(filePath: directory.path))
    let first = ObjectStore(configuration: StorageConfiguration(location: place, objectTypes: [First.Note.self]))
    #expect(try await first.dryRunMigration().differences.isEmpty)
    #expect(directory.names.isEmpty)
    try await first.open()
    try await first.save([First.Note(id: 1, title: "same"), First.Note(id: 2, title: "same")])
    var configuration = StorageConfiguration(location: place, schemaVersion: 2, objectTypes: [Second.Note.self])
    configuration.migrate = { migration, _ in try migration.renameProperty(onType: "Note", from: "title", to: "name") }
    do throws(StorageError) {
      _ = try await ObjectStore(configuration: configuration).dryRunMigration()
      Issue.record("the duplicates were not found")
    } catch {
      guard case .duplicateKey("Note", "name", ["same"]) = error else { throw error }
    }
    #expect(try await first.count(First.Note.self) == 2)
    await first.close()
  }
}
