package import Synchronization

/// The lock of a handle, for its threads, in front of every file lock: `flock` doesn't tell threads of one descriptor apart.
///
/// Without a queue: a waiter polls. Held for one call, so a waiter waits for one append or gives up at its deadline.
package final class HandleLock: Sendable {
  @usableFromInline let isHeld = Atomic<Bool>(false)
  package init() {}

  /// - Returns: whether it was taken before the deadline.
  package func acquire(until deadline: Deadline, _ system: SystemCalls) -> Bool {
    if tryAcquire() { return true }
    var pause = PollingPause()
    while pause.wait(until: deadline, system) { if tryAcquire() { return true } }
    return tryAcquire()
  }

  @inlinable @inline(__always) package func tryAcquire() -> Bool {
    isHeld.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }
  @inlinable @inline(__always) package func release() { isHeld.store(false, ordering: .releasing) }
}
