import RawMemory
import TestSupport

@testable import StorageEngine
@testable import StorageIO

/// A lock file on a test kernel, and processes that open it.
struct LockBench {
  static let path = "/d/a.store.lock"
  static let chunk = LockLayout.chunkByteCountMin
  static let slotsAChunk = LockLayout.slotCount(chunkByteCount: chunk)
  let kernel: CrashKernel

  init(_ kernel: CrashKernel = CrashKernel()) {
    self.kernel = kernel
    kernel.putDirectory("/d")
  }

  typealias Version = (published: UInt64, durable: UInt64, newestSeen: UInt64)

  func open(
    _ system: SystemCalls? = nil, fileID: UInt64 = 7, mode: UInt32 = 0o600, at version: Version = (10, 9, 12),
    timeout: Duration = .seconds(5), newest: () -> Void = {}
  ) throws(EngineError) -> LockFile {
    let system = system ?? kernel
    return try LockFile.open(
      system, path: Self.path, fileID: fileID, mode: mode, deadline: Deadline(after: timeout, system)
    ) { () throws(EngineError) in
      newest()
      return version
    }
  }

  /// A word of the file as it is now.
  func word(_ offset: Int) -> UInt64 {
    let bytes = kernel.contents(Self.path)!
    return (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }
  func slot(_ index: Int, _ word: Int) -> UInt64 {
    self.word(LockLayout.Chunk.slots + index * LockLayout.Slot.byteCount + word)
  }
  func setWord(_ offset: Int, _ value: UInt64) {
    kernel.alter(Self.path) { bytes in
      for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
    }
  }
  /// Slots that belong to somebody.
  var takenCount: Int {
    (0..<Self.slotsAChunk).count { slot($0, LockLayout.Slot.owner) != 0 }
  }
}

extension LockFile {
  /// Pins a version that isn't published any more.
  func pinOld() throws -> Slot {
    let slot = try registerPublished()
    publish(takeTransactionID())
    return slot
  }
}

func versions(_ file: LockFile, reclaiming: Bool = true) throws -> [UInt64] {
  try file.pinned(reclaimingDead: reclaiming).map(\.version).sorted()
}
