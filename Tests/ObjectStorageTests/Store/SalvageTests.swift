import Foundation
import ObjectStorage
import TestSupport
import Testing

/// Saving what is left of a damaged store.
@Suite struct SalvageTests {
  private struct Line: StorageObject {
    @Persisted var text = ""
  }
  private static let pageByteCount = 4096

  /// One page after the other is damaged: what is saved is whole, and with what is told to be lost it is everything.
  @Test(arguments: [false, true]) func whatIsReadableIsSaved(isEncrypted: Bool) async throws {
    let bench = try await StoreBench([Message.self, Line.self], encryption: isEncrypted ? .key(StoreTests.key) : .none)
    let messages = StoreBench.messages(300)
    try await bench.store.save(messages)
    try await bench.store.save((0..<50).map { Line(text: "line \($0)") })
    let clean = try await bench.salvaged(bench.store)
    #expect(clean.report.savedObjectCounts == ["Message": 300, "Line": 50] && clean.report.lostRanges.isEmpty)
    await clean.store.close()
    await bench.store.close()
    let whole = try #require(bench.directory.contents("default.store"))
    var partialCount = 0
    // Every other one, and with the other argument the rest.
    for page in stride(from: isEncrypted ? 12 : 13, to: whole.count / Self.pageByteCount, by: 2) {
      var bytes = whole
      bytes[page * Self.pageByteCount + 700] ^= 0x10
      bench.directory.write(bytes, to: "default.store")
      let damaged = ObjectStore(configuration: bench.configuration)
      do throws(StorageError) {
        try await damaged.open()
        let (store, report) = try await bench.salvaged(damaged)
        await damaged.close()
        #expect(try await store.verify().isClean)
        let saved = try await store.all(Message.self).array()
        #expect(saved.count == report.savedObjectCounts["Message"])
        for message in saved { #expect(messages[message.size] == message) }
        let lines = try await store.count(Line.self)
        #expect(lines == report.savedObjectCounts["Line"])
        #expect((saved.count + lines < 350) == report.lostRanges.contains { $0.contains("objects of") }, "\(report)")
        let lost = report.lostRanges.filter { $0.contains("objects of") }.compactMap { Int($0.prefix { $0.isNumber }) }
        if !lost.isEmpty { #expect(saved.count + lines + lost.reduce(0, +) == 350) }
        if saved.count > 0, saved.count < 300 { partialCount += 1 }
        // It goes on as any store does: new numbers are new.
        try await store.save(Line(text: "new"))
        #expect(try await store.count(Line.self) == lines + 1)
        await store.close()
      } catch {
        guard case .corrupted = error else { throw error }
        await damaged.close()
      }
    }
    #expect(partialCount > 1)
  }

  @Test func aFileThatIsThereIsntTouched() async throws {
    let bench = try await StoreBench()
    bench.directory.write([1, 2, 3], to: "there")
    await #expect(throws: StorageError.fileExists(path: "")) {
      try await bench.store.salvage(to: URL(filePath: bench.directory.path(of: "there")))
    }
    #expect(bench.directory.contents("there") == [1, 2, 3])
  }
}

extension StoreBench {
  /// Saves a store beside it, and opens what was saved.
  fileprivate func salvaged(_ store: ObjectStore) async throws(StorageError) -> (store: ObjectStore, report: SalvageReport) {
    let target = directory.path(of: "saved.store")
    for name in [target, target + ".lock"] { try? FileManager.default.removeItem(atPath: name) }
    let report = try await store.salvage(to: URL(filePath: target))
    #expect(directory.names.allSatisfy { !$0.contains("salvaging") })
    var configuration = configuration
    configuration.location = .file(URL(filePath: target))
    let saved = ObjectStore(configuration: configuration)
    try await saved.open()
    return (saved, report)
  }
}
