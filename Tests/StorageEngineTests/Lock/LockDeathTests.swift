import CSystem
import RawMemory
import TestSupport
import Testing

@testable import StorageEngine
@testable import StorageIO

/// What the dead leave, on a test kernel, where every case can be set.
@Suite struct LockDeathTests {
  private let bench = LockBench()

  /// A handle of this kernel's first process, another process that pins a version, and that process.
  private func pinnedByAnother() throws -> (own: LockFile, process: KernelProcess, version: UInt64) {
    let own = try bench.open()
    let process = bench.kernel.process()
    let other = try bench.open(process)
    let version = try other.pinOld().version
    // Its end is sudden: nothing is given back.
    kept.append(other)
    return (own, process, version)
  }
  private var kept: [LockFile] {
    get { keeper.files }
    nonmutating set { keeper.files = newValue }
  }
  private final class Keeper { var files: [LockFile] = [] }
  private let keeper = Keeper()

  @Test func aKilledProcessPinsNothing() throws {
    let (own, process, version) = try pinnedByAnother()
    #expect(try versions(own) == [version])
    process.kill()
    let listed = try own.pinned(reclaimingDead: false)
    #expect(listed.map(\.version) == [version] && listed.allSatisfy(\.isKnownDead))
    #expect(bench.takenCount == 1)
    #expect(try versions(own) == [])
    #expect(bench.takenCount == 0)
  }

  @Test func anIdThatIsUsedAgainIsNotTheSameProcess() throws {
    let (own, process, version) = try pinnedByAnother()
    let successor = bench.kernel.process()
    successor.facts.identity = process.facts.identity
    process.kill()
    // What the new one pins itself stays.
    let other = try bench.open(successor)
    let pin = try other.pinOld()
    #expect(pin.version > version)
    #expect(try versions(own) == [pin.version])
    #expect(try versions(own) == [pin.version])
  }

  @Test func whatCannotBeKnownIsNotProven() throws {
    let (own, process, version) = try pinnedByAnother()
    process.facts.liveness = .unknown
    #expect(try versions(own) == [version])
    process.facts.liveness = .alive
    process.facts.startTime = nil
    #expect(try versions(own) == [version])
    bench.kernel.facts.startTime = nil
    #expect(try versions(bench.open()) == [version])
    process.kill()
    #expect(try versions(own) == [])
  }

  @Test(arguments: [0, 0xF000_0002] as [UInt64])
  func anotherNamespaceIsNotJudged(_ namespace: UInt64) throws {
    let process = bench.kernel.process()
    process.facts.namespace = namespace
    let other = try bench.open(process)
    let version = try other.pinOld().version
    process.kill()
    // No process of that id is in the own namespace.
    let own = try bench.open()
    #expect(try versions(own) == [version])
    let listed = try #require(try own.pinned(reclaimingDead: false).first)
    #expect(!listed.isKnownDead && listed.process == process.facts.identity)
    // Nor does somebody whose own namespace isn't known judge anybody.
    let blind = bench.kernel.process()
    blind.facts.namespace = namespace
    #expect(try versions(bench.open(blind)) == (namespace == 0 ? [version] : []))
  }

  @Test func aProgramThatReplacedItselfPinsNothing() throws {
    let (own, process, version) = try pinnedByAnother()
    // Others can't tell.
    process.facts.image = 2
    #expect(try versions(own) == [version])
    let image = try bench.open(process)
    #expect(try versions(image) == [])
    // Nor is a slot of the image's own taken for one.
    let pin = try image.pinOld()
    #expect(try versions(image) == [pin.version] && image.pinned(reclaimingDead: false).allSatisfy(\.isSelf))
  }

  @Test func pinsOfThePublishedVersionAreNotAskedAbout() throws {
    let own = try bench.open()
    let process = bench.kernel.process()
    let other = try bench.open(process)
    _ = try other.registerPublished()
    process.kill()
    kept.append(other)
    #expect(try versions(own) == [10])
    own.publish(11)
    #expect(try versions(own) == [])
  }

  @Test func theDeadMakeRoomBeforeTheFileGrows() throws {
    let own = try bench.open()
    for _ in 0..<3 {
      let process = bench.kernel.process()
      let other = try bench.open(process)
      for _ in 0..<LockBench.slotsAChunk { _ = try other.registerPublished() }
      process.kill()
      kept.append(other)
    }
    _ = try own.registerPublished()
    #expect(bench.kernel.contents(LockBench.path)?.count == LockBench.chunk)
  }

  /// Killed after each store of a run that opens, pins, grows the file, publishes and lets go.
  @Test func killedAtAnyStore() throws {
    var hasEnded = false
    var count = 1
    while !hasEnded {
      let bench = LockBench()
      // Two slots are free, and a third is one of the dead's.
      let own = try bench.open()
      let slots = try (0..<LockBench.slotsAChunk - 3).map { _ in try own.registerPublished() }
      let dead = bench.kernel.process()
      let leaver = try bench.open(dead)
      _ = try leaver.pinOld()
      dead.kill()

      let process = bench.kernel.process()
      process.storesUntilKill = count
      kept.append(leaver)
      if let file = try? bench.open(process) {
        let pins = (0..<6).compactMap { _ in try? file.registerPublished() }
        file.publish(file.takeTransactionID())
        for pin in pins { file.unregister(pin) }
        kept.append(file)
      }
      hasEnded = !process.isKilled
      process.kill()

      own.publish(own.takeTransactionID())
      for slot in slots { own.unregister(slot) }
      #expect(try versions(own) == [], "killed after \(count) stores")
      let next = try bench.open(bench.kernel.process())
      for _ in 0..<10 { _ = try next.registerPublished() }
      #expect(try versions(own).count == 10)
      #expect((bench.kernel.contents(LockBench.path)?.count ?? 0) <= 3 * LockBench.chunk)
      kept = []
      count += 1
    }
    #expect(count > 30)
  }

  /// Killed while a void file is made anew: the next one begins again.
  @Test func killedWhileMakingItAnew() throws {
    var hasEnded = false
    var count = 1
    while !hasEnded {
      let bench = LockBench()
      let file = try bench.open()
      _ = try file.registerPublished()
      let image = LockBench(bench.kernel.crashImage(.everything))
      let process = image.kernel.process()
      process.storesUntilKill = count
      _ = try? image.open(process, at: (20, 20, 20))
      hasEnded = !process.isKilled
      process.kill()
      let next = try image.open(at: (21, 21, 21))
      #expect(next.published == (hasEnded ? 20 : next.published))
      #expect([20, 21].contains(next.published) && next.takeTransactionID() == next.published + 1 + 1 << 32)
      #expect(try versions(next) == [])
      count += 1
    }
    #expect(count > 8)
  }
}
