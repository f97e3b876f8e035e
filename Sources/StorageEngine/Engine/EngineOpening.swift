import RawMemory
import Sealing
import StorageIO

/// The steps of opening a file, and what they found.
struct EngineOpening {
  let system: SystemCalls
  let path: String
  let options: EngineOptions
  private(set) var file: StorageFile
  private(set) var header: FileHeader
  private(set) var cipher: PageCipher?
  private(set) var sealer: PageSealer?
  private(set) var lockFile: LockFile
  private(set) var pages: PageFile
  private(set) var newest: MetaPage
  private(set) var slotVersions: [TransactionID?]
  private(set) var generation: UInt64
  let bootIdentity: UInt64
  let identity: FileIdentity
  private(set) var didDropLastCommit = false
  let wasCreated: Bool

  /// nil when another file took the path's name meanwhile: the caller begins again with that one.
  init?(_ system: SystemCalls, path: String, options: EngineOptions, file: StorageFile, wasCreated: Bool) throws(EngineError) {
    self.system = system
    self.path = path
    self.options = options
    self.file = file
    self.wasCreated = wasCreated
    bootIdentity = system.bootIdentity()
    let status = try naming(path) { () throws(SystemError) in try file.status() }
    guard status.kind == .file else { throw .notAStore(path: path) }
    identity = FileIdentity(device: status.device, inode: status.inode)

    let area = ByteBuffer(count: PageGeometry.metaAreaByteCount)
    let count = try naming(path) { () throws(SystemError) in try file.read(area, 0..<area.count, at: 0) }
    let header = try Self.header(area, count: count, path: path)
    self.header = header
    let cipher = try Self.cipher(header, options)
    self.cipher = cipher
    // One counter an open: nobody else can seal under its id.
    let sealer = options.isReadOnly || options.isInspecting ? nil : cipher?.makeSealer()
    self.sealer = sealer
    let pages = PageFile(
      file, geometry: header.geometry, fileID: header.fileID, cipher: cipher, sealer: sealer,
      cacheByteCountMax: options.pageCacheByteCountMax, mapsPages: options.mapsPages && !options.isInspecting,
      reportsReuse: options.reportsReuse)
    self.pages = pages
    let metas = MetaPages.decode(area, count: count, header: header, cipher: cipher)
    slotVersions = metas.slotVersions
    let bootIdentity = bootIdentity

    if options.isInspecting || file.isInMemory {
      let (chosen, _) = try Self.choose(metas.pages, pages, bootIdentity)
      newest = chosen
      // The new file's own version took the first number.
      lockFile = LockFile.inMemory(lastTransaction: chosen.id)
      lockFile.publish(chosen.id)
      lockFile.setDurable(chosen.id)
      generation = lockFile.generation
      return
    }
    var dropped = false
    let lockFile = try LockFile.open(
      system, path: path + ".lock", fileID: Identity.fold(header.fileID.span.raw), mode: options.fileMode,
      deadline: Deadline(after: options.lockTimeout, system)
    ) { () throws(EngineError) in
      let (chosen, isOlder) = try Self.choose(metas.pages, pages, bootIdentity)
      dropped = isOlder
      // What another boot wrote was read from the disk; what this one wrote may be in memory only.
      let durable = chosen.bootIdentity == bootIdentity && bootIdentity != 0 ? chosen.durableID : chosen.id
      return (published: chosen.id, durable: durable, newestSeen: metas.pages.map(\.id).max() ?? chosen.id)
    }
    self.lockFile = lockFile
    didDropLastCommit = dropped
    generation = lockFile.generation
    let published = lockFile.published
    if let current = metas.pages.first(where: { $0.id == published }) {
      newest = current
    } else {
      let again = try Self.findCurrent(file, header, cipher, pages, lockFile, options, system, bootIdentity)
      guard let again else { return nil }
      newest = again.newest
      slotVersions = again.slotVersions
    }
  }

  /// For filling a temporary file, which nobody else knows of.
  init(
    copying file: StorageFile, path: String, options: EngineOptions, header: FileHeader, system: SystemCalls, nextID: TransactionID
  ) throws(EngineError) {
    self.system = system
    self.path = path
    self.options = options
    self.file = file
    self.header = header
    wasCreated = true
    bootIdentity = system.bootIdentity()
    identity = FileIdentity(device: 0, inode: 0)
    let cipher = try Self.cipher(header, options)
    let sealer = cipher?.makeSealer()
    self.cipher = cipher
    self.sealer = sealer
    pages = PageFile(
      file, geometry: header.geometry, fileID: header.fileID, cipher: cipher, sealer: sealer,
      cacheByteCountMax: 64 * header.pageByteCount,
      mapsPages: false, reportsReuse: false)
    let metas = try MetaPages.read(file, header: header, cipher: cipher)
    guard let first = metas.pages.first else { throw .corrupted(page: 0, reason: "a copy lost its meta page") }
    newest = first
    slotVersions = metas.slotVersions
    lockFile = LockFile.inMemory(lastTransaction: nextID - 1)
    lockFile.publish(first.id)
    lockFile.setDurable(first.id)
    generation = lockFile.generation
  }

  /// What the file is, from the first meta page whose beginning is whole.
  static func header(_ area: ByteBuffer, count: Int, path: String) throws(EngineError) -> FileHeader {
    var isOurs = false
    for slot in 0..<PageGeometry.metaCount {
      let start = slot * PageGeometry.metaStride
      guard count >= start + MetaLayout.list else { continue }
      switch FileHeader.read(area, at: start) {
      case .header(let header): return header
      case .newer(let version): throw .unsupportedFormat(found: version, newest: MetaLayout.version)
      case .damaged: isOurs = true
      case .foreign: continue
      }
    }
    if isOurs { throw .corrupted(page: 0, reason: "no meta page has a header that is whole") }
    throw .notAStore(path: path)
  }

  /// The published version wasn't among the meta pages as they were read.
  ///
  /// Either somebody committed meanwhile; or a compaction swapped the file in and died before it said so; or the meta page is damaged. Under
  /// the writer's lock nobody commits: the newest version that is whole is published then, which never is one that was given up, because
  /// writers overwrite those first.
  /// - Returns: nil when another compaction swapped this file for yet another one.
  static func findCurrent(
    _ file: StorageFile, _ header: FileHeader, _ cipher: PageCipher?, _ pages: PageFile, _ lockFile: LockFile,
    _ options: EngineOptions,
    _ system: SystemCalls, _ bootIdentity: UInt64
  ) throws(EngineError) -> (newest: MetaPage, slotVersions: [TransactionID?])? {
    let again = try MetaPages.read(file, header: header, cipher: cipher)
    let now = lockFile.published
    if let current = again.pages.first(where: { $0.id == now }) { return (current, again.slotVersions) }
    let isLocked = try naming(file.path) { () throws(SystemError) in
      try file.lock(until: Deadline(after: options.lockTimeout, system))
    }
    guard isLocked else { throw .busy(waited: options.lockTimeout) }
    defer { file.unlock() }
    let metas = try MetaPages.read(file, header: header, cipher: cipher)
    let published = lockFile.published
    if let current = metas.pages.first(where: { $0.id == published }) { return (current, metas.slotVersions) }
    // What is published is in the file that the path leads to.
    guard try Engine.isNamed(file, system) else { return nil }
    let (chosen, _) = try choose(metas.pages, pages, bootIdentity)
    // The swap may not have come as far as this.
    try naming(file.path) { () throws(SystemError) in
      try StorageDirectory.synchronize(system, EngineCreation.split(file.path).directory)
    }
    lockFile.publish(chosen.id)
    lockFile.setDurable(chosen.id)
    lockFile.advanceGeneration()
    return (chosen, metas.slotVersions)
  }

  private static func cipher(_ header: FileHeader, _ options: EngineOptions) throws(EngineError) -> PageCipher? {
    guard header.isSealed else {
      if case .none = options.key { return nil }
      throw .keyNotExpected
    }
    guard let secret = try options.key.secret(for: header) else { throw .keyRequired }
    let cipher = PageCipher(key: secret, salt: header.salt, fileID: header.fileID, observer: options.nonceObserver)
    if cipher.keyCheck() != header.keyCheck { throw .wrongKey }
    return cipher
  }

  /// The newest version whose pages all reached the disk. It isn't written anew: what is torn stays torn.
  ///
  /// - Returns: the version, and whether a newer one was passed over.
  static func choose(_ metas: [MetaPage], _ pages: PageFile, _ bootIdentity: UInt64) throws(EngineError) -> (MetaPage, Bool) {
    var wasPassedOver = false
    let buffer = ByteBuffer(count: pages.geometry.pageByteCount)
    for meta in metas.sorted(by: { $0.id > $1.id }) {
      if try isWhole(meta, pages, bootIdentity, buffer) { return (meta, wasPassedOver) }
      wasPassedOver = true
    }
    throw .corrupted(page: 0, reason: "no version of the store is whole")
  }

  private static func isWhole(
    _ meta: MetaPage, _ pages: PageFile, _ bootIdentity: UInt64, _ buffer: ByteBuffer
  ) throws(EngineError) -> Bool {
    guard let list = meta.unsynced else { return meta.bootIdentity == bootIdentity && bootIdentity != 0 }
    for (page, checksum) in list.sorted(by: { $0.key < $1.key }) {
      do throws(EngineError) {
        try pages.readStored(page, into: buffer, 0..<buffer.count)
      } catch {
        if case .corrupted = error { return false }
        throw error
      }
      if Checksum.crc32(buffer, 0..<buffer.count) != checksum { return false }
    }
    return true
  }
}

extension EngineKey {
  /// The key for a file; a passphrase is stretched as the file says.
  func secret(for header: FileHeader) throws(EngineError) -> SecretBytes? {
    switch self {
    case .none: return nil
    case .secret(let secret):
      guard secret.count == 32 || secret.count == 64 else { throw .wrongKey }
      return secret
    case .passphrase(let phrase, let kibibytesMax):
      guard header.stretchKibibytes > 0 else { throw .wrongKey }
      guard header.stretchKibibytes <= kibibytesMax else {
        throw .corrupted(page: 0, reason: "stretching the passphrase would take \(header.stretchKibibytes) KiB of memory")
      }
      return try Self.stretch(phrase, header.salt, kibibytes: header.stretchKibibytes, passes: header.stretchPasses)
    }
  }
}

extension EngineKey {
  private static func stretch(_ phrase: [UInt8], _ salt: [UInt8], kibibytes: UInt32, passes: UInt32) throws(EngineError)
    -> SecretBytes
  {
    do throws(StretchingError) {
      return try PassphraseStretching.argon2id(
        phrase.span, salt: salt.span, memoryByteCount: Int(kibibytes) << 10, passCount: Int(passes),
        memoryByteCountMax: Int(kibibytes) << 10)
    } catch {
      throw .corrupted(page: 0, reason: "the passphrase can't be stretched as the file asks for: \(error)")
    }
  }
}
