import Foundation
import ObjectStorage
import Synchronization
import TestSupport
import Testing

/// A bit of the last commit is another one, and nobody remembers by the lock file that the commit was whole.
@Suite struct DroppedCommitTests {
  private static let pageByteCount = 4096

  @Test(arguments: [false, true]) func isToldWhenOpeningAndWhenVerifying(isEncrypted: Bool) async throws {
    let bench = try await StoreBench(encryption: isEncrypted ? .key(StoreTests.key) : .none)
    try await bench.store.save(StoreBench.messages(50))
    let before = try #require(bench.directory.contents("default.store"))
    let version = try await bench.store.currentVersion()
    try await bench.store.save(Message(id: "last"))
    await bench.store.close()
    var bytes = try #require(bench.directory.contents("default.store"))
    // Behind the three meta pages, what differs is of the last commit.
    let first = 3 * 16_384 / Self.pageByteCount
    let page = try #require(
      (first..<before.count / Self.pageByteCount).first { page in
        let range = page * Self.pageByteCount..<(page + 1) * Self.pageByteCount
        return before[range] != bytes[range]
      })
    bytes[page * Self.pageByteCount + 100] ^= 1
    bench.directory.write(bytes, to: "default.store")
    try FileManager.default.removeItem(atPath: bench.directory.path(of: "default.store.lock"))

    let events = Mutex<[StorageEvent.Kind]>([])
    var configuration = bench.configuration
    configuration.corruptionPolicy = .rethrow
    configuration.logHandler = { event in events.withLock { $0.append(event.kind) } }
    let store = ObjectStore(configuration: configuration)
    let report = try await store.open()
    #expect(report.didDropLastCommit && report.version == version && report.reset == nil)
    #expect(events.withLock { $0.contains(.recovered) })
    #expect(try await store.count(Message.self) == 50)
    let verified = try await store.verify()
    #expect(verified.isClean && verified.notes.count == 1)
    #expect(verified.notes.first?.contains("page \(page) isn't what was committed") ?? false, "\(verified.notes)")
    // The next commit stands where that one stood.
    try await store.save(Message(id: "next"))
    #expect(try await store.verify().notes.isEmpty)
    await store.close()
    let again = try await bench.reopened()
    #expect(try await again.count(Message.self) == 51)
  }

  @Test func aWholeCommitIsNoNote() async throws {
    let bench = try await StoreBench()
    try await bench.store.save(StoreBench.messages(50))
    await bench.store.close()
    try FileManager.default.removeItem(atPath: bench.directory.path(of: "default.store.lock"))
    let again = try await bench.reopened()
    #expect(try await again.verify().notes.isEmpty)
  }
}
