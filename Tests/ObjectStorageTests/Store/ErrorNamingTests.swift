import Foundation
import ObjectStorage
import StorageEngine
import TestSupport
import Testing

private struct Paper: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var author = ""
  @Persisted var title = ""
  @Persisted var year = 0
  static let indexes: [StorageIndex<Paper>] = [.index(\.year, \.author, \.title)]
}

/// Errors say what is wrong, of which property, file or setting, and in numbers that hold.
@Suite struct ErrorNamingTests {
  private func tooLarge(_ bench: StoreBench, _ paper: Paper) async throws -> (property: String, byteCount: Int, limit: Int)? {
    do throws(StorageError) { try await bench.store.save(paper) } catch {
      guard case .keyTooLarge(let property, let byteCount, let limit) = error else { throw error }
      #expect(try await bench.store.object(Paper.self, id: paper.id) == nil)
      return (property, byteCount, limit)
    }
    try await bench.store.delete(Paper.self, id: paper.id)
    return nil
  }

  @Test(arguments: [(StorageConfiguration.Encryption.none, 986), (.key(StoreTests.key), 978)])
  func aKeyThatIsTooLongNamesItsProperty(encryption: StorageConfiguration.Encryption, keyMax: Int) async throws {
    let bench = try await StoreBench([Paper.self], encryption: encryption)
    func text(_ count: Int) -> String { String(repeating: "x", count: count) }
    func paper(_ id: Int, _ author: Int, _ title: Int) -> Paper {
      var paper = Paper()
      (paper.id, paper.author, paper.title) = (text(id), text(author), text(title))
      return paper
    }
    let title = try #require(try await tooLarge(bench, paper(10, 20, 2000)))
    #expect(title.property == "title" && title.byteCount == 2002)
    // Year 8, author 22, id 12, and two bytes behind a text.
    #expect(title.limit == keyMax - 8 - 22 - 12)
    #expect(try await tooLarge(bench, paper(10, 20, title.limit - 2)) == nil)
    #expect(try await tooLarge(bench, paper(10, 20, title.limit - 1)) != nil)
    #expect(try await tooLarge(bench, paper(10, 600, 500))?.property == "author")
    let both = try #require(try await tooLarge(bench, paper(800, 300, 20)))
    #expect(both.property == "id" && both.byteCount == 802)
    let id = try #require(try await tooLarge(bench, paper(1500, 1600, 1700)))
    #expect(id.property == "id" && id.byteCount == 1502 && id.limit == keyMax)
    try await bench.check()
  }

  @Test(arguments: [true, false]) func aFileThatWasReplacedIsToldEveryTime(hasOther: Bool) async throws {
    let bench = try await StoreBench()
    try await bench.store.save(Message(id: "a"))
    let path = bench.directory.path(of: "default.store")
    try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
    if hasOther { try FileManager.default.copyItem(atPath: path + "-moved", toPath: path) }
    for _ in 0..<3 {
      await #expect(throws: StorageError.replaced(path: path)) { try await bench.store.save(Message(id: "b")) }
      await #expect(throws: StorageError.replaced(path: path)) { try await bench.store.compact() }
    }
    #expect(try await bench.store.count(Message.self) == 1)
    let again = try await bench.reopened()
    #expect(try await again.count(Message.self) == (hasOther ? 1 : 0))
    try await again.save(Message(id: "c"))
  }

  @Test(arguments: [CorruptionPolicy.rethrow, .deleteAndRecreate, .quarantine])
  func aDirectoryIsNoFile(policy: CorruptionPolicy) async throws {
    let directory = TemporaryDirectory()
    let path = directory.path(of: "default.store")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    var configuration = StorageConfiguration(location: .directory(URL(filePath: directory.path)), objectTypes: [Message.self])
    configuration.corruptionPolicy = policy
    for isReadOnly in [false, true] {
      configuration.isReadOnly = isReadOnly
      let store = ObjectStore(configuration: configuration)
      await #expect(throws: StorageError.notAFile(path: path)) { try await store.open() }
    }
    #expect(directory.names == ["default.store"])
  }

  @Test func anEmptyPassphraseIsNone() async throws {
    let directory = TemporaryDirectory()
    let store = ObjectStore(
      configuration: StorageConfiguration(
        location: .directory(URL(filePath: directory.path)), encryption: .passphrase(""), objectTypes: [Message.self]))
    await #expect(throws: StorageError.passphraseEmpty) { try await store.open() }
    #expect(directory.names.isEmpty)
  }

  @Test func whoIsBusyMayBeThisProcess() async throws {
    var bench = try await StoreBench()
    bench.configuration.lockTimeout = .milliseconds(1)
    let store = ObjectStore(configuration: bench.configuration)
    try await store.open()
    let transaction = try Engine.open(path: bench.directory.path(of: "default.store")).begin()
    do throws(StorageError) {
      try await store.save(Message(id: "a"))
      Issue.record("there were two writers")
    } catch {
      #expect(error == .busy(waited: .zero) && error.description.contains("of this process or of another one"))
    }
    transaction.abort()
    try await store.save(Message(id: "a"))
    await store.close()
  }
}
