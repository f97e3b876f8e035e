import StorageEngine
import StorageIO
import Synchronization

/// Notices what slows writers down or makes the file grow, and tells the log handler.
package final class StoreWatch: Sendable {
  /// When something is worth telling.
  package struct Limits: Sendable {
    /// Of waiting for the lock; a tenth of a second is longer than a commit of usual size takes.
    package var lockWait = Duration.milliseconds(100)
    package var pinAge = Duration.seconds(60)
    package var pinByteCount: UInt64 = 1 << 20
    /// Between two looks at the pinned versions.
    package var pinInterval = Duration.seconds(60)

    package init() {}
  }
  private struct Reader: Hashable {
    let process: Int32
    let version: UInt64
  }
  private let limits: Limits
  private let handler: @Sendable (StorageEvent) -> Void
  /// Only those that are still there: the set can't grow.
  private let told = Mutex<Set<Reader>>([])
  private let nextLook: Atomic<UInt64>

  init(_ limits: Limits, _ handler: @escaping @Sendable (StorageEvent) -> Void) {
    self.limits = limits
    self.handler = handler
    nextLook = Atomic(SystemCalls.live.monotonicNanoseconds() + Self.nanoseconds(limits.pinInterval))
  }

  private static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    return UInt64(clamping: seconds) * 1_000_000_000 + UInt64(clamping: attoseconds / 1_000_000_000)
  }

  /// The lock was asked for then, and is there now, or was given up.
  func lockWasWaitedFor(since start: UInt64) {
    let now = SystemCalls.live.monotonicNanoseconds()
    let waited = Duration.nanoseconds(Int64(clamping: now > start ? now - start : 0))
    guard waited >= limits.lockWait else { return }
    handler(StorageEvent(kind: .lockWaited, message: "a write waited \(waited) for another writer"))
  }

  /// Something was committed: from now on a reader of an older version may keep pages from being used again.
  func didCommit(_ engine: Engine) {
    let now = SystemCalls.live.monotonicNanoseconds()
    let due = nextLook.load(ordering: .relaxed)
    let next = now + Self.nanoseconds(limits.pinInterval)
    guard now >= due, nextLook.compareExchange(expected: due, desired: next, ordering: .relaxed).exchanged else { return }
    // What can't be read now is the next reader's error.
    guard let pins = try? engine.pins(heldFor: limits.pinAge) else { return }
    let large = pins.filter { $0.heldPageCount * UInt64(engine.pageByteCount) >= limits.pinByteCount }
    let readers = Set(large.map { Reader(process: $0.processID, version: $0.version) })
    let known = told.withLock { told in
      defer { told = readers }
      return told
    }
    for pin in large where !known.contains(Reader(process: pin.processID, version: pin.version)) {
      let bytes = pin.heldPageCount * UInt64(engine.pageByteCount)
      let message = "process \(pin.processID) has held version \(pin.version) for \(pin.age); \(bytes) bytes can't be used again"
      handler(StorageEvent(kind: .longPinnedVersion, message: message))
    }
  }
}
