import RawMemory
package import StorageIO
import Synchronization

/// What the processes that have a store open tell each other: which version is published, which are pinned by whom, which transaction ids are
/// taken. One of these belongs to one engine.
///
/// Guarantee: a version that ``register(_:)`` returned a slot for is in every list that ``pinned(reclaimingDead:)`` makes afterwards, in any
/// process, until it is unregistered or its process is proven dead. A process that is killed at any instruction blocks nobody.
/// - Concurrency: threads and processes call everything at any time. Nothing waits for another process; opening does, until its deadline,
///   when the file is of another boot.
package final class LockFile: Sendable {
  let system: SystemCalls
  let chunks: LockChunks
  let owner: LockOwner
  private let forkMark = ForkMark.current
  /// Slots of this handle in which no version is.
  let idle = Mutex<[Slot.Place]>([])

  init(_ system: SystemCalls, _ chunks: LockChunks, _ owner: LockOwner) {
    self.system = system
    self.chunks = chunks
    self.owner = owner
  }

  /// For a store in memory: one process, and nothing beyond it.
  ///
  /// - Parameter lastTransaction: the number that counts as taken.
  package static func inMemory(lastTransaction: UInt64 = 0) -> LockFile {
    let count = LockLayout.chunkByteCountMin
    let chunk = Mapping.anonymous(count: count)
    chunk.storeSequential(lastTransaction, at: Table.transaction)
    let owner = LockOwner(process: SystemCalls.live.processIdentity(), namespace: 0, startTime: nil, image: 0)
    return LockFile(.live, LockChunks(nil, header: chunk, first: chunk, chunkByteCount: count), owner)
  }

  deinit { if isOwnProcess { for place in idle.withLock({ $0 }) { place.giveBack() } } }

  /// False in a child forked since: its parent's slots aren't its own.
  var isOwnProcess: Bool { ForkMark.isCurrent(forkMark) }

  private typealias Table = LockLayout.Table

  /// The version that readers read and writers build on. Sequentially consistent.
  package var published: UInt64 { chunks.first.loadSequential(at: Table.published) }
  /// By the holder of the data file's lock, once the version is as durable as was asked for.
  package func publish(_ version: UInt64) { chunks.first.storeSequential(version, at: Table.published) }

  /// The newest version that survives a loss of power.
  package var durable: UInt64 { chunks.first.loadSequential(at: Table.durable) }
  /// By the holder of the data file's lock.
  package func setDurable(_ version: UInt64) { chunks.first.storeSequential(version, at: Table.durable) }

  /// A number above all that were taken, never given out again. - Complexity: O(1), no system call.
  package func takeTransactionID() -> UInt64 {
    while true {
      let last = chunks.first.loadSequential(at: Table.transaction)
      if chunks.first.compareExchange(expected: last, desired: last &+ 1, at: Table.transaction) { return last &+ 1 }
    }
  }

  /// The number that was taken last, by anybody.
  package var lastTransactionID: UInt64 { chunks.first.loadSequential(at: Table.transaction) }

  /// Where a data file turns up that this table doesn't know (a copy put back): from here on ids are 2^32 above what that shows, as in a new
  /// table. What was taken before stays taken.
  package func raiseTransactionIDs(above newestSeen: UInt64) {
    while true {
      let last = chunks.first.loadSequential(at: Table.transaction)
      let floor = newestSeen &+ 1 << 32
      if last >= floor || chunks.first.compareExchange(expected: last, desired: floor, at: Table.transaction) { return }
    }
  }

  /// How often the data file was swapped.
  package var generation: UInt64 { chunks.first.loadSequential(at: Table.generation) }
  /// By the holder of the data file's lock, after the swap.
  package func advanceGeneration() { chunks.first.storeSequential(generation &+ 1, at: Table.generation) }

  /// Before the data file is swapped for another: from now on the table is that one's too, so that a death in the middle changes nothing.
  package func announce(successor fileID: UInt64) { chunks.first.storeSequential(fileID, at: Table.successorID) }
  /// After the swap: the table is the successor's alone.
  package func confirmSuccessor() {
    let successor = chunks.first.loadSequential(at: Table.successorID)
    if successor != 0 { chunks.first.storeSequential(successor, at: Table.fileID) }
    chunks.first.storeSequential(0, at: Table.successorID)
  }

  /// Words that processes share for other ends, 0 at first. - Parameter index: `0..<4`.
  package func extraWord(_ index: Int) -> UInt64 { chunks.first.loadSequential(at: Self.extraOffset(index)) }
  package func setExtraWord(_ index: Int, _ value: UInt64) {
    chunks.first.storeSequential(value, at: Self.extraOffset(index))
  }
  /// - Returns: false when another value than `expected` was there, and nothing is changed.
  package func exchangeExtraWord(_ index: Int, expected: UInt64, desired: UInt64) -> Bool {
    chunks.first.compareExchange(expected: expected, desired: desired, at: Self.extraOffset(index))
  }
  private static func extraOffset(_ index: Int) -> Int {
    precondition(index >= 0 && index < Table.extraCount, "no such word")
    return Table.extra + index * Table.extraStride
  }

  /// Wakes who watches the lock file or its directory.
  package func ring() throws(SystemError) {
    try chunks.file?.write(ByteBuffer(count: 8), 0..<8, at: UInt64(LockLayout.Header.bell))
  }

  /// Whether the path still leads to this file, and the file to this table. Who finds that it doesn't opens it anew.
  ///
  /// - Complexity: one system call, two the first time.
  package func isCurrent() throws(SystemError) -> Bool {
    guard let file = chunks.file else { return true }
    guard try file.isNamed(by: file.path) else { return false }
    return chunks.header.loadSequential(at: LockLayout.Header.table) == chunks.first.fileOffset
  }
}
