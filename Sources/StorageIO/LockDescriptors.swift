import CSystem
import RawMemory
import Synchronization

/// The open lock descriptors of this process, so that a forked child closes its copies.
///
/// `flock` belongs to the open file, which parent and child share: a child that kept its copy would hold the parent's lock after
/// the parent died, and one that unlocked would take it from the parent. So the child closes and never unlocks. The handler
/// runs between fork and whatever comes next, where only calls that are safe in a signal handler are allowed: it walks a
/// table of atomic words and closes.
package enum LockDescriptors {
  private static let capacity = 512
  private static let table: Mapping = {
    let table = Mapping(of: ByteBuffer(count: capacity * 8), 0..<capacity * 8, fileOffset: 0, observer: nil)
    _ = pthread_atfork(nil, nil, { LockDescriptors.closeAll() })
    return table
  }()
  private static let highWater = Atomic<Int>(0)

  /// - Returns: the slot for `remove`, or nil when all 512 are taken: the descriptor is then only close-on-exec.
  static func insert(_ descriptor: Int32) -> Int? {
    let table = table
    for slot in 0..<capacity where table.loadAcquire(at: slot * 8) == 0 {
      if table.compareExchange(expected: 0, desired: UInt64(descriptor) + 1, at: slot * 8) {
        var high = highWater.load(ordering: .relaxed)
        while high <= slot {
          let result = highWater.compareExchange(expected: high, desired: slot + 1, ordering: .sequentiallyConsistent)
          if result.exchanged { break }
          high = result.original
        }
        return slot
      }
    }
    return nil
  }

  static func remove(_ slot: Int) { table.storeRelease(0, at: slot * 8) }

  private static func closeAll() {
    for slot in 0..<highWater.load(ordering: .acquiring) {
      let entry = table.loadAcquire(at: slot * 8)
      if entry != 0 { _ = close(Int32(entry - 1)) }
      table.storeRelease(0, at: slot * 8)
    }
  }
}
