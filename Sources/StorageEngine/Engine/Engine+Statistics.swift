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
    let pins = try pins(beside: snapshot) { pin, _ in
      // This call's own is no news.
      !pin.isSelf || pin.version != snapshot.version || state.withLock { $0.pins[snapshot.version]?.count != 1 }
    }
    return EngineStatistics(
      fileByteCount: status.byteCount, pageCount: UInt64(snapshot.meta.pageCount), freePageCount: snapshot.meta.free.count,
      cacheByteCount: snapshot.pages.cache?.byteCount ?? 0, pins: pins)
  }

  /// Bytes of the file, and those of the newest version. - Complexity: O(1).
  package func sizes() throws(EngineError) -> (total: UInt64, used: UInt64) {
    let snapshot = try snapshot()
    let status = try naming(path) { () throws(SystemError) in try snapshot.pages.file.status() }
    return (status.byteCount, (UInt64(snapshot.meta.pageCount) - snapshot.meta.free.count) * UInt64(pageByteCount))
  }

  /// Versions before the newest that readers have held for so long.
  ///
  /// - Complexity: O(slots); O(free pages) for each that there is.
  package func pins(heldFor ageMin: Duration) throws(EngineError) -> [EnginePin] {
    let snapshot = try snapshot()
    return try pins(beside: snapshot) { pin, age in pin.version != snapshot.version && age >= ageMin }
  }

  private func pins(
    beside snapshot: Snapshot, where isWanted: (LockFile.Pin, Duration) -> Bool
  ) throws(EngineError) -> [EnginePin] {
    let found = try naming(path) { () throws(SystemError) in try lockFile.pinned(reclaimingDead: false) }
    let now = system.monotonicNanoseconds()
    var pins: [EnginePin] = []
    for pin in found {
      let age = Duration.nanoseconds(Int64(clamping: now > pin.since ? now - pin.since : 0))
      guard isWanted(pin, age) else { continue }
      let held = pin.version == snapshot.version ? 0 : try snapshot.pageCount(heldBy: pin.version)
      pins.append(EnginePin(version: pin.version, processID: Int32(truncatingIfNeeded: pin.process), age: age, heldPageCount: held))
    }
    return pins
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
