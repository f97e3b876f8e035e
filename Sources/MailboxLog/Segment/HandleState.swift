import RawMemory
import Synchronization

/// What every call of a handle asks first.
final class HandleState: Sendable {
  private enum Phase { static let usable: UInt8 = 0, suspended: UInt8 = 1, closed: UInt8 = 2 }
  private let phase = Atomic<UInt8>(Phase.usable)
  private let hasFailed = Atomic<Bool>(false)
  private let forkMark = ForkMark.Kept()

  /// - Throws: `forkedHandle`, `closed`, `suspended`.
  @inline(__always) func check() throws(LogError) {
    if forkMark.isCurrent, isUsable { return }
    try refuse()
  }
  private func refuse() throws(LogError) {
    guard forkMark.isCurrent else { throw .forkedHandle }
    switch phase.load(ordering: .acquiring) {
    case Phase.usable: return
    case Phase.suspended: throw .suspended
    default: throw .closed
    }
  }

  /// - Throws: as `check`, and `failedEarlier`.
  func checkWritable() throws(LogError) {
    try check()
    if hasFailed.load(ordering: .acquiring) { throw .failedEarlier }
  }

  @inline(__always) var isUsable: Bool { phase.load(ordering: .acquiring) == Phase.usable }
  var isClosed: Bool { phase.load(ordering: .acquiring) == Phase.closed }
  var isForked: Bool { !forkMark.isCurrent }

  /// A sync failed: what this handle wrote may not be durable, and it writes no more.
  func fail() { hasFailed.store(true, ordering: .releasing) }

  func suspend() {
    _ = phase.compareExchange(expected: Phase.usable, desired: Phase.suspended, ordering: .acquiringAndReleasing)
  }
  func resume() throws(LogError) {
    guard forkMark.isCurrent else { throw .forkedHandle }
    _ = phase.compareExchange(expected: Phase.suspended, desired: Phase.usable, ordering: .acquiringAndReleasing)
    if isClosed { throw .closed }
  }
  func close() { phase.store(Phase.closed, ordering: .releasing) }
}
