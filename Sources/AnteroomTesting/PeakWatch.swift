import Foundation
import Synchronization

/// A thread that looks at the process's memory until it is stopped: where the kernel's peak can't begin anew.
final class PeakWatch: Sendable {
  private let peak = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)
  private let end = DispatchSemaphore(value: 0)
  private static let interval = 0.0001

  init() {
    Thread.detachNewThread { [self] in
      while !isStopped.load(ordering: .relaxed) {
        if let now = try? ProcessMemory.read() { peak.max(now.resident, ordering: .relaxed) }
        Thread.sleep(forTimeInterval: Self.interval)
      }
      end.signal()
    }
  }

  /// - Returns: the most that was seen.
  func stop() -> Int {
    isStopped.store(true, ordering: .relaxed)
    end.wait()
    return peak.load(ordering: .relaxed)
  }
}
