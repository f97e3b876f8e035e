import RawMemory
package import StorageIO

extension LockFile {
  /// Opens the lock file of a store, or makes it: beside its place and linked, so that it is whole under its name.
  ///
  /// A file of another boot is made anew in place, under its own lock; it is never deleted. When the file is about another data file, it
  /// gets a table of its own for this one.
  /// - Parameters:
  ///   - system: the kernel to ask.
  ///   - path: of the lock file.
  ///   - fileID: tells the data file from others that may have had the same path.
  ///   - mode: of a file that is made; with rights for others than the owner, in spite of the umask.
  ///   - deadline: for waiting until another process has made the file anew.
  ///   - newest: which version a table that begins has as published and as durable, and the newest that the data file names, whether it
  ///     is whole or not. May be called several times. It keeps writers from committing until this call is through: who still works by
  ///     another table has committed before, or finds under the writer's lock that its table isn't the one.
  /// - Throws: what `newest` throws; `busy`; `notAStore` for a file that isn't a lock file, which stays as it is;
  ///   `unsupportedFormat` while a newer build uses it; `system` with `ENOTSUP` where the system doesn't tell one boot from another.
  /// - Complexity: O(1): six system calls for a file that is there, and the questions who this process is, once.
  package static func open(
    _ system: SystemCalls, path: String, fileID: UInt64, mode: UInt32, deadline: Deadline,
    newest: () throws(EngineError) -> (published: UInt64, durable: UInt64, newestSeen: UInt64)
  ) throws(EngineError) -> LockFile {
    let boot = system.bootIdentity()
    // Whether what the file says still holds can't be known, nor whether somebody else works by it.
    if boot == 0 { throw .system(SystemError(.open, ErrorNumber.notSupported), path: path) }
    let opening = LockOpening(system: system, path: path, fileID: fileID, mode: mode, deadline: deadline, boot: boot)
    // Ends: each round means that another process made, replaced or removed the file meanwhile.
    while true {
      guard let file = try opening.existing() else {
        let version = try newest()
        if let made = try opening.make(LockTable(version, fileID: fileID)) { return made }
        continue
      }
      switch try opening.examine(file) {
      case .current(let lockFile): return lockFile
      case .void:
        if let renewed = try opening.renew(file, newest) { return renewed }
      case .ofAnotherFile(let header, let table):
        let version = try newest()
        if let own = try opening.append(LockTable(version, fileID: fileID), file, header, replacing: table) { return own }
      }
    }
  }
}

/// What a table begins with.
struct LockTable {
  let published: UInt64
  let durable: UInt64
  let transaction: UInt64
  let fileID: UInt64

  init(_ version: (published: UInt64, durable: UInt64, newestSeen: UInt64), fileID: UInt64) {
    published = version.published
    durable = version.durable
    // Above every id that a transaction of an earlier table can have taken and that no file shows.
    transaction = version.newestSeen &+ 1 << 32
    self.fileID = fileID
  }

  func store(in chunk: Mapping) {
    for (offset, value) in words { chunk.storeSequential(value, at: offset) }
  }
  func store(in buffer: ByteBuffer) {
    for (offset, value) in words { buffer.store(value, at: offset) }
  }
  private var words: [(Int, UInt64)] {
    [
      (LockLayout.Table.published, published), (LockLayout.Table.durable, durable),
      (LockLayout.Table.transaction, transaction), (LockLayout.Table.fileID, fileID),
    ]
  }
}

/// The ways in which an opening goes. Each returns nil when what it found is outdated: the caller begins again.
struct LockOpening {
  enum Finding {
    case current(LockFile)
    /// Of another boot, or cut off while it was made.
    case void
    /// With the first chunk of the file, and where the table of the other one is.
    case ofAnotherFile(Mapping, table: UInt64)
  }
  let system: SystemCalls
  let path: String
  let fileID: UInt64
  let mode: UInt32
  let deadline: Deadline
  let boot: UInt64

  private typealias Header = LockLayout.Header
  private var chunkByteCount: Int { max(LockLayout.chunkByteCountMin, system.pageByteCount) }

  /// nil when there is none.
  func existing() throws(EngineError) -> StorageFile? {
    do throws(SystemError) {
      let flags = OpenFlag.readWrite | OpenFlag.noFollow | OpenFlag.nonBlocking
      let file = try StorageFile(system, path: path, flags: flags, isLockable: true)
      guard try file.status().kind == .file else { throw SystemError(.open, ErrorNumber.noSuchDevice) }
      return file
    } catch {
      if error.code == ErrorNumber.notFound { return nil }
      throw EngineError(error, path: path)
    }
  }

  func make(_ table: LockTable) throws(EngineError) -> LockFile? {
    let parts = PathParts(path)
    let directory = StorageDirectory(
      system, path: parts.directory, fileMode: mode, directoryMode: 0o700, forcesModes: mode & 0o077 != 0)
    let buffer = ByteBuffer(count: LockLayout.Chunk.slots)
    table.store(in: buffer)
    storeHeader { buffer.store($0, at: $1) }
    return try naming(path) { () throws(SystemError) in
      let file = try directory.makeWhole(parts.name, random: try system.randomNumber()) { file throws(SystemError) in
        try file.allocate(0..<UInt64(chunkByteCount))
        try file.write(buffer, 0..<buffer.count, at: 0)
      }
      guard let file else { return nil }
      file.unlock()
      let header = try file.map(offset: 0, count: chunkByteCount, writable: true, isForgottenInChild: true)
      return try lockFile(file, header, header)
    }
  }

  func examine(_ file: StorageFile) throws(EngineError) -> Finding {
    try naming(path) { () throws(SystemError) in try find(file) }.get()
  }

  private func find(_ file: StorageFile) throws(SystemError) -> Result<Finding, EngineError> {
    let byteCount = try file.status().byteCount
    if byteCount > 0, !(try isOurs(file)) { return .failure(.notAStore(path: path)) }
    guard byteCount >= UInt64(chunkByteCount) else { return .success(.void) }
    let header = try file.map(offset: 0, count: chunkByteCount, writable: true, isForgottenInChild: true)
    guard header.loadSequential(at: Header.bootIdentity) == boot else { return .success(.void) }
    let version = header.loadSequential(at: Header.version)
    guard version == LockLayout.version else {
      return .failure(.unsupportedFormat(found: UInt16(clamping: version), newest: UInt16(LockLayout.version)))
    }
    guard header.loadSequential(at: Header.chunkByteCount) == UInt64(chunkByteCount) else {
      return .failure(.corrupted(page: 0, reason: "the lock file has chunks of another size than this system"))
    }
    let table = header.loadSequential(at: Header.table)
    let first = table == 0 ? header : try LockChunks.map(file, at: table, chunkByteCount)
    let known = [LockLayout.Table.fileID, LockLayout.Table.successorID].map { first.loadSequential(at: $0) }
    guard known.contains(fileID) else { return .success(.ofAnotherFile(header, table: table)) }
    return .success(.current(try lockFile(file, header, first)))
  }

  /// Whether the file begins as a lock file does, as far as a loss of power left its bytes, and behind that with zeros.
  private func isOurs(_ file: StorageFile) throws(SystemError) -> Bool {
    let buffer = ByteBuffer(count: 8)
    _ = try file.read(buffer, 0..<8, at: 0)
    let magic = buffer.load(UInt64.self, at: Header.magic)
    return (0...8).contains { magic == LockLayout.magic & (UInt64.max >> UInt64(64 - 8 * $0)) }
  }

  /// Begins the table of this data file behind what is there, and makes it the current one.
  ///
  /// - Parameter other: the current one as it was before `table` was made: nobody can have published anything for this data file since.
  func append(
    _ table: LockTable, _ file: StorageFile, _ header: Mapping, replacing other: UInt64
  ) throws(EngineError) -> LockFile? {
    try naming(path) { () throws(SystemError) in
      let first = try LockChunks.reserve(file, header, chunkByteCount)
      table.store(in: first)
      guard header.compareExchange(expected: other, desired: first.fileOffset, at: Header.table) else { return nil }
      return try lockFile(file, header, first)
    }
  }

  func storeHeader(_ store: (UInt64, Int) -> Void) {
    store(LockLayout.magic, Header.magic)
    store(LockLayout.version, Header.version)
    store(UInt64(chunkByteCount), Header.chunkByteCount)
    store(0, Header.table)
    store(UInt64(chunkByteCount), Header.end)
    // Last: from here on the file counts.
    store(boot, Header.bootIdentity)
  }

  func lockFile(_ file: StorageFile, _ header: Mapping, _ first: Mapping) throws(SystemError) -> LockFile {
    let chunks = LockChunks(file, header: header, first: first, chunkByteCount: chunkByteCount)
    return LockFile(system, chunks, LockOwner.current(system))
  }
}
