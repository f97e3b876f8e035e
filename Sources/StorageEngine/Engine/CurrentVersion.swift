import RawMemory
import Sealing
import StorageIO

/// Which version of a file is the current one, where the lock file's word alone doesn't say.
struct CurrentVersion {
  let pages: PageFile
  let path: String
  let header: FileHeader
  let cipher: PageCipher?
  let lockFile: LockFile
  let options: EngineOptions
  let system: SystemCalls
  let bootIdentity: UInt64

  /// The published version isn't among the meta pages as they were read, or one of them is of nobody who goes by this lock file.
  ///
  /// Either somebody committed meanwhile; or a compaction swapped the file in and died before it said so; or the file came from elsewhere: a
  /// backup, or a copy that another machine wrote to; or the meta page is damaged. Under the writer's lock nobody commits: the newest version
  /// that is whole is published then, which never is one that was given up, because writers overwrite those first.
  /// - Returns: nil when another compaction swapped this file for yet another one.
  func find() throws(EngineError) -> (newest: MetaPage, slotVersions: [TransactionID?])? {
    let file = pages.file
    let again = try MetaPages.read(file, header: header, cipher: cipher)
    if let current = again.current(lockFile) { return (current, again.slotVersions) }
    try Self.lock(file, options, system)
    defer { file.unlock() }
    let metas = try MetaPages.read(file, header: header, cipher: cipher)
    if let current = metas.current(lockFile) { return (current, metas.slotVersions) }
    // What is published is in the file that the path leads to.
    guard try naming(path, { () throws(SystemError) in try file.isNamed(by: path) }) else { return nil }
    let (chosen, _) = try Self.choose(metas.pages, pages, bootIdentity)
    // Whoever gave the file its name may not have come as far as making that durable. Of a sync that failed this says nothing new.
    _ = lockFile.exchangeExtraWord(
      Engine.namingWord, expected: FileNaming.durable.rawValue, desired: FileNaming.unconfirmed.rawValue)
    // Elsewhere others may have taken ids that this lock file doesn't know of, and that no meta page shows.
    lockFile.raiseTransactionIDs(above: metas.newestID ?? chosen.id)
    lockFile.publish(chosen.id)
    lockFile.setDurable(chosen.id)
    lockFile.advanceGeneration()
    return (chosen, metas.slotVersions)
  }

  /// The writer's lock, for looking what is current. - Throws: `busy`.
  static func lock(_ file: StorageFile, _ options: EngineOptions, _ system: SystemCalls) throws(EngineError) {
    let isLocked = try naming(file.path) { () throws(SystemError) in
      try file.lock(until: Deadline(after: options.lockTimeout, system))
    }
    if !isLocked { throw .busy(waited: options.lockTimeout) }
  }

  /// The newest version whose pages all reached the disk. It isn't written anew: what is torn stays torn.
  ///
  /// - Returns: the version, and whether a newer one was passed over.
  static func choose(_ metas: [MetaPage], _ pages: PageFile, _ bootIdentity: UInt64) throws(EngineError) -> (MetaPage, Bool) {
    var wasPassedOver = false
    let buffer = ByteBuffer(count: pages.geometry.pageByteCount)
    for meta in metas.sorted(by: { $0.id > $1.id }) {
      if try fault(of: meta, pages, bootIdentity, buffer) == nil { return (meta, wasPassedOver) }
      wasPassedOver = true
    }
    throw .corrupted(page: 0, reason: "no version of the store is whole")
  }

  /// Why a version isn't whole; nil if it is.
  static func fault(
    of meta: MetaPage, _ pages: PageFile, _ bootIdentity: UInt64, _ buffer: ByteBuffer
  ) throws(EngineError) -> String? {
    guard let list = meta.unsynced else {
      return meta.bootIdentity == bootIdentity && bootIdentity != 0 ? nil : "it was never synced, and the machine was started since"
    }
    for (page, checksum) in list.sorted(by: { $0.key < $1.key }) {
      do throws(EngineError) {
        try pages.readStored(page, into: buffer, 0..<buffer.count)
      } catch {
        if case .corrupted = error { return "page \(page) isn't in the file" }
        throw error
      }
      if Checksum.crc32(buffer, 0..<buffer.count) != checksum { return "page \(page) isn't what was committed" }
    }
    return nil
  }
}

extension CurrentVersion {
  init(_ engine: Engine, _ pages: PageFile) {
    self.init(
      pages: pages, path: engine.path, header: engine.header, cipher: engine.cipher, lockFile: engine.lockFile,
      options: engine.options, system: engine.system, bootIdentity: engine.bootIdentity)
  }
}
