import CSystem
import RawMemory
import TestSupport
import Testing

@testable import StorageEngine
@testable import StorageIO

/// What opening makes of what it finds.
@Suite struct LockOpeningTests {
  private let bench = LockBench()

  private func failure(_ bench: LockBench, timeout: Duration = .seconds(5)) -> EngineError? {
    do throws(EngineError) {
      _ = try bench.open(timeout: timeout)
      return nil
    } catch { return error }
  }

  @Test func anotherBootVoidsTheFile() throws {
    let file = try bench.open()
    let slots = try (0..<LockBench.slotsAChunk + 5).map { _ in try file.pinOld() }
    let image = LockBench(bench.kernel.crashImage(.everything))
    #expect(image.kernel.contents(LockBench.path)?.count == 2 * LockBench.chunk)
    var asked = 0
    let number = image.kernel.inodeNumber(LockBench.path)
    let after = try image.open(at: (30, 30, 31)) { asked += 1 }
    #expect(asked == 1 && after.published == 30 && after.durable == 30)
    #expect(after.takeTransactionID() == 32 + 1 << 32)
    #expect(try versions(after) == [])
    #expect(image.kernel.inodeNumber(LockBench.path) == number)
    #expect(image.kernel.contents(LockBench.path)?.count == LockBench.chunk)
    #expect(!image.kernel.isLocked(LockBench.path))
    // It grows as a new one does.
    _ = try (0..<300).map { _ in try after.registerPublished() }
    #expect(try versions(image.open(image.kernel.process())).count == 300)
    withExtendedLifetime((file, slots)) {}
  }

  @Test func whatALossOfPowerLeavesIsVoid() throws {
    let kernel = CrashKernel(isRecording: true)
    let file = try LockBench(kernel).open()
    let slots = try (0..<LockBench.slotsAChunk + 5).map { _ in try file.pinOld() }
    withExtendedLifetime((file, slots)) {}
    let history = kernel.history
    for position in stride(from: 0, through: history.count, by: 7) {
      for choice in [CrashChoice.nothing, .everything, .random(seed: UInt64(position), tearsInsideSectors: true)] {
        let image = LockBench(history.image(after: position, choice))
        let after = try image.open(at: (50, 50, 51))
        #expect(after.published == 50 && after.takeTransactionID() == 52 + 1 << 32)
        #expect(try versions(after) == [])
      }
    }
  }

  @Test(arguments: [0, 10, 16_384, 20_000])
  func nothingButZerosIsVoid(_ count: Int) throws {
    bench.kernel.put(LockBench.path, [UInt8](repeating: 0, count: count))
    #expect(try bench.open().published == 10)
    #expect(bench.kernel.contents(LockBench.path)?.count == LockBench.chunk)
  }

  @Test func whatIsNoLockFileStaysAsItIs() {
    for text in ["hello", String(repeating: "my notes ", count: 4000)] {
      bench.kernel.put(LockBench.path, Array(text.utf8))
      guard case .notAStore = failure(bench) else { return #expect(Bool(false)) }
      #expect(bench.kernel.contents(LockBench.path) == Array(text.utf8))
    }
    let directory = LockBench()
    directory.kernel.putDirectory(LockBench.path)
    #expect(failure(directory) != nil)
  }

  @Test func aNewerBuildIsLeftAloneInItsBoot() throws {
    _ = try bench.open()
    bench.setWord(LockLayout.Header.version, 2)
    guard case .unsupportedFormat(2, 1) = failure(bench) else { return #expect(Bool(false)) }
    #expect(bench.word(LockLayout.Header.version) == 2)
    bench.kernel.settings.bootIdentity += 1
    #expect(try bench.open().published == 10)
    #expect(bench.word(LockLayout.Header.version) == 1)
  }

  @Test func anUnknownBootIsRefused() {
    bench.kernel.settings.bootIdentity = 0
    guard case .system(let error, _) = failure(bench), error.code == ErrorNumber.notSupported else { return #expect(Bool(false)) }
    #expect(bench.kernel.names("/d") == [])
  }

  @Test func waitingForAnotherToMakeItAnewHasABound() throws {
    _ = try bench.open()
    bench.kernel.settings.bootIdentity += 1
    let process = bench.kernel.process()
    let holder = try StorageFile(process, path: LockBench.path, flags: O_RDWR)
    #expect(try holder.tryLock())
    guard case .busy(let waited) = failure(bench, timeout: .milliseconds(30)) else { return #expect(Bool(false)) }
    #expect(waited >= .milliseconds(30) && waited < .milliseconds(60))
    process.kill()
    #expect(failure(bench) == nil)
  }

  @Test func openingTakesNoLockWhenTheFileIsGood() throws {
    let file = try bench.open()
    let process = bench.kernel.process()
    #expect(try StorageFile(process, path: LockBench.path, flags: O_RDWR).tryLock())
    _ = try bench.open(timeout: .zero)
    withExtendedLifetime(file) {}
  }

  /// Of two that open at once one makes the file, and both use it.
  @Test func theLoserOfARaceOpensTheWinners() throws {
    let (first, second) = (bench.kernel.process(), bench.kernel.process())
    var winner: LockFile?
    second.onReach = { [bench] point in if point == .segmentMade { winner = try? bench.open(first, at: (40, 40, 40)) } }
    let loser = try bench.open(second, at: (41, 41, 41))
    #expect(loser.published == 40 && winner?.published == 40)
    winner?.publish(42)
    #expect(loser.published == 42)
    #expect(bench.kernel.names("/d") == ["a.store.lock"])
  }

  @Test func modes() throws {
    _ = try bench.open(mode: 0o660)
    let file = try StorageFile(bench.kernel, path: LockBench.path, flags: O_RDONLY)
    #expect(try file.status().mode == 0o660)
  }

  @Test func failuresLeaveNothingBehind() throws {
    for ordinal in 1...40 {
      let bench = LockBench()
      bench.kernel.fail(at: ordinal, with: EIO)
      _ = failure(bench)
      bench.kernel.clearFailures()
      #expect(try bench.open().published == 10)
      #expect(bench.kernel.names("/d") == ["a.store.lock"])
      // Made anew.
      bench.kernel.settings.bootIdentity += 1
      bench.kernel.fail(at: ordinal, with: EIO)
      _ = failure(bench)
      bench.kernel.clearFailures()
      #expect(try bench.open(at: (20, 20, 20)).takeTransactionID() > 1 << 32)
      #expect(!bench.kernel.isLocked(LockBench.path))
    }
  }

  /// Words that lead nowhere are an error: never a trap, never an endless chain.
  @Test func damagedWords() throws {
    typealias Header = LockLayout.Header
    let headers: [(Int, UInt64)] = [
      (Header.table, 5), (Header.table, 1 << 50), (Header.table, 16_384), (Header.chunkByteCount, 1),
    ]
    for (offset, value) in headers {
      let bench = LockBench()
      _ = try bench.open()
      bench.setWord(offset, value)
      #expect(failure(bench) != nil)
    }
    let chains: [(Int, UInt64)] = [
      (LockLayout.Chunk.next, 16_384), (LockLayout.Chunk.next, 7), (Header.end, 0), (Header.end, .max), (Header.end, 5),
    ]
    for (offset, value) in chains {
      let bench = LockBench()
      let file = try bench.open()
      for _ in 0..<LockBench.slotsAChunk { _ = try file.registerPublished() }
      bench.setWord(offset, value)
      #expect(throws: SystemError.self) { try file.registerPublished() }
    }
    // A chain into itself.
    let file = try bench.open()
    for _ in 0..<LockBench.slotsAChunk + 1 { _ = try file.registerPublished() }
    bench.setWord(LockBench.chunk + LockLayout.Chunk.next, UInt64(LockBench.chunk))
    #expect(throws: SystemError.self) { try file.pinned(reclaimingDead: true) }
    let extremes: [UInt64] = [.max, .max - 1]
    for value in extremes {
      bench.setWord(LockLayout.Chunk.next, 0)
      bench.setWord(LockLayout.Table.published, value)
      bench.setWord(LockLayout.Table.transaction, value)
      let again = try bench.open()
      _ = again.takeTransactionID()
      _ = try again.register(value)
      _ = try again.pinned(reclaimingDead: false)
    }
  }
}
