import CSystem
import RawMemory
import TestSupport
import Testing

@testable import StorageIO

/// Files appear under their names only whole.
@Suite struct WholeFileTests {
  private let kernel = CrashKernel(isRecording: true)
  private let pattern = (0..<6000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }

  init() { kernel.putDirectory("/d") }

  private func directory(_ system: SystemCalls) -> StorageDirectory {
    StorageDirectory(system, path: "/d", fileMode: 0o660, directoryMode: 0o770, forcesModes: true)
  }

  private func make(_ system: SystemCalls, random: UInt64 = 1) throws(SystemError) -> StorageFile? {
    let buffer = ByteBuffer(count: pattern.count)
    buffer.copy(pattern.span, at: 0)
    return try directory(system).makeWhole("a", random: random) { file throws(SystemError) in
      try file.allocate(0..<UInt64(pattern.count))
      try file.write(buffer, 0..<pattern.count, at: 0)
      try file.synchronizeData()
    }
  }

  @Test func theFileIsWholeLockedAndAlone() throws {
    let file = try #require(try make(kernel))
    #expect(kernel.names("/d") == ["a"])
    #expect(kernel.contents("/d/a") == pattern)
    #expect(kernel.isLocked("/d/a"))
    let status = try file.status()
    #expect(status.mode == 0o660 && status.linkCount == 1 && status.byteCount == UInt64(pattern.count))
  }

  @Test func theLoserOfARaceGetsNothingAndLeavesNothing() throws {
    let (first, second) = (kernel.process(), kernel.process())
    var winner: StorageFile?
    second.onReach = { [self] point in
      if point == .segmentMade { winner = try? make(first, random: 2) }
    }
    #expect(try make(second, random: 3) == nil)
    #expect(winner != nil)
    #expect(kernel.names("/d") == ["a"])
    #expect(second.descriptorCount == 0)
  }

  @Test func anErrorWhileFillingLeavesNothing() throws {
    for ordinal in 1...9 {
      let kernel = CrashKernel()
      kernel.putDirectory("/d")
      kernel.fail(at: ordinal, with: EIO)
      do {
        _ = try make(kernel)
        // The last of the calls is the close.
        #expect(kernel.exists("/d/a"))
      } catch {
        #expect(error.code == EIO)
        // Only when it is the removal itself that failed once can the name be there; the temporary one never is.
        if error.call != .unlink { #expect(!kernel.exists("/d/a")) }
      }
      #expect(kernel.names("/d").filter { $0.hasPrefix(".tmp-") } == [])
    }
  }

  @Test func noCrashShowsAHalfWrittenFile() throws {
    _ = try make(kernel)
    try directory(kernel).synchronize()
    kernel.mark("durable")
    let history = kernel.history
    var seenWhole = 0
    for position in 0...history.count {
      var choices: [CrashChoice] = [.nothing, .everything]
      choices += (0...history.pendingCount(after: position)).map { .prefix($0) }
      choices += (0..<20).map { .random(seed: $0, tearsInsideSectors: true) }
      for choice in choices {
        let image = history.image(after: position, choice)
        let contents = image.contents("/d/a")
        #expect(contents == nil || contents == pattern)
        if contents != nil { seenWhole += 1 }
        if !history.marks(upTo: position).isEmpty { #expect(contents == pattern) }
        for name in image.names("/d") where name.hasPrefix(".tmp-") { directory(image).removeIfLitter(name) }
        #expect(image.names("/d").allSatisfy { $0 == "a" })
      }
    }
    #expect(seenWhole > 20)
  }

  @Test func litterIsRemovedOnlyWhenItsMakerIsGone() throws {
    let maker = kernel.process()
    let file = try StorageFile(maker, path: "/d/.tmp-1", flags: O_RDWR | O_CREAT | O_EXCL, isLockable: true)
    #expect(try file.tryLock())
    directory(kernel).removeIfLitter(".tmp-1")
    #expect(kernel.exists("/d/.tmp-1"))
    maker.kill()
    directory(kernel).removeIfLitter(".tmp-1")
    #expect(!kernel.exists("/d/.tmp-1"))
    directory(kernel).removeIfLitter(".tmp-1")
    #expect(kernel.descriptorCount == 0)
  }

  @Test func onRealFiles() throws {
    let place = TemporaryDirectory()
    let directory = StorageDirectory(.live, path: place.path(of: "m"), fileMode: 0o640, directoryMode: 0o750, forcesModes: true)
    #expect(try directory.make())
    #expect(try !directory.make())
    var status: FileStatus?
    #expect(SystemCalls.live.status(path: directory.path, &status) == 0)
    #expect(status?.mode == 0o750)
    let file = try directory.makeWhole("a", random: 0xABC) { (file) throws(SystemError) in try file.allocate(0..<8192) }
    #expect(try file?.status().mode == 0o640)
    let again = try directory.makeWhole("a", random: 0xABD) { (_) throws(SystemError) in }
    #expect(again == nil)
    try directory.synchronize()
    var names: [String] = []
    try directory.forEachName { names.append($0.decodedString()) }
    #expect(names == ["a"])
    #expect(litter(in: place.path) == [])
  }
}
