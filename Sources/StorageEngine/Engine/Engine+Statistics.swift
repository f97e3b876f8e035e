import RawMemory
import StorageIO
import Synchronization

/// A version that a reader holds.
package struct EnginePin: Sendable {
  package let version: TransactionID
  package let processID: Int32
  package let age: Duration
  /// Pages that can't be used again because of it.
  package let heldPageCount: UInt64
}

/// What a store takes, at one moment.
package struct EngineStatistics: Sendable {
  package let fileByteCount: UInt64
  package let pageCount: UInt64
  package let freePageCount: UInt64
  package let cacheByteCount: Int
  package let pins: [EnginePin]
}

extension Engine {
  /// - Complexity: O(free pages) where versions are pinned, else O(1).
  package func statistics() throws(EngineError) -> EngineStatistics {
    let snapshot = try snapshot()
    let status = try naming(path) { () throws(SystemError) in try snapshot.pages.file.status() }
    let found = try naming(path) { () throws(SystemError) in try lockFile.pinned(reclaimingDead: false) }
    let now = system.monotonicNanoseconds()
    var pins: [EnginePin] = []
    for pin in found {
      // This call's own is no news.
      let isOwn = pin.isSelf && pin.version == snapshot.version && state.withLock { $0.pins[snapshot.version]?.count == 1 }
      if isOwn { continue }
      let age = Duration.nanoseconds(Int64(clamping: now > pin.since ? now - pin.since : 0))
      let held = pin.version == snapshot.version ? 0 : try snapshot.pageCount(heldBy: pin.version)
      pins.append(EnginePin(version: pin.version, processID: Int32(truncatingIfNeeded: pin.process), age: age, heldPageCount: held))
    }
    return EngineStatistics(
      fileByteCount: status.byteCount, pageCount: UInt64(snapshot.meta.pageCount), freePageCount: snapshot.meta.free.count,
      cacheByteCount: snapshot.pages.cache?.byteCount ?? 0, pins: pins)
  }
}

extension Snapshot {
  /// Free pages that a version still shows.
  func pageCount(heldBy version: TransactionID) throws(EngineError) -> UInt64 {
    var count: UInt64 = 0
    // What was dropped up to the version isn't held by it.
    let start = FreePage(page: 0, birth: 0, dropped: version + 1).key
    var cursor = freeTree.cursor()
    var isThere = try cursor.seek(to: start.span.raw)
    while isThere {
      let free = try FreePage(cursor.key, try cursor.withValue { value throws(EngineError) in value.copied() })
      if free.birth <= version { count += 1 }
      isThere = try cursor.next()
    }
    return count
  }
}
