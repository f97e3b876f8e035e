import CSystem
import Foundation
import RawMemory
import Synchronization
import TestSupport
import Testing

@testable import StorageIO

/// Deadlines by the virtual clock, so that they are exact.
@Suite struct LockTests {
  private let kernel = CrashKernel()

  private func pair() throws -> (StorageFile, StorageFile) {
    kernel.put("/d/f", [1])
    return (
      try StorageFile(kernel, path: "/d/f", flags: O_RDWR, isLockable: true),
      try StorageFile(kernel.process(), path: "/d/f", flags: O_RDWR, isLockable: true)
    )
  }

  @Test(arguments: [0, -1, -1_000_000_000_000] as [Int64])
  func noTimeIsOneTry(nanoseconds: Int64) throws {
    let (holder, waiter) = try pair()
    #expect(try holder.tryLock())
    let start = kernel.monotonicNanoseconds()
    #expect(try !waiter.lock(until: Deadline(after: .nanoseconds(nanoseconds), kernel)))
    #expect(kernel.monotonicNanoseconds() == start)
    #expect(kernel.callCount(.lock) == 2)
    holder.unlock()
    #expect(try waiter.lock(until: Deadline(after: .nanoseconds(nanoseconds), kernel)))
  }

  @Test(arguments: [1, 5_000, 1_000_000, 250_000_000] as [Int64])
  func aWaiterGivesUpAtItsDeadline(nanoseconds: Int64) throws {
    let (holder, waiter) = try pair()
    #expect(try holder.tryLock())
    let start = kernel.monotonicNanoseconds()
    #expect(try !waiter.lock(until: Deadline(after: .nanoseconds(nanoseconds), kernel)))
    let waited = kernel.monotonicNanoseconds() - start
    #expect(waited >= UInt64(nanoseconds) && waited <= UInt64(nanoseconds) + 1_000_000)
  }

  @Test func pollingSlowsDownToAMillisecond() throws {
    let (holder, waiter) = try pair()
    #expect(try holder.tryLock())
    _ = try waiter.lock(until: Deadline(after: .seconds(1), kernel))
    // 5, 10, … 640 us, then about 1,000 times 1 ms.
    #expect((1000...1015).contains(kernel.callCount(.lock)))
  }

  @Test func unlockingAndClosingLetGo() throws {
    let (holder, waiter) = try pair()
    #expect(try holder.tryLock())
    #expect(try !waiter.tryLock())
    holder.unlock()
    #expect(try waiter.tryLock())
    waiter.unlock()
    do { #expect(try StorageFile(kernel, path: "/d/f", flags: O_RDWR).tryLock()) }
    #expect(!kernel.isLocked("/d/f"))
  }

  @Test func deadlinesOfAnyLength() {
    let now = kernel.monotonicNanoseconds()
    #expect(Deadline(after: .zero, kernel).nanoseconds == now)
    #expect(Deadline(after: .seconds(-5), kernel).nanoseconds == now)
    #expect(Deadline(after: .milliseconds(1), kernel).nanoseconds == now + 1_000_000)
    #expect(Deadline(after: .seconds(Int64.max), kernel).nanoseconds == .max)
    #expect(!Deadline.never.hasPassed(kernel))
    #expect(Deadline(nanoseconds: now).hasPassed(kernel))
  }

  @Test func handleLockHonoursItsDeadline() {
    let lock = HandleLock()
    #expect(lock.acquire(until: Deadline(after: .zero, kernel), kernel))
    #expect(!lock.tryAcquire())
    for duration in [Duration.zero, .seconds(-1), .milliseconds(20)] {
      let start = kernel.monotonicNanoseconds()
      #expect(!lock.acquire(until: Deadline(after: duration, kernel), kernel))
      let waited = Duration.nanoseconds(Int64(kernel.monotonicNanoseconds() - start))
      #expect(waited >= max(duration, .zero) && waited <= max(duration, .zero) + .milliseconds(1))
    }
    lock.release()
    #expect(lock.acquire(until: Deadline(after: .seconds(-1), kernel), kernel))
  }

  @Test func handleLockTellsEightThreadsApart() {
    let shared = Contention()
    let group = DispatchGroup()
    // Threads of their own: a queue would run no more of them than there are processors.
    for _ in 0..<8 {
      group.enter()
      Thread {
        shared.contend()
        group.leave()
      }.start()
    }
    group.wait()
    let acquisitions = shared.acquisitions.load(ordering: .relaxed)
    #expect(shared.sum.load(ordering: .relaxed) == acquisitions)
    #expect(acquisitions >= 8 * 1000)
  }
}

private final class Contention: Sendable {
  private let lock = HandleLock()
  private let ready = Atomic<Int>(0)
  /// Not added to in one step: lost additions show two holders at a time.
  let sum = Atomic<Int>(0)
  let acquisitions = Atomic<Int>(0)

  func contend() {
    ready.add(1, ordering: .sequentiallyConsistent)
    while ready.load(ordering: .sequentiallyConsistent) < 8 { sched_yield() }
    var own = 0
    for attempt in 0..<100_000 {
      // Mostly without a pause between tries, when a collision is likely; waiting is tried too.
      let isMine = attempt % 100 == 0 ? lock.acquire(until: .never, .live) : lock.tryAcquire()
      guard isMine else { continue }
      sum.store(sum.load(ordering: .relaxed) + 1, ordering: .relaxed)
      lock.release()
      own += 1
    }
    acquisitions.add(own, ordering: .relaxed)
  }
}
