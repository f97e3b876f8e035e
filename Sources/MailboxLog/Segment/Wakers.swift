import StorageIO

/// Who is told of a close and of a resumption of a handle: whoever listens looks again.
final class Wakers: @unchecked Sendable {
  private struct Waker {
    let number: Int
    let wake: @Sendable () -> Void
  }
  private let handle: HandleState
  private let system: SystemCalls
  private let lock = HandleLock()
  // Guarded by `lock`.
  private var wakers: [Waker] = []
  private var lastNumber = 0

  init(_ handle: HandleState, _ system: SystemCalls) {
    self.handle = handle
    self.system = system
  }

  func add(_ wake: @escaping @Sendable () -> Void) -> Int {
    // In a forked child a thread that isn't there may hold the lock.
    guard !handle.isForked, lock.acquire(until: .never, system) else { return 0 }
    defer { lock.release() }
    lastNumber += 1
    wakers.append(Waker(number: lastNumber, wake: wake))
    return lastNumber
  }
  func remove(_ number: Int) {
    guard !handle.isForked, lock.acquire(until: .never, system) else { return }
    wakers.removeAll { $0.number == number }
    lock.release()
  }
  func wakeAll() {
    if handle.isForked { return }
    guard lock.acquire(until: .never, system) else { return }
    let woken = wakers
    lock.release()
    for waker in woken { waker.wake() }
  }
}
