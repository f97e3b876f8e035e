import Foundation
import ObjectStorage
import StorageEngine
import Synchronization
import TestSupport
import Testing

/// Opening: keys, schemas, paths, policies.
@Suite struct OpeningTests {
  @Test func B022Keys() async throws {
    let bench = try await StoreBench(encryption: .key(StoreTests.key))
    try await bench.store.save(Message(id: "a"))
    await bench.store.close()
    func open(_ encryption: StorageConfiguration.Encryption) async throws(StorageError) {
      var configuration = bench.configuration
      configuration.encryption = encryption
      let store = ObjectStore(configuration: configuration)
      try await store.open()
      await store.close()
    }
    await #expect(throws: StorageError.wrongKey) { try await open(.key(Data(repeating: 8, count: 32))) }
    await #expect(throws: StorageError.keyRequired) { try await open(.none) }
    await #expect(throws: StorageError.encryptionKeyInvalidLength(expected: 32, actual: 5)) {
      try await open(.key(Data(repeating: 7, count: 5)))
    }
    try await open(.key(StoreTests.key))
    let plain = try await StoreBench()
    var configuration = plain.configuration
    configuration.encryption = .key(StoreTests.key)
    let store = ObjectStore(configuration: configuration)
    await #expect(throws: StorageError.keyNotExpected) { try await store.open() }
  }

  @Test func aPassphraseOpensItsFile() async throws {
    let bench = try await StoreBench(encryption: .passphrase("correct horse"))
    try await bench.store.save(Message(id: "a"))
    let again = try await bench.reopened()
    #expect(try await again.count(Message.self) == 1)
    await again.close()
    var configuration = bench.configuration
    configuration.encryption = .passphrase("wrong horse")
    let wrong = ObjectStore(configuration: configuration)
    await #expect(throws: StorageError.wrongKey) { try await wrong.open() }
  }

  @Test func B071OneFileByManyPaths() async throws {
    let bench = try await StoreBench()
    let path = bench.directory.path + "/default.store"
    let (link, hard) = (bench.directory.path + "/link.store", bench.directory.path + "/hard.store")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try FileManager.default.linkItem(atPath: path, toPath: hard)
    for other in [path, link, hard] {
      let store = ObjectStore(
        configuration: StorageConfiguration(location: .file(URL(filePath: other)), objectTypes: [Message.self]))
      try await store.open()
      try await store.save(Message(id: other))
      await store.close()
    }
    // What the others closed, the first still has: its lock, its versions.
    try await bench.store.save(Message(id: "last"))
    #expect(try await bench.store.count(Message.self) == 4)
    try await bench.check()
  }

  @Test func B074TheVersionIsThereFromTheStart() async throws {
    let directory = TemporaryDirectory()
    let calls = Mutex<[UInt64]>([])
    func open(_ version: UInt64) async throws -> OpenReport {
      var configuration = StorageConfiguration(
        location: .directory(URL(filePath: directory.path)), schemaVersion: version, objectTypes: [Message.self])
      configuration.migrate = { _, old in calls.withLock { $0.append(old) } }
      let store = ObjectStore(configuration: configuration)
      let report = try await store.open()
      await store.close()
      return report
    }
    #expect(try await open(3).wasCreated)
    #expect(try await open(3).migration == nil)
    #expect(calls.withLock { $0 }.isEmpty)
    let report = try await open(4)
    #expect(report.migration?.fromVersion == 3 && report.migration?.toVersion == 4)
    #expect(calls.withLock { $0 } == [3])
    await #expect(throws: StorageError.schemaTooNew(found: 4, configured: 3)) { try await open(3) }
  }

  @Test func additiveChangesNeedNoCode() async throws {
    let directory = TemporaryDirectory()
    enum First {
      struct Note: IdentifiableStorage {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var rank = 0
      }
    }
    enum Second {
      struct Note: IdentifiableStorage {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var title = ""
        @Persisted var rank: Int? = nil
        @Persisted var isPinned = true
      }
    }
    let place = StorageLocation.directory(URL(filePath: directory.path))
    let first = ObjectStore(configuration: StorageConfiguration(location: place, objectTypes: [First.Note.self]))
    try await first.open()
    try await first.save((0..<20).map { First.Note(id: $0, title: "t\($0 % 5)", rank: $0) })
    await first.close()
    let second = ObjectStore(configuration: StorageConfiguration(location: place, objectTypes: [Second.Note.self]))
    try await second.open()
    let notes = try await second.objects(Second.Note.self) { $0.title == "t3" }
    #expect(notes.map(\.id) == [3, 8, 13, 18])
    #expect(notes.allSatisfy { $0.isPinned && $0.rank == $0.id })
    #expect(try await second.explain(DatabaseQuery<Second.Note> { $0.title == "t3" }).indexName == "Note.title")
    try await second.update(Second.Note.self, id: 3) { $0.rank = nil }
    #expect(try await second.verify().isClean)
    await second.close()
    // The older code's optional is required: that isn't additive.
    let older = ObjectStore(configuration: StorageConfiguration(location: place, objectTypes: [First.Note.self]))
    await #expect(throws: StorageError.migrationNeeded(differences: [])) { try await older.open() }
  }

  @Test func renamingTouchesNoRow() async throws {
    let directory = TemporaryDirectory()
    enum Old {
      struct Person: IdentifiableStorage {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
      }
    }
    struct User: IdentifiableStorage {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var firstName = ""
    }
    let place = StorageLocation.directory(URL(filePath: directory.path))
    let old = ObjectStore(configuration: StorageConfiguration(location: place, objectTypes: [Old.Person.self]))
    try await old.open()
    try await old.save(Old.Person(id: 1, name: "Ada"))
    await old.close()
    var configuration = StorageConfiguration(location: place, schemaVersion: 2, objectTypes: [User.self])
    configuration.migrate =
      SchemaMigrator {
        SchemaMigrationStep(toVersion: 2) { migration in
          try migration.renameType(from: "Person", to: "User")
          try migration.renameProperty(onType: "User", from: "name", to: "firstName")
        }
      }.migrationBlock
    let new = ObjectStore(configuration: configuration)
    try await new.open()
    #expect(try await new.object(User.self, id: 1)?.firstName == "Ada")
  }

  @Test func policiesForDamage() async throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/default.store"
    try Data(repeating: 1, count: 100_000).write(to: URL(filePath: path))
    var configuration = StorageConfiguration(location: .file(URL(filePath: path)), objectTypes: [Message.self])
    let store = ObjectStore(configuration: configuration)
    await #expect(throws: StorageError.notAStore(path: "")) { try await store.open() }
    configuration.corruptionPolicy = .quarantine
    let fresh = ObjectStore(configuration: configuration)
    let report = try await fresh.open()
    #expect(report.reset == .notAStore(path: ""))
    let aside = try #require(report.quarantinedFile)
    #expect(try Data(contentsOf: aside) == Data(repeating: 1, count: 100_000))
    try await fresh.save(Message(id: "a"))
  }

  @Test func inMemory() async throws {
    let configuration = StorageConfiguration.inMemory(identifier: "opening", objectTypes: [Message.self])
    let (a, b) = (ObjectStore(configuration: configuration), ObjectStore(configuration: configuration))
    try await a.open()
    try await b.open()
    try await a.save(StoreBench.messages(100))
    #expect(try await b.count(Message.self) == 100)
    #expect(try await a.fileSize() == nil)
    #expect(try await a.verify().isClean)
    await a.close()
    await b.close()
  }

  @Test func closedStoresSaySo() async throws {
    let bench = try await StoreBench()
    await bench.store.close()
    await #expect(throws: StorageError.storeNotOpen) { try await bench.store.count(Message.self) }
    try await bench.store.open()
    #expect(try await bench.store.count(Message.self) == 0)
  }
}
