import RawMemory
import StorageIO

extension LockOpening {
  /// Makes a void file anew, under its lock, unless another process has done so. Nobody uses what is in it: all who did are gone with
  /// their boot.
  ///
  /// A death in the middle leaves the file void.
  func renew(
    _ file: StorageFile, _ newest: () throws(EngineError) -> (published: UInt64, durable: UInt64, newestSeen: UInt64)
  ) throws(EngineError) -> LockFile? {
    // Before the lock is taken: `newest` takes the writer's lock, which comes first everywhere.
    let table = LockTable(try newest(), fileID: fileID)
    let start = system.monotonicNanoseconds()
    guard try naming(path, { () throws(SystemError) in try file.lock(until: deadline) }) else {
      throw .busy(waited: .nanoseconds(Int64(clamping: system.monotonicNanoseconds() - start)))
    }
    defer { file.unlock() }
    // What was found without the lock may be outdated.
    guard try naming(path, { () throws(SystemError) in try file.isNamed(by: path) }) else { return nil }
    guard case .void = try examine(file) else { return nil }
    return try naming(path) { () throws(SystemError) in
      let header = try clear(file)
      table.store(in: header)
      storeHeader { header.storeSequential($0, at: $1) }
      return try lockFile(file, header, header)
    }
  }

  /// The first chunk, all zeros, and nothing behind it.
  private func clear(_ file: StorageFile) throws(SystemError) -> Mapping {
    let count = max(LockLayout.chunkByteCountMin, system.pageByteCount)
    let byteCount = try file.status().byteCount
    // Also where the file is long enough: it may be a hole.
    try file.allocate(0..<UInt64(count))
    let header = try file.map(offset: 0, count: count, writable: true, isForgottenInChild: true)
    header.storeSequential(0, at: LockLayout.Header.bootIdentity)
    if byteCount > UInt64(count) { try file.truncate(to: UInt64(count)) }
    header.copy(from: ByteBuffer(count: count), 0..<count, at: 0)
    return header
  }
}
