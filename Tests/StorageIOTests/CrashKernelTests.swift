import CSystem
import RawMemory
import TestSupport
import Testing

@testable import StorageIO

/// The test kernel itself: what is lost and what is kept.
@Suite struct CrashKernelTests {
  private let kernel = CrashKernel()

  private func bytes(_ values: [UInt8]) -> ByteBuffer {
    let buffer = ByteBuffer(count: values.count)
    buffer.copy(values.span, at: 0)
    return buffer
  }
  private func made(_ path: String = "/d/f") throws -> StorageFile {
    kernel.putDirectory("/d")
    return try StorageFile(kernel, path: path, flags: O_RDWR | O_CREAT)
  }
  private func syncNames() throws { try StorageDirectory.synchronize(kernel, "/d") }

  @Test func whatWasNotSyncedIsLostOrKeptByChoice() throws {
    let file = try made()
    try file.write(bytes([1, 2, 3]), 0..<3, at: 0)
    #expect(kernel.crashImage(.nothing).names("/d") == [])
    #expect(kernel.crashImage(.everything).contents("/d/f") == [1, 2, 3])
    // Bytes without a name are gone; a name without its bytes is an empty file.
    try file.synchronizeData()
    #expect(kernel.crashImage(.nothing).names("/d") == [])
    try syncNames()
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [1, 2, 3])
    try file.write(bytes([9]), 0..<1, at: 1)
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [1, 2, 3])
    #expect(kernel.crashImage(.everything).contents("/d/f") == [1, 9, 3])
    #expect(kernel.contents("/d/f") == [1, 9, 3])
  }

  @Test func prefixesFollowTheOrderOfAllFiles() throws {
    let (first, second) = (try made("/d/a"), try made("/d/b"))
    try syncNames()
    try first.write(bytes([1]), 0..<1, at: 0)
    try second.write(bytes([2]), 0..<1, at: 0)
    try first.write(bytes([3]), 0..<1, at: 0)
    // Growth and bytes are two operations.
    #expect(kernel.pendingCount == 5)
    let expected: [([UInt8], [UInt8])] = [([], []), ([0], []), ([1], []), ([1], [0]), ([1], [2]), ([3], [2])]
    for (count, (a, b)) in expected.enumerated() {
      let image = kernel.crashImage(.prefix(count))
      #expect(image.contents("/d/a") == a && image.contents("/d/b") == b)
    }
  }

  @Test func aNameWithoutDataIsEmptyOrZeros() throws {
    let file = try made()
    try syncNames()
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [])
    try file.allocate(0..<4)
    try file.synchronizeData()
    try file.write(bytes([7, 7]), 0..<2, at: 1)
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [0, 0, 0, 0])
  }

  @Test func storesThroughAMappingAreSeenAndPending() throws {
    let file = try made()
    try file.allocate(0..<8192)
    try file.synchronizeData()
    try syncNames()
    let mapping = try file.map(offset: 4096, count: 4096, writable: true)
    mapping.copy(from: bytes([5, 6]), 0..<2, at: 8)
    mapping.storeRelease(0x0102, at: 16)
    #expect(mapping.compareExchange(expected: 0x0102, desired: 0x0304, at: 16))
    #expect(!mapping.compareExchange(expected: 0x0102, desired: 0x0506, at: 16))
    let buffer = ByteBuffer(count: 16)
    #expect(try file.read(buffer, 0..<16, at: 4104) == 16)
    #expect(buffer.bytes(0..<10) == [5, 6, 0, 0, 0, 0, 0, 0, 4, 3])
    #expect(kernel.pendingCount == 3)
    let before = kernel.crashImage(.prefix(2)).contents("/d/f")
    #expect(before?[4112] == 2 && before?[4113] == 1)
    #expect(kernel.crashImage(.nothing).contents("/d/f")?[4104] == 0)
    try file.synchronizeData()
    #expect(kernel.crashImage(.nothing).contents("/d/f")?[4112] == 4)
    // And the other way round: what is written shows in the mapping.
    try file.write(bytes([1, 0, 0, 0, 0, 0, 0, 0]), 0..<8, at: 4112)
    #expect(mapping.loadAcquire(at: 16) == 1)
  }

  @Test func aFailedSyncMayLoseTheDataForEver() throws {
    let file = try made()
    try syncNames()
    try file.write(bytes([1, 1]), 0..<2, at: 0)
    try file.synchronizeData()
    try file.write(bytes([2]), 0..<1, at: 0)
    kernel.loseSync()
    let error = #expect(throws: SystemError.self) { try file.synchronizeData() }
    #expect(error?.call == .synchronizeData && error?.code == EIO)
    try file.synchronizeData()
    #expect(kernel.contents("/d/f") == [2, 1])
    #expect(kernel.crashImage(.everything).contents("/d/f") == [1, 1])
    try file.write(bytes([3]), 0..<1, at: 1)
    try file.synchronizeData()
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [1, 3])
  }

  @Test func aSyncThatOnlyFailsLosesNothing() throws {
    let file = try made()
    try syncNames()
    try file.write(bytes([1]), 0..<1, at: 0)
    kernel.fail(.synchronizeData, with: EIO)
    #expect(throws: SystemError.self) { try file.synchronizeData() }
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [])
    try file.synchronizeData()
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [1])
  }

  @Test func randomImagesReorderAndTear() throws {
    let file = try made()
    try file.allocate(0..<2048)
    try file.synchronizeData()
    try syncNames()
    let ones = ByteBuffer(count: 1024)
    for index in 0..<1024 { ones.store(UInt8(1), at: index) }
    try file.write(ones, 0..<1024, at: 0)
    try file.write(ones, 0..<1024, at: 1024)
    var (sums, hasReordered, hasCutInside): (Set<Int>, Bool, Bool) = ([], false, false)
    for seed in UInt64(0)..<200 {
      let contents = try #require(kernel.crashImage(.random(seed: seed)).contents("/d/f"))
      #expect(contents == kernel.crashImage(.random(seed: seed)).contents("/d/f"))
      let sum = contents.reduce(0) { $0 + Int($1) }
      #expect(sum % 512 == 0)
      sums.insert(sum)
      hasReordered = hasReordered || (contents[0] == 0 && contents[1024] == 1)
      let torn = try #require(kernel.crashImage(.random(seed: seed, tearsInsideSectors: true)).contents("/d/f"))
      hasCutInside = hasCutInside || torn.reduce(0) { $0 + Int($1) } % 512 != 0
    }
    #expect(sums.isSuperset(of: [0, 512, 1024, 2048]))
    #expect(hasReordered && hasCutInside)
  }

  @Test func anImageIsAnotherBootOfTheSameMachine() throws {
    let file = try made()
    #expect(try file.tryLock())
    try syncNames()
    let image = kernel.crashImage(.everything)
    #expect(image.bootIdentity() != kernel.bootIdentity())
    #expect(image.inodeNumber("/d/f") == kernel.inodeNumber("/d/f"))
    #expect(!image.isLocked("/d/f"))
    #expect(image.pendingCount == 0)
    let again = try StorageFile(image, path: "/d/f", flags: O_RDWR)
    try again.write(bytes([4]), 0..<1, at: 0)
    #expect(image.crashImage(.nothing).contents("/d/f") == [])
    #expect(kernel.contents("/d/f") == [])
  }
}
