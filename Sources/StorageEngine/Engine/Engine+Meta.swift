import RawMemory
import Sealing
import StorageIO
import Synchronization

extension Engine {
  /// Reads the meta pages anew and takes the one of a version. An inspector, who isn't told which, takes the newest.
  ///
  /// - Returns: false where it isn't, because the version or the whole file has been replaced meanwhile.
  func refresh(_ state: inout sending State, _ version: TransactionID) throws(EngineError) -> Bool {
    let metas = try MetaPages.read(state.pages.file, header: header, cipher: cipher)
    state.slotVersions = metas.slotVersions
    let found = options.isInspecting ? metas.pages.max { $0.id < $1.id } : metas.pages.first { $0.id == version }
    if let found {
      state.newest = found
      return true
    }
    let wasReplaced =
      lockFile.published != version || lockFile.generation != state.generation || lockFile.extraWord(Self.supersedingWord) != 0
    if !wasReplaced || options.isInspecting {
      throw .corrupted(page: 0, reason: "the meta page of the current version can't be read")
    }
    return false
  }

  /// After a compaction by any process the path leads to another file: it is opened, and read from then on.
  func checkGeneration() throws(EngineError) {
    if options.isInspecting || isInMemory { return }
    // Ends: each round means that another compaction swapped the file meanwhile.
    while try !followPath() {}
  }

  /// Whether no compaction has swapped the file since that generation, nor is about to.
  func isCurrent(_ generation: UInt64) -> Bool {
    options.isInspecting || isInMemory || lockFile.generation == generation && lockFile.extraWord(Self.supersedingWord) == 0
  }

  private func followPath() throws(EngineError) -> Bool {
    // Before the file is opened: a swap that comes later shows.
    let generation = lockFile.generation
    let isCurrent = state.withLock { $0.generation == generation }
    if isCurrent {
      if lockFile.extraWord(Self.supersedingWord) == 0 { return true }
      if try isNamed(state.withLock { $0.pages.file }) { return true }
    }
    let file = try naming(path) { () throws(SystemError) in
      try StorageFile(system, path: path, flags: isReadOnly ? OpenFlag.readOnly : OpenFlag.readWrite, isLockable: true)
    }
    let pages = pageFile(file)
    guard let current = try CurrentVersion(self, pages).find() else { return false }
    state.withLock { state in
      state.pages = pages
      state.newest = current.newest
      state.slotVersions = current.slotVersions
      state.generation = generation
    }
    allocatedByteCount = 0
    EngineRegistry.shared.register(self, file)
    return true
  }

  /// Whether the path still leads to a file that is open.
  func isNamed(_ file: StorageFile) throws(EngineError) -> Bool {
    try naming(path) { () throws(SystemError) in try file.isNamed(by: path) }
  }

  func pageFile(_ file: StorageFile) -> PageFile { PageFile(file, header, cipher, sealer, options) }
}

/// The three meta pages as they are in the file.
struct MetaPages {
  /// Those that are whole.
  var pages: [MetaPage] = []
  var slotVersions: [TransactionID?] = [nil, nil, nil]

  /// The newest that is named, whether its version is whole or not.
  var newestID: TransactionID? { pages.map(\.id).max() }

  /// The published one. nil where it isn't there, or another one is that nobody can have made who goes by this lock file: the file came from
  /// elsewhere then, and that a version of it has the published number means nothing.
  ///
  /// The pages have been read before the counter is, which only grows.
  func current(_ lockFile: LockFile) -> MetaPage? {
    let published = lockFile.published
    if let newestID, newestID > lockFile.lastTransactionID { return nil }
    return pages.first { $0.id == published }
  }

  static func read(_ file: StorageFile, header: FileHeader, cipher: PageCipher?) throws(EngineError) -> MetaPages {
    let buffer = ByteBuffer(count: PageGeometry.metaAreaByteCount)
    let count = try naming(file.path) { () throws(SystemError) in try file.read(buffer, 0..<buffer.count, at: 0) }
    return decode(buffer, count: count, header: header, cipher: cipher)
  }

  static func decode(_ buffer: ByteBuffer, count: Int, header: FileHeader, cipher: PageCipher?) -> MetaPages {
    var result = MetaPages()
    for slot in 0..<PageGeometry.metaCount {
      let start = slot * PageGeometry.metaStride
      let available = min(PageGeometry.metaStride, count - start)
      if let page = MetaPage.read(buffer, at: start, available: available, slot: slot, header: header, cipher: cipher) {
        result.pages.append(page)
        result.slotVersions[slot] = page.id
      }
    }
    return result
  }
}
