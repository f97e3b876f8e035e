import CSystem
import Foundation
import RawMemory
import TestSupport
import Testing

@testable import StorageIO

@Suite struct SpaceTests {
  @Test func allocationMakesBlocks() throws {
    let place = TemporaryDirectory()
    let path = place.path(of: "f")
    let file = try StorageFile(.live, path: path, flags: O_RDWR | O_CREAT)
    try file.allocate(0..<262_144)
    var raw = stat()
    #expect(unsafe stat(path, &raw) == 0)
    #expect(raw.st_size == 262_144)
    #expect(raw.st_blocks * 512 >= 262_144)
    let mapping = try file.map(offset: 131_072, count: 131_072, writable: true)
    mapping.storeRelease(77, at: 131_064)
    let buffer = ByteBuffer(count: 16)
    #expect(try file.read(buffer, 0..<16, at: 262_136) == 8)
    #expect(buffer.load(UInt64.self, at: 0) == 77)
    #expect(try file.read(buffer, 0..<16, at: 262_144) == 0)
  }

  /// In a process of its own, because a limit is the whole process's.
  @Test func aSizeLimitIsAnErrorAndNoSignal() async {
    await #expect(processExitsWith: .success) { () async throws in
      signal(SIGXFSZ, SIG_IGN)
      let place = TemporaryDirectory()
      let file = try StorageFile(.live, path: place.path(of: "f"), flags: O_RDWR | O_CREAT)
      var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
      #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)  // RLIMIT_FSIZE
      let buffer = ByteBuffer(count: 8192)
      try file.write(buffer, 0..<8192, at: 0)
      do throws(SystemError) {
        try file.write(buffer, 0..<8192, at: 8192)
        exit(2)
      } catch {
        if error.call != .write || error.code != EFBIG { exit(3) }
      }
      // What fitted was written.
      if try file.status().byteCount != 10_000 { exit(4) }
      do throws(SystemError) {
        try file.allocate(0..<65536)
        exit(5)
      } catch {
        if error.call != .allocate || error.code != EFBIG { exit(6) }
      }
    }
  }

  @Test func theTestKernelLimitsSizesLikeTheReal() throws {
    let kernel = CrashKernel()
    kernel.fileByteCountMax = 10_000
    let file = try StorageFile(kernel, path: "/f", flags: O_RDWR | O_CREAT)
    let buffer = ByteBuffer(count: 8192)
    try file.write(buffer, 0..<8192, at: 0)
    let error = #expect(throws: SystemError.self) { try file.write(buffer, 0..<8192, at: 8192) }
    #expect(error?.call == .write && error?.code == EFBIG)
    #expect(try file.status().byteCount == 10_000)
    #expect(throws: SystemError.self) { try file.allocate(0..<65536) }
  }

  @Test func aFullDiskIsAnError() throws {
    let kernel = CrashKernel()
    kernel.byteBudget = 10_000
    let file = try StorageFile(kernel, path: "/f", flags: O_RDWR | O_CREAT)
    let buffer = ByteBuffer(count: 8192)
    #expect(throws: SystemError.self) { try file.allocate(0..<10_001) }
    try file.allocate(0..<10_000)
    try file.write(buffer, 0..<8192, at: 1808)
    let error = #expect(throws: SystemError.self) { try file.write(buffer, 0..<8192, at: 1809) }
    #expect(error?.call == .write && error?.code == ENOSPC)
    // Where an overwrite allocates again, a full disk refuses that too.
    kernel.settings.fileSystemKind = .mayAllocateAgain
    #expect(throws: SystemError.self) { try file.write(buffer, 0..<8, at: 0) }
    kernel.byteBudget = nil
    try file.write(buffer, 0..<8, at: 0)
  }
}
