import CSystem
import RawMemory
import TestSupport
import Testing

@testable import StorageIO

/// The test kernel itself: errors, faults, processes, histories.
@Suite struct CrashKernelRuntimeTests {
  private let kernel = CrashKernel()
  private let buffer = ByteBuffer(count: 4096)

  private func open(_ path: String, _ flags: Int32, _ system: SystemCalls? = nil) -> Int32 {
    Int32((system ?? kernel).open(path, flags: flags, mode: 0o600))
  }

  @Test func errorsOfARealKernel() {
    kernel.put("/d/f", [1, 2, 3])
    #expect(open("/d/none", O_RDWR) == -ENOENT)
    #expect(open("/none/f", O_RDWR | O_CREAT) == -ENOENT)
    #expect(open("/d/f/g", O_RDWR | O_CREAT) == -ENOTDIR)
    #expect(open("/d/f/.", O_RDONLY) == -ENOTDIR)
    #expect(open("/d/f", O_RDWR | O_CREAT | O_EXCL) == -EEXIST)
    #expect(open("/d", O_RDWR) == -EISDIR)
    #expect(open("/d/f", O_RDONLY | O_DIRECTORY) == -ENOTDIR)
    #expect(open("//d/./", O_RDONLY | O_DIRECTORY) > 0)
    #expect(kernel.unlink("/d") == -Int(EISDIR))
    #expect(kernel.link("/d", to: "/e") == -Int(EPERM))
    #expect(kernel.link("/d/f", to: "/d/f") == -Int(EEXIST))
    #expect(kernel.link("/d/none", to: "/d/g") == -Int(ENOENT))
    #expect(kernel.makeDirectory("/d", mode: 0o700) == -Int(EEXIST))
    #expect(kernel.makeDirectory("/x/y", mode: 0o700) == -Int(ENOENT))
    #expect(kernel.list("/d/f") { _ in } == -Int(ENOTDIR))
    let reader = open("/d/f", O_RDONLY)
    #expect(kernel.write(reader, buffer, 0..<1, at: 0) == -Int(EBADF))
    #expect(kernel.read(reader, buffer, 0..<9, at: 1) == 2)
    var code = 0
    #expect(kernel.map(reader, offset: 0, count: 1, writable: true, code: &code) == nil && code == -Int(EACCES))
    #expect(kernel.map(reader, offset: 512, count: 1, writable: false, code: &code) == nil && code == -Int(EINVAL))
    #expect(kernel.close(reader) == 0 && kernel.close(reader) == -Int(EBADF))
    #expect(kernel.read(reader, buffer, 0..<1, at: 0) == -Int(EBADF))
    kernel.isReadOnly = true
    #expect(open("/d/f", O_RDWR) == -EROFS && open("/d/new", O_RDWR | O_CREAT) == -EROFS)
    #expect(kernel.unlink("/d/f") == -Int(EROFS) && kernel.makeDirectory("/y", mode: 0o700) == -Int(EROFS))
    #expect(open("/d/f", O_RDONLY) > 0)
  }

  @Test func anUnlinkedFileLivesAsLongAsItIsOpen() throws {
    kernel.put("/d/f", [1])
    let file = try StorageFile(kernel, path: "/d/f", flags: O_RDWR)
    #expect(kernel.unlink("/d/f") == 0)
    #expect(try file.read(buffer, 0..<8, at: 0) == 1)
    #expect(try file.status().linkCount == 0)
    #expect(kernel.usedByteCount == 1)
    _ = kernel.close(file.descriptor)
    #expect(kernel.usedByteCount == 0)
  }

  @Test func callsFailAsTold() {
    kernel.put("/f", [])
    let file = open("/f", O_RDWR)
    kernel.fail(.write, at: 2, with: ENOSPC)
    kernel.fail(at: 4, with: EIO, isPermanent: true)
    #expect(kernel.write(file, buffer, 0..<1, at: 0) == 1)
    #expect(kernel.write(file, buffer, 0..<1, at: 0) == -Int(ENOSPC))
    #expect(kernel.write(file, buffer, 0..<1, at: 0) == 1)
    #expect(kernel.synchronize(file) == -Int(EIO))
    #expect(kernel.unlink("/f") == -Int(EIO))
    kernel.clearFailures()
    #expect(kernel.callCount(.write) == 3 && kernel.bytesWritten == 2)
    kernel.interruptionPeriod = 2
    kernel.transferByteCountMax = 3
    #expect(kernel.write(file, buffer, 0..<8, at: 0) == 3)
    #expect(kernel.write(file, buffer, 0..<8, at: 0) == -Int(EINTR))
    #expect(kernel.read(file, buffer, 0..<8, at: 0) == 3)
    #expect(kernel.close(file) == -Int(EINTR))
    #expect(kernel.descriptorCount == 0)
  }

  @Test func aKilledProcessHasNoMoreEffect() throws {
    kernel.put("/f", [UInt8](repeating: 0, count: 4096))
    let process = kernel.process()
    let file = try StorageFile(process, path: "/f", flags: O_RDWR)
    let mapping = try file.map(offset: 0, count: 4096, writable: true)
    let others = try StorageFile(kernel, path: "/f", flags: O_RDWR).map(offset: 0, count: 4096, writable: true)
    #expect(try file.tryLock())
    mapping.storeRelease(1, at: 0)
    var reached: [Failpoint] = []
    process.onReach = { reached.append($0) }
    process.reach(.recordWritten)
    process.kill()
    process.reach(.recordPublished)
    #expect(reached == [.recordWritten])
    #expect(!kernel.isLocked("/f"))
    mapping.storeRelease(2, at: 0)
    mapping.copy(from: buffer, 0..<8, at: 0)
    #expect(others.loadAcquire(at: 0) == 1)
    others.storeRelease(3, at: 8)
    mapping.storeRelease(4, at: 8)
    #expect(others.loadAcquire(at: 8) == 3)
    #expect(kernel.pendingCount == 2)
    #expect(process.write(file.descriptor, buffer, 0..<1, at: 0) == -Int(EBADF))
    #expect(process.open("/f", flags: O_RDWR, mode: 0) == -Int(EBADF))
  }

  @Test func clocksAndChance() {
    let start = (kernel.realtimeMicroseconds(), kernel.monotonicNanoseconds())
    for _ in 0..<4 { kernel.sleep(nanoseconds: 500) }
    kernel.step(.milliseconds(3))
    #expect(kernel.realtimeMicroseconds() == start.0 + 3002)
    #expect(kernel.monotonicNanoseconds() == start.1 + 3_002_000)
    kernel.settings.realtimeMicroseconds = 5
    kernel.settings.pageByteCount = 16384
    kernel.settings.fileSystemKind = .network
    var kind = FileSystemKind.mayAllocateAgain
    #expect(kernel.fileSystem("/", &kind) == 0 && kind == .network)
    #expect(kernel.realtimeMicroseconds() == 5 && kernel.pageByteCount == 16384)
    let (first, second) = (CrashKernel(), CrashKernel())
    let other = ByteBuffer(count: 4096)
    #expect(first.random(buffer, 0..<32) == 32 && second.random(other, 0..<32) == 32)
    #expect(buffer.bytes(0..<32) == other.bytes(0..<32))
  }

  /// 20,000 operations over eight files, and an image after every fortieth.
  @Test func aHistoryEqualsTheRunAndIsCheap() throws {
    let kernel = CrashKernel(isRecording: true)
    kernel.putDirectory("/d")
    let files = try (0..<8).map { try StorageFile(kernel, path: "/d/\($0)", flags: O_RDWR | O_CREAT) }
    for file in files { try file.allocate(0..<262_144) }
    try StorageDirectory.synchronize(kernel, "/d")
    var generator = SplitMix64(seed: 5)
    var live: [(position: Int, names: [String], contents: [UInt8]?)] = []
    while kernel.history.count < 20_000 {
      for _ in 0..<400 {
        let file = files.randomElement(using: &generator)!
        let offset = UInt64.random(in: 0..<32_000, using: &generator) * 8
        buffer.store(generator.next(), at: 0)
        try file.write(buffer, 0..<200, at: offset)
        if generator.next() % 8 == 0 { try file.synchronizeData() }
      }
      kernel.mark("round")
      let image = kernel.crashImage(.nothing)
      live.append((kernel.history.count, image.names("/d"), image.contents("/d/3")))
    }
    let history = kernel.history
    #expect(history.marks.map(\.position) == live.map(\.position))
    let elapsed = ContinuousClock().measure {
      for position in stride(from: 0, through: history.count, by: 40) {
        _ = history.image(after: position, .random(seed: UInt64(position)))
      }
    }
    print("an image takes \(elapsed / (history.count / 10))")
    for entry in live.reversed() {
      let image = history.image(after: entry.position, .nothing)
      #expect(image.names("/d") == entry.names && image.contents("/d/3") == entry.contents)
    }
  }
}
