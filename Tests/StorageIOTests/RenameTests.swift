import CSystem
import RawMemory
import TestSupport
import Testing

@testable import StorageIO

/// Files that change their name or their length: on a real kernel and on the test kernel, which loses what wasn't synced.
@Suite struct RenameTests {
  private let kernel = CrashKernel()

  private var directory: StorageDirectory {
    StorageDirectory(kernel, path: "/d", fileMode: 0o600, directoryMode: 0o700, forcesModes: false)
  }

  @Test func eitherNameMayWinUntilTheDirectoryIsSynced() throws {
    kernel.put("/d/old", [1])
    kernel.put("/d/new", [2])
    try directory.rename(from: "old", to: "new")
    #expect(kernel.names("/d") == ["new"] && kernel.contents("/d/new") == [1])
    let before = kernel.crashImage(.nothing)
    #expect(before.contents("/d/old") == [1] && before.contents("/d/new") == [2])
    var outcomes: Set<[UInt8]> = []
    for seed in UInt64(0)..<20 {
      let image = kernel.crashImage(.random(seed: seed))
      let contents = try #require(image.contents("/d/new"))
      // Both halves of a rename, or none.
      #expect(image.exists("/d/old") == (contents == [2]))
      outcomes.insert(contents)
    }
    #expect(outcomes == [[1], [2]])
    try directory.synchronize()
    let after = kernel.crashImage(.nothing)
    #expect(after.names("/d") == ["new"] && after.contents("/d/new") == [1])
  }

  @Test func aRenamedFileIsAsDurableAsItsBytes() throws {
    kernel.put("/d/a", [])
    let file = try StorageFile(kernel, path: "/d/a", flags: O_RDWR)
    let bytes = ByteBuffer(count: 1)
    bytes.store(UInt8(7), at: 0)
    try file.write(bytes, 0..<1, at: 0)
    try directory.rename(from: "a", to: "b")
    try directory.synchronize()
    #expect(kernel.crashImage(.nothing).contents("/d/b") == [])
    try file.synchronizeData()
    #expect(kernel.crashImage(.nothing).contents("/d/b") == [7])
  }

  @Test func namesMoveBetweenDirectories() throws {
    kernel.put("/d/a", [1])
    kernel.putDirectory("/e")
    #expect(kernel.rename("/d/a", to: "/e/b") == 0)
    #expect(kernel.names("/d") == [] && kernel.contents("/e/b") == [1])
    #expect(kernel.crashImage(.nothing).contents("/d/a") == [1])
    try StorageDirectory.synchronize(kernel, "/e")
    let between = kernel.crashImage(.nothing)
    #expect(between.contents("/d/a") == [1] && between.contents("/e/b") == [1])
  }

  @Test func errorsAreARealKernels() throws {
    let place = TemporaryDirectory()
    kernel.putDirectory(place.path)
    for (system, put) in [(SystemCalls.live, place.write), (kernel, { kernel.put(place.path(of: $1), $0) })] {
      let path = { place.path(of: $0) }
      put([1], "a")
      put([2], "b")
      #expect(system.link(path("a"), to: path("same")) == 0)
      for name in ["empty", "full", "full/inner"] { #expect(system.makeDirectory(path(name), mode: 0o700) == 0) }
      #expect(system.rename(path("none"), to: path("a")) == -Int(ENOENT))
      #expect(system.rename(path("a"), to: path("none/a")) == -Int(ENOENT))
      #expect(system.rename(path("a"), to: path("empty")) == -Int(EISDIR))
      #expect(system.rename(path("empty"), to: path("a")) == -Int(ENOTDIR))
      #expect(system.rename(path("empty"), to: path("full")) == -Int(ENOTEMPTY))
      #expect(system.rename(path("full"), to: path("full/inner/x")) == -Int(EINVAL))
      #expect(system.rename(path("a"), to: path("same")) == 0)
      var status: FileStatus?
      #expect(system.status(path: path("a"), &status) == 0 && status?.linkCount == 2)
      #expect(system.rename(path("full"), to: path("empty")) == 0)
      #expect(system.status(path: path("empty/inner"), &status) == 0 && status?.kind == .directory)
      #expect(system.rename(path("b"), to: path("a")) == 0)
      #expect(system.status(path: path("same"), &status) == 0 && status?.linkCount == 1)
    }
  }

  @Test func aCutIsWrittenAtOnceAndDurableAfterASync() throws {
    kernel.put("/d/f", [1, 2, 3])
    let file = try StorageFile(kernel, path: "/d/f", flags: O_RDWR)
    try file.truncate(to: 1)
    #expect(kernel.contents("/d/f") == [1])
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [1, 2, 3])
    #expect(kernel.crashImage(.everything).contents("/d/f") == [1])
    try file.synchronizeData()
    #expect(kernel.crashImage(.nothing).contents("/d/f") == [1])
    // What was cut off doesn't come back.
    try file.truncate(to: 4)
    #expect(kernel.contents("/d/f") == [1, 0, 0, 0])
    kernel.fileByteCountMax = 8
    #expect(kernel.truncate(file.descriptor, byteCount: 9) == -Int(EFBIG))
    kernel.byteBudget = 6
    #expect(kernel.truncate(file.descriptor, byteCount: 7) == -Int(ENOSPC))
    let reader = try StorageFile(kernel, path: "/d/f", flags: O_RDONLY)
    #expect(kernel.truncate(reader.descriptor, byteCount: 0) == -Int(EINVAL))
  }

  @Test func aRealFileIsCut() throws {
    let place = TemporaryDirectory()
    place.write([1, 2, 3], to: "f")
    let file = try StorageFile(.live, path: place.path(of: "f"), flags: O_RDWR)
    try file.truncate(to: 2)
    #expect(place.contents("f") == [1, 2])
    try file.truncate(to: 4)
    #expect(place.contents("f") == [1, 2, 0, 0])
  }

  @Test func aMemoryFileIsReadWrittenMappedAndGone() throws {
    for system in [SystemCalls.live, kernel] {
      let file = try StorageFile(inMemory: system)
      try file.truncate(to: 8192)
      let mapping = try file.map(offset: 4096, count: 4096, writable: true)
      mapping.storeRelease(0x0708, at: 8)
      let buffer = ByteBuffer(count: 8)
      #expect(try file.read(buffer, 0..<8, at: 4104) == 8)
      #expect(buffer.load(UInt64.self, at: 0) == 0x0708)
      try file.synchronizeData()
    }
    #expect(kernel.usedByteCount == 0 && kernel.crashImage(.everything).usedByteCount == 0)
  }
}
