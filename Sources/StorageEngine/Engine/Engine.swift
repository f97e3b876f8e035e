import RawMemory
import Sealing
import StorageIO
package import Synchronization

/// A store of ordered bytes in one file: named trees, one writer, any number of readers, in any number of processes.
///
/// One object serves a file in a process; use `Engine.open`. Snapshots and transactions keep it alive.
///
/// - `state` guards what readers share: the pinned versions and the newest meta page read.
/// - `writerLock`, then the file's lock, guard what writers use: buffers, hints, the end of the file.
package final class Engine: @unchecked Sendable {
  package let path: String
  package let options: EngineOptions
  let system: SystemCalls
  let header: FileHeader
  let cipher: PageCipher?
  let sealer: PageSealer?
  let lockFile: LockFile
  let bootIdentity: UInt64
  /// Opening found the newest commit incomplete and took the one before.
  package let didDropLastCommit: Bool
  /// Which that is.
  package let droppedVersion: TransactionID?
  package let wasCreated: Bool
  package let isInMemory: Bool
  private let forkMark = ForkMark.current

  struct Pin {
    var slot: LockFile.Slot?
    var count: Int
  }
  struct State {
    var pages: PageFile
    var newest: MetaPage { didSet { trees = KnownTrees() } }
    /// Of the newest version: what one snapshot looked up in the catalogue the next needn't.
    var trees = KnownTrees()
    /// Versions in the three meta pages, as far as they can be read; for choosing the next one to write.
    var slotVersions: [TransactionID?]
    var pins: [TransactionID: Pin] = [:]
    var generation: UInt64 = 0
  }
  let state: Mutex<State>

  // For writers.
  let writerLock = HandleLock()
  let buffers: BufferPool
  let output: ByteBuffer
  let metaBuffer = ByteBuffer(count: PageGeometry.metaStride)
  var allocatedByteCount: UInt64 = 0
  private var hint: (start: [UInt8], live: [TransactionID]) = ([], [])
  private let hasFailed = Atomic<Bool>(false)
  private let suspension = Atomic<Bool>(false)

  init(_ opening: EngineOpening) {
    path = opening.path
    options = opening.options
    system = opening.system
    header = opening.header
    cipher = opening.cipher
    sealer = opening.sealer
    lockFile = opening.lockFile
    bootIdentity = opening.bootIdentity
    didDropLastCommit = opening.didDropLastCommit
    droppedVersion = opening.droppedVersion
    wasCreated = opening.wasCreated
    isInMemory = opening.pages.file.isInMemory
    buffers = BufferPool(byteCount: opening.header.pageByteCount, wipes: opening.header.isSealed)
    output = ByteBuffer(count: max(65_536, opening.header.pageByteCount))
    state = Mutex(
      State(pages: opening.pages, newest: opening.newest, slotVersions: opening.slotVersions, generation: opening.generation))
  }

  /// Stores of this process that have the engine open; what only holds a snapshot of it isn't counted.
  package let storeCount = Atomic<Int>(0)
  private let hasUser = Atomic<Bool>(false)
  /// True the first time: who opens an engine that somebody has open already joins it.
  package func claimFirstUse() -> Bool { !hasUser.exchange(true, ordering: .relaxed) }

  package var isReadOnly: Bool { options.isReadOnly || options.isInspecting }
  package var isSealed: Bool { header.isSealed }
  package var pageByteCount: Int { header.pageByteCount }
  /// The longest key that a tree takes.
  package var keyByteCountMax: Int { header.geometry.keyByteCountMax }
  package var fileID: [UInt8] { header.fileID }
  var isSuspended: Bool { suspension.load(ordering: .relaxed) }
  var dirtyPageCountMax: Int { max(options.dirtyPageByteCountMax / header.pageByteCount, 32) }

  /// False in a child forked since the engine was opened.
  var isOwnProcess: Bool { ForkMark.isCurrent(forkMark) }
  func checkProcess() throws(EngineError) {
    if !isOwnProcess { throw .forkedHandle }
  }

  // MARK: Reading

  /// The newest committed version, for as long as it is held.
  ///
  /// - Complexity: O(1); no system call unless another process has committed since.
  package func snapshot() throws(EngineError) -> Snapshot {
    try checkProcess()
    if let snapshot = try pin(whereSwapped: false) { return snapshot }
    while true {
      try checkGeneration()
      if let snapshot = try pin(whereSwapped: true) { return snapshot }
    }
  }

  /// - Parameter whereSwapped: whether a swap under way has been looked into; otherwise nil is returned where there is one.
  private func pin(whereSwapped: Bool) throws(EngineError) -> Snapshot? {
    let pinned: (meta: MetaPage, pages: PageFile, trees: KnownTrees)? = try state.withLock { state throws(EngineError) in
      if !whereSwapped, !isCurrent(state.generation) { return nil }
      return try pin(&state) ? (state.newest, state.pages, state.trees) : nil
    }
    return pinned.map { Snapshot(self, $0.meta, $0.pages, $0.trees) }
  }

  /// - Returns: false when a compaction has swapped the file.
  private func pin(_ state: inout sending State) throws(EngineError) -> Bool {
    // Ends: each round means that somebody committed meanwhile.
    while true {
      let version = lockFile.published
      if state.newest.id != version || options.isInspecting {
        guard try refresh(&state, version) else {
          if isCurrent(state.generation) { continue }
          return false
        }
      }
      let id = state.newest.id
      if let place = state.pins.index(forKey: id) {
        state.pins.values[place].count += 1
        return true
      }
      if options.isInspecting {
        state.pins[id] = Pin(slot: nil, count: 1)
        return true
      }
      let slot = try naming(path) { () throws(SystemError) in try lockFile.register(version) }
      if let slot {
        state.pins[id] = Pin(slot: slot, count: 1)
        return true
      }
    }
  }

  func unpin(_ version: TransactionID) {
    state.withLock { state in
      guard let place = state.pins.index(forKey: version) else { return }
      state.pins.values[place].count -= 1
      if state.pins.values[place].count > 0 { return }
      let slot = state.pins.remove(at: place).value.slot
      if let slot, isOwnProcess { lockFile.unregister(slot) }
    }
  }

  func page(_ number: PageNumber, birth: TransactionID, of pages: PageFile) throws(EngineError) -> ByteView {
    try pages.checkReadable(number, 1)
    return try pages.page(number, birth: birth)
  }

  // MARK: For writers

  func scanHint(_ live: [TransactionID]) -> [UInt8] {
    // What was pinned then is pinned now if everybody who pinned it is still there.
    let isPinned = Set(live).isSuperset(of: hint.live)
    return isPinned ? hint.start : []
  }
  func remember(_ hint: (start: [UInt8], live: [TransactionID])) { self.hint = hint }

  var fileByteCountMax: UInt64 { options.fileByteCountMax ?? UInt64(PageNumber.max) * UInt64(header.pageByteCount) }

  /// A small delete must fit when nothing else does.
  static let reservePageCount: UInt64 = 64

  func pageCountMax(usingReserve: Bool) -> UInt64 {
    let all = min(fileByteCountMax / UInt64(header.pageByteCount), UInt64(PageNumber.max))
    return usingReserve || all < 4 * Self.reservePageCount ? all : all - Self.reservePageCount
  }

  func markFailed() { hasFailed.store(true, ordering: .relaxed) }
  var isPoisoned: Bool { hasFailed.load(ordering: .relaxed) }

  // MARK: Suspending

  /// Refuses writes, and waits up to 100 ms for the one under way to roll back. Versions that are held can be read.
  package func suspend() {
    suspension.store(true, ordering: .sequentiallyConsistent)
    if writerLock.acquire(until: Deadline(after: .milliseconds(100), system), system) { writerLock.release() }
  }
  package func resume() { suspension.store(false, ordering: .sequentiallyConsistent) }
}
