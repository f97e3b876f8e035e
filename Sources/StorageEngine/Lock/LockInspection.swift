import RawMemory
package import StorageIO

/// What a lock file says, read without a trace: no mapping, no lock, nothing created or reclaimed.
package struct LockInspection: Sendable {
  /// A slot that is taken: a process that has the store open.
  package struct Holder: Sendable {
    package enum State: String, Sendable {
      case alive, dead
      /// Of another PID namespace, or one that the system doesn't tell about.
      case unknown
    }
    package let process: Int32
    /// What it reads; nil for a slot that is kept for the next read.
    package let version: UInt64?
    /// Since when it reads that, in nanoseconds of the monotonic clock.
    package let since: UInt64
    package let state: State
  }
  /// The version that readers read.
  package let published: UInt64
  /// The newest version that survives a loss of power.
  package let durable: UInt64
  package let holders: [Holder]

  /// Reads the table of one data file.
  ///
  /// - Parameters:
  ///   - system: the kernel to ask.
  ///   - path: of the lock file.
  ///   - fileID: the data file's.
  /// - Returns: nil when there is no lock file, when it is of an earlier boot, or when it is about another data file: nobody has the store
  ///   open then who follows the rules.
  /// - Throws: `notAStore` for a file that isn't a lock file, `unsupportedFormat` for a newer one's, `corrupted`.
  /// - Complexity: O(slots).
  package static func read(_ system: SystemCalls, path: String, fileID: [UInt8]) throws(EngineError) -> LockInspection? {
    do throws(EngineError) {
      let file = try naming(path) { () throws(SystemError) in
        try StorageFile(system, path: path, flags: OpenFlag.readOnly | OpenFlag.noFollow | OpenFlag.nonBlocking, isQuiet: true)
      }
      return try LockTableReader(system: system, file: file).read(Identity.fold(fileID.span.raw))
    } catch {
      if case .notFound = error { return nil }
      throw error
    }
  }
}

/// Reads chunks with positioned reads. What the words say is checked before it is followed.
private struct LockTableReader {
  let system: SystemCalls
  let file: StorageFile

  private func chunk(at offset: UInt64, _ byteCount: Int) throws(EngineError) -> ByteBuffer {
    let buffer = ByteBuffer(count: byteCount)
    let count = try naming(file.path) { () throws(SystemError) in try file.read(buffer, 0..<byteCount, at: offset) }
    guard count == byteCount else { throw .corrupted(page: 0, reason: "a chunk of the lock file is cut off") }
    return buffer
  }

  func read(_ identity: UInt64) throws(EngineError) -> LockInspection? {
    typealias Header = LockLayout.Header
    typealias Table = LockLayout.Table
    let byteCount = try naming(file.path) { () throws(SystemError) in try file.status() }.byteCount
    if byteCount < UInt64(LockLayout.chunkByteCountMin) { return nil }
    let start = try chunk(at: 0, LockLayout.Chunk.slots)
    // Zeros: its bytes went with the power before any process trusted them.
    if start.load(UInt64.self, at: Header.magic) == 0 { return nil }
    guard start.load(UInt64.self, at: Header.magic) == LockLayout.magic else { throw .notAStore(path: file.path) }
    guard start.load(UInt64.self, at: Header.bootIdentity) == system.bootIdentity() else { return nil }
    let version = start.load(UInt64.self, at: Header.version)
    guard version == LockLayout.version else {
      throw .unsupportedFormat(found: UInt16(clamping: version), newest: UInt16(LockLayout.version))
    }
    let step = start.load(UInt64.self, at: Header.chunkByteCount)
    guard step >= UInt64(LockLayout.chunkByteCountMin), step <= UInt64(LockLayout.chunkByteCountMax), step % 8 == 0 else {
      throw .corrupted(page: 0, reason: "the lock file has chunks of \(step) bytes")
    }
    var offset = start.load(UInt64.self, at: Header.table)
    var seen: Set<UInt64> = []
    var first: ByteBuffer?
    var holders: [LockInspection.Holder] = []
    repeat {
      guard offset % step == 0, seen.insert(offset).inserted else {
        throw .corrupted(page: 0, reason: "the lock file's chunks don't make a chain")
      }
      let chunk = try chunk(at: offset, Int(step))
      if first == nil {
        let known = [Table.fileID, Table.successorID].map { chunk.load(UInt64.self, at: $0) }
        guard known.contains(identity) else { return nil }
        first = chunk
      }
      addHolders(chunk, to: &holders)
      offset = chunk.load(UInt64.self, at: LockLayout.Chunk.next)
    } while offset != 0
    guard let first else { return nil }
    return LockInspection(
      published: first.load(UInt64.self, at: Table.published), durable: first.load(UInt64.self, at: Table.durable), holders: holders
    )
  }

  private func addHolders(_ chunk: ByteBuffer, to holders: inout [LockInspection.Holder]) {
    typealias Slot = LockLayout.Slot
    let own = LockOwner.current(system)
    for index in 0..<LockLayout.slotCount(chunkByteCount: chunk.count) {
      let slot = LockLayout.Chunk.slots + index * Slot.byteCount
      let word = chunk.load(UInt64.self, at: slot + Slot.owner)
      if word == 0 { continue }
      let version = chunk.load(UInt64.self, at: slot + Slot.version)
      holders.append(
        LockInspection.Holder(
          process: LockOwner.process(word), version: version == 0 ? nil : version - 1,
          since: chunk.load(UInt64.self, at: slot + Slot.since), state: state(of: word, chunk, slot, own)))
    }
  }

  private func state(of word: UInt64, _ chunk: ByteBuffer, _ slot: Int, _ own: LockOwner) -> LockInspection.Holder.State {
    let image = chunk.load(UInt64.self, at: slot + LockLayout.Slot.image)
    let start = chunk.load(UInt64.self, at: slot + LockLayout.Slot.start)
    if own.isProvenDead(word, image: image, start: start, system) { return .dead }
    let namespace = LockOwner.namespace(own.word)
    guard namespace != 0, LockOwner.namespace(word) == namespace else { return .unknown }
    var now: UInt64?
    return system.processLiveness(LockOwner.process(word), startTime: &now) == .alive ? .alive : .unknown
  }
}
