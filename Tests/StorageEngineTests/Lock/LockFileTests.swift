import CSystem
import RawMemory
import TestSupport
import Testing

@testable import StorageEngine
@testable import StorageIO

/// What handles tell each other.
@Suite struct LockFileTests {
  private let bench = LockBench()

  @Test func secondHandleSeesWhatTheFirstDid() throws {
    let first = try bench.open()
    var asked = 0
    let second = try bench.open(bench.kernel.process(), at: (99, 99, 99)) { asked += 1 }
    #expect(asked == 0)
    #expect(second.published == 10 && second.durable == 9)
    #expect(first.takeTransactionID() == 13 + 1 << 32)
    #expect(second.takeTransactionID() == 14 + 1 << 32)
    second.publish(14 + 1 << 32)
    first.setDurable(11)
    #expect(first.published == 14 + 1 << 32 && second.durable == 11)
    #expect(first.generation == 0)
    second.advanceGeneration()
    #expect(first.generation == 1)
    first.setExtraWord(3, 5)
    #expect(!second.exchangeExtraWord(3, expected: 4, desired: 6) && second.exchangeExtraWord(3, expected: 5, desired: 6))
    #expect((0..<4).map { first.extraWord($0) } == [0, 0, 0, 6])
    try first.ring()
    #expect(try first.isCurrent() && second.isCurrent())
    #expect(bench.kernel.names("/d") == ["a.store.lock"])
  }

  @Test func idsRiseAboveWhatAForeignFileShows() throws {
    let file = try bench.open()
    file.raiseTransactionIDs(above: 5)
    #expect(file.takeTransactionID() == 13 + 1 << 32)
    file.raiseTransactionIDs(above: 1 << 40)
    #expect(try bench.open(bench.kernel.process()).takeTransactionID() == 1 << 40 + 1 << 32 + 1)
  }

  @Test func pinsAreSeenUntilTheyAreLetGo() throws {
    let first = try bench.open()
    let process = bench.kernel.process()
    var second: LockFile? = try bench.open(process)
    let old = try #require(try second?.register(10))
    first.publish(20)
    #expect(try second?.register(10) == nil)
    let new = try #require(try second?.registerPublished())
    #expect(new.version == 20)
    let pins = try first.pinned(reclaimingDead: true).sorted { $0.version < $1.version }
    #expect(pins.map(\.version) == [10, 20])
    #expect(pins.allSatisfy { !$0.isSelf && !$0.isKnownDead && $0.process == process.processIdentity() })
    #expect(pins.allSatisfy { $0.since == bench.kernel.monotonicNanoseconds() })
    #expect(try second?.pinned(reclaimingDead: false).allSatisfy(\.isSelf) == true)
    second?.unregister(old)
    #expect(try versions(first) == [20])
    second?.unregister(new)
    #expect(try versions(first) == [])
    // The handle keeps its slots until it closes.
    #expect(bench.takenCount == 2)
    second = nil
    #expect(bench.takenCount == 0)
  }

  @Test func slotsAreUsedAgain() throws {
    let file = try bench.open()
    for _ in 0..<1000 {
      let (a, b) = (try file.registerPublished(), try file.registerPublished())
      file.unregister(b)
      file.unregister(a)
      file.publish(file.takeTransactionID())
      #expect(try file.register(10) == nil)
    }
    #expect(bench.takenCount == 2)
  }

  @Test func growsForAll() throws {
    let process = bench.kernel.process()
    let (first, second) = (try bench.open(), try bench.open(process))
    let count = 2 * LockBench.slotsAChunk + 50
    var slots: [LockFile.Slot] = []
    for _ in 0..<count { slots.append(try second.pinOld()) }
    #expect(bench.kernel.contents(LockBench.path)?.count == 3 * LockBench.chunk)
    #expect(try versions(first) == slots.map(\.version))
    // Somebody who comes later, and who grows it too.
    let third = try bench.open(bench.kernel.process())
    for _ in 0..<LockBench.slotsAChunk { slots.append(try third.pinOld()) }
    #expect(try versions(first) == slots.map(\.version) && versions(third) == slots.map(\.version))
    for slot in slots.prefix(count) { second.unregister(slot) }
    #expect(try versions(first) == slots.dropFirst(count).map(\.version))
    let size = bench.kernel.contents(LockBench.path)?.count
    for _ in 0..<count { _ = try second.registerPublished() }
    #expect(bench.kernel.contents(LockBench.path)?.count == size)
  }

  @Test func aFullDiskIsAnErrorAndPassesAgain() throws {
    let file = try bench.open()
    var slots = try (0..<LockBench.slotsAChunk).map { _ in try file.registerPublished() }
    bench.kernel.byteBudget = bench.kernel.usedByteCount
    for _ in 0..<3 {
      let error = #expect(throws: SystemError.self) { try file.registerPublished() }
      #expect(error?.code == ErrorNumber.noSpace)
    }
    #expect(try versions(file).count == slots.count)
    file.unregister(slots.removeLast())
    slots.append(try file.registerPublished())
    bench.kernel.byteBudget = nil
    slots.append(try file.registerPublished())
    // The failures have cost nothing.
    #expect(bench.kernel.contents(LockBench.path)?.count == 2 * LockBench.chunk)
  }

  @Test func nothingIsCalledOnceThereAreSlots() throws {
    let place = TemporaryDirectory()
    let calls = CountingCalls()
    let file = try LockFile.open(
      calls, path: place.path(of: "a.lock"), fileID: 1, mode: 0o600, deadline: .never,
      newest: { () throws(EngineError) in (published: 1, durable: 1, newestSeen: 1) })
    let other = try LockFile.open(
      .live, path: place.path(of: "a.lock"), fileID: 1, mode: 0o600, deadline: .never,
      newest: { () throws(EngineError) in (published: 0, durable: 0, newestSeen: 0) })
    let kept = try other.registerPublished()
    file.unregister(try file.registerPublished())
    calls.resetCounts()
    for _ in 0..<100 {
      let slot = try file.registerPublished()
      file.publish(file.takeTransactionID())
      #expect(try versions(file) == [kept.version, slot.version].sorted())
      file.unregister(slot)
    }
    #expect(calls.totalCallCount == 0)
    #expect(litter(in: place.path) == [])
  }

  @Test func inMemory() throws {
    let file = LockFile.inMemory()
    #expect(try file.published == 0 && file.takeTransactionID() == 1 && file.isCurrent())
    let slots = try (0..<600).map { _ in try file.registerPublished() }
    #expect(try file.pinned(reclaimingDead: true).count == 600)
    #expect(try file.pinned(reclaimingDead: false).allSatisfy { $0.isSelf && $0.version == 0 })
    for slot in slots { file.unregister(slot) }
    #expect(try versions(file) == [])
    try file.ring()
  }

  @Test func threadsShareAHandle() async throws {
    let file = LockFile.inMemory()
    try await withThrowingTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for _ in 0..<2000 {
            if thread == 0 { file.publish(file.takeTransactionID()) }
            let slot = try file.registerPublished()
            #expect(try versions(file).contains(slot.version))
            file.unregister(slot)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try versions(file) == [])
  }
}
