/// A moment of the monotonic clock after which a call gives up.
package struct Deadline: Sendable {
  package let nanoseconds: UInt64
  package static let never = Deadline(nanoseconds: .max)
  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// - Parameter duration: from now; a negative one is now.
  package init(after duration: Duration, _ system: SystemCalls) {
    let (seconds, attoseconds) = duration.components
    if seconds < 0 || attoseconds < 0 {
      nanoseconds = system.monotonicNanoseconds()
    } else if seconds > 1_000_000_000 {
      nanoseconds = .max
    } else {
      nanoseconds = system.monotonicNanoseconds() + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
  }

  package func hasPassed(_ system: SystemCalls) -> Bool {
    nanoseconds != .max && system.monotonicNanoseconds() >= nanoseconds
  }
}

/// How a waiter polls: from 5 us, doubling up to 1 ms.
struct PollingPause {
  private var nanoseconds: UInt64 = 5_000

  /// Sleeps once. - Returns: false, at once, when the deadline has passed.
  mutating func wait(until deadline: Deadline, _ system: SystemCalls) -> Bool {
    if deadline.hasPassed(system) { return false }
    system.sleep(nanoseconds: nanoseconds)
    nanoseconds = min(nanoseconds * 2, 1_000_000)
    return true
  }
}
