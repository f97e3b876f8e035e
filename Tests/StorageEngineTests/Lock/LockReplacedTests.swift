import CSystem
import TestSupport
import Testing

@testable import StorageEngine
@testable import StorageIO

/// Another data file, or another lock file, under the path.
@Suite struct LockReplacedTests {
  private let bench = LockBench()

  @Test func anotherDataFileGetsATableOfItsOwn() throws {
    let old = try bench.open(fileID: 7)
    let pin = try old.pinOld()
    var asked = 0
    let new = try bench.open(bench.kernel.process(), fileID: 8, at: (30, 29, 31)) { asked += 1 }
    #expect(asked == 1 && new.published == 30 && new.durable == 29 && new.takeTransactionID() == 32 + 1 << 32)
    #expect(try versions(new) == [])
    // Who has the old file open keeps what it had, and learns that it is outdated.
    #expect(try versions(old) == [pin.version])
    old.publish(77)
    old.advanceGeneration()
    #expect(new.published == 30 && new.generation == 0)
    #expect(try new.isCurrent() && !old.isCurrent())
    let third = try bench.open(bench.kernel.process(), fileID: 8) { asked += 1 }
    #expect(asked == 1)
    third.publish(33)
    #expect(new.published == 33)
    // Both grow, each on its own.
    var slots: [LockFile.Slot] = []
    for _ in 0..<LockBench.slotsAChunk + 5 { slots += [try old.registerPublished(), try new.registerPublished()] }
    #expect(try versions(old).count == LockBench.slotsAChunk + 6)
    #expect(try versions(third).count == LockBench.slotsAChunk + 5)
    // The first one comes back: what its table says may be outdated.
    let again = try bench.open(fileID: 7, at: (50, 50, 50)) { asked += 1 }
    #expect(try asked == 2 && again.published == 50 && !new.isCurrent() && !old.isCurrent())
    #expect(try versions(again) == [])
  }

  /// Two that find another file's table at once end with one.
  @Test func aRaceForANewTable() throws {
    _ = try bench.open(fileID: 7)
    var winner: LockFile?
    let loser = try bench.open(fileID: 8, at: (30, 30, 30)) { [bench] in
      if winner == nil { winner = try? bench.open(bench.kernel.process(), fileID: 8, at: (31, 31, 31)) }
    }
    #expect(loser.published == 31)
    winner?.publish(32)
    #expect(try loser.published == 32 && loser.isCurrent() && winner?.isCurrent() == true)
  }

  @Test func aSuccessorTakesTheTableOver() throws {
    let file = try bench.open(fileID: 7)
    let pin = try file.pinOld()
    file.announce(successor: 8)
    // A death on either side of the swap: both files are the table's.
    for fileID: UInt64 in [7, 8] {
      let other = try bench.open(bench.kernel.process(), fileID: fileID) { #expect(Bool(false)) }
      #expect(try versions(other) == [pin.version])
    }
    file.confirmSuccessor()
    #expect(try bench.open(bench.kernel.process(), fileID: 8).published == file.published)
    #expect(try file.isCurrent())
    file.confirmSuccessor()
    #expect(bench.word(LockLayout.Table.fileID) == 8)
    #expect(try bench.open(bench.kernel.process(), fileID: 7, at: (60, 60, 60)).published == 60)
  }

  @Test func aLockFileThatIsGoneIsNoticed() throws {
    let file = try bench.open()
    #expect(bench.kernel.unlink(LockBench.path) == 0)
    #expect(try !file.isCurrent())
    let new = try bench.open(at: (20, 20, 20))
    #expect(try !file.isCurrent() && new.isCurrent() && new.published == 20 && file.published == 10)
    bench.kernel.fail(.status, with: EIO)
    #expect(throws: SystemError.self) { _ = try new.isCurrent() }
    #expect(try new.isCurrent())
  }

  /// The lock file goes away between looking and locking.
  @Test func aVoidFileThatIsReplacedMeanwhile() throws {
    _ = try bench.open()
    bench.kernel.settings.bootIdentity += 1
    let process = bench.kernel.process()
    let holder = try StorageFile(process, path: LockBench.path, flags: O_RDWR)
    #expect(try holder.tryLock())
    let other = bench.kernel.process()
    var isDone = false
    let waiting = bench.kernel.process()
    waiting.onTryLock = { [bench] in
      if isDone { return }
      isDone = true
      _ = bench.kernel.unlink(LockBench.path)
      _ = try? bench.open(other, at: (70, 70, 70))
      holder.unlock()
    }
    let file = try bench.open(waiting)
    #expect(try file.published == 70 && file.isCurrent())
  }
}
