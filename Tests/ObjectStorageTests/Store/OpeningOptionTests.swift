import Foundation
import StorageEngine
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

private enum First {
  struct Note: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
  }
}
private enum Second {
  struct Note: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var title = ""
  }
}
private enum Unique {
  struct Note: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    static let indexes: [StorageIndex<Note>] = [.unique(\.title)]
  }
}

/// What a configuration asks for while opening, and events.
@Suite struct OpeningOptionTests {
  private let directory = TemporaryDirectory()
  private func configuration(_ types: [any StorageObject.Type], version: UInt64 = 1, isEncrypted: Bool = false)
    -> StorageConfiguration
  {
    StorageConfiguration(
      location: .directory(URL(filePath: directory.path)), schemaVersion: version,
      encryption: isEncrypted ? .key(StoreTests.key) : .none, objectTypes: types)
  }
  private func opened(_ configuration: StorageConfiguration) async throws(StorageError) -> (store: ObjectStore, report: OpenReport)
  {
    let store = ObjectStore(configuration: configuration)
    return (store, try await store.open())
  }

  @Test(arguments: [true, false]) func compactsOnLaunchWhereThatIsWanted(isWanted: Bool) async throws {
    var configuration = configuration([Message.self])
    let (first, _) = try await opened(configuration)
    try await first.save(StoreBench.messages(2000))
    try await first.deleteAll(Message.self)
    try await first.save(StoreBench.messages(10))
    let size = try #require(try await first.fileSize())
    await first.close()
    let asked = Mutex<[[Int]]>([])
    let units = Mutex<[StorageProgress]>([])
    let kinds = Mutex<[StorageEvent.Kind]>([])
    configuration.shouldCompactOnLaunch = { total, used in
      asked.withLock { $0.append([total, used]) }
      return isWanted
    }
    configuration.progressHandler = { progress in units.withLock { $0.append(progress) } }
    configuration.logHandler = { event in kinds.withLock { $0.append(event.kind) } }
    let (second, report) = try await opened(configuration)
    #expect(report.wasCompacted == isWanted)
    #expect(kinds.withLock { $0.contains(.compacted) } == isWanted)
    #expect(units.withLock { $0.map(\.operation) }.contains(.compacting) == isWanted)
    let told = asked.withLock { $0 }
    #expect(told.count == 1 && told[0][0] == size && told[0][1] < size / 4)
    let now = try #require(try await second.fileSize())
    #expect(isWanted ? now < size / 2 : now == size)
    #expect(try await second.count(Message.self) == 10)
    // Who joins an open store isn't asked.
    let (third, joined) = try await opened(configuration)
    #expect(!joined.wasCompacted && asked.withLock { $0.count } == 1)
    await second.close()
    await third.close()
  }

  @Test(arguments: [true, false]) func aCopyFromBeforeAMigrationStays(isEncrypted: Bool) async throws {
    let (first, _) = try await opened(configuration([First.Note.self], isEncrypted: isEncrypted))
    try await first.save((0..<3000).map { First.Note(id: $0, title: "t\($0)") })
    await first.close()
    var next = configuration([Second.Note.self], version: 2, isEncrypted: isEncrypted)
    next.keepsCopyBeforeMigration = true
    let units = Mutex<[StorageProgress]>([])
    next.progressHandler = { progress in units.withLock { $0.append(progress) } }
    let (second, report) = try await opened(next)
    let copy = try #require(report.migration?.copy)
    #expect(copy.lastPathComponent == "default.store.version-1")
    let steps = units.withLock { $0 }
    #expect(steps.contains { $0.operation == .copying })
    let migrating = steps.filter { $0.operation == .migrating }
    #expect(migrating.count == 3 && migrating.last?.completedUnitCount == 3000)
    #expect(migrating.allSatisfy { $0.totalUnitCount == 3000 })
    try await second.deleteAll(Second.Note.self)
    await second.close()
    // Opened again there is nothing to migrate, and no other copy.
    let (third, again) = try await opened(next)
    #expect(again.migration == nil)
    await third.close()
    var old = configuration([First.Note.self], isEncrypted: isEncrypted)
    old.location = .file(copy)
    let (before, _) = try await opened(old)
    #expect(try await before.count(First.Note.self) == 3000)
    await before.close()
    #expect(directory.names.filter { $0.contains("version-") && !$0.hasSuffix(".lock") }.count == 1)
  }

  @Test func aMigrationThatFailsLeavesNoCopy() async throws {
    let (first, _) = try await opened(configuration([First.Note.self]))
    try await first.save([First.Note(id: 1, title: "same"), First.Note(id: 2, title: "same")])
    await first.close()
    var next = configuration([Unique.Note.self], version: 2)
    next.keepsCopyBeforeMigration = true
    await #expect(throws: StorageError.duplicateKey(type: "", property: "", values: [])) { try await opened(next) }
    #expect(directory.names.allSatisfy { !$0.contains("version-") })
    let (again, _) = try await opened(configuration([First.Note.self]))
    #expect(try await again.count(First.Note.self) == 2)
    await again.close()
  }

  @Test func whatWaitsForTheLockIsTold() async throws {
    let events = Mutex<[StorageEvent]>([])
    var configuration = configuration([Message.self])
    configuration.logHandler = { event in events.withLock { $0.append(event) } }
    configuration.lockTimeout = .milliseconds(1)
    configuration.watchLimits.lockWait = .milliseconds(1)
    let (store, _) = try await opened(configuration)
    try await store.save(Message(id: "a"))
    let transaction = try Engine.open(path: directory.path(of: "default.store")).begin()
    await #expect(throws: StorageError.busy(waited: .zero)) { try await store.save(Message(id: "b")) }
    transaction.abort()
    #expect(events.withLock { $0.filter { $0.kind == .lockWaited }.count } == 1)
    await store.close()
  }

  @Test func aVersionThatIsHeldForLongIsToldOnce() async throws {
    let events = Mutex<[StorageEvent]>([])
    var configuration = configuration([Message.self])
    configuration.logHandler = { event in events.withLock { $0.append(event) } }
    (configuration.watchLimits.pinAge, configuration.watchLimits.pinInterval) = (.zero, .zero)
    configuration.watchLimits.pinByteCount = 100_000
    func told() -> Int { events.withLock { $0.filter { $0.kind == .longPinnedVersion }.count } }
    let (store, _) = try await opened(configuration)
    try await store.save(StoreBench.messages(2000))
    // Nobody holds an older version, and then one that costs little.
    try await store.save(Message(id: "x"))
    #expect(told() == 0)
    let held = try await store.snapshot()
    try await store.save(Message(id: "y"))
    try await store.save(Message(id: "z"))
    #expect(told() == 0)
    try await store.deleteAll(Message.self)
    for number in 0..<3 { try await store.save(Message(id: "\(number)")) }
    #expect(told() == 1)
    #expect(try held.count(Message.self) == 2001)
    await store.close()
  }

  @Test func hooksFailWhatTheyAreAskedTo() async throws {
    struct Broken: Error {}
    let failing = Mutex<(name: String, error: any Error)?>(nil)
    let names = Mutex<[String]>([])
    var configuration = configuration([Message.self])
    var hooks = StorageTestHooks()
    hooks.beforeOperation = { name, number in
      names.withLock { names in
        #expect(number == names.count + 1)
        names.append(name)
      }
      if let failure = failing.withLock({ $0 }), failure.name == name { throw failure.error }
    }
    hooks.now = { Date(timeIntervalSince1970: 86_400) }
    configuration.testHooks = hooks
    let (store, _) = try await opened(configuration)
    try await store.save(Message(id: "a"))
    #expect(Set(names.withLock { $0 }) == ["write", "sync", "rename"])
    #expect(try Engine.open(path: directory.path(of: "default.store")).snapshot().commitTime == 86_400_000_000)
    failing.withLock { $0 = ("write", StorageError.noSpace) }
    await #expect(throws: StorageError.noSpace) { try await store.save(Message(id: "b")) }
    failing.withLock { $0 = nil }
    try await store.save(Message(id: "c"))
    failing.withLock { $0 = ("sync", Broken()) }
    await #expect(throws: StorageError.system(call: "", errno: 0, path: "")) { try await store.save(Message(id: "d")) }
    failing.withLock { $0 = nil }
    await #expect(throws: StorageError.failedEarlier) { try await store.save(Message(id: "e")) }
    #expect(try await store.count(Message.self) == 2)
    await store.close()
  }

  @Test func fullTextIsRefused() async throws {
    struct Page: StorageObject { @Persisted(fullText: true) var text = "" }
    do throws(StorageError) {
      _ = try await opened(configuration([Page.self]))
      Issue.record("it was opened")
    } catch {
      #expect("\(error)" == "Page.text can't be stored: full-text indexes are not in this version")
    }
    #expect(directory.names.isEmpty)
  }
}
