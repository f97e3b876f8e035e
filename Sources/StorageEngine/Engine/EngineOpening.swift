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
  private(set) var didDropLastCommit = false
  private(set) var droppedVersion: TransactionID?
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

    let area = ByteBuffer(count: PageGeometry.metaAreaByteCount)
    let count = try naming(path) { () throws(SystemError) in try file.read(area, 0..<area.count, at: 0) }
    let header = try Self.header(area, count: count, path: path)
    self.header = header
    let cipher = try Self.cipher(header, options)
    self.cipher = cipher
    // One counter an open: nobody else can seal under its id.
    let sealer = options.isReadOnly || options.isInspecting ? nil : cipher?.makeSealer()
    self.sealer = sealer
    let pages = PageFile(file, header, cipher, sealer, options)
    self.pages = pages
    var metas = MetaPages.decode(area, count: count, header: header, cipher: cipher)
    slotVersions = metas.slotVersions
    let bootIdentity = bootIdentity

    if options.isInspecting || file.isInMemory {
      let (chosen, _) = try CurrentVersion.choose(metas.pages, pages, bootIdentity)
      newest = chosen
      // The new file's own version took the first number.
      lockFile = LockFile.inMemory(lastTransaction: chosen.id)
      lockFile.publish(chosen.id)
      lockFile.setDurable(chosen.id)
      generation = lockFile.generation
      return
    }
    var dropped = false
    var isLocked = false
    defer { if isLocked { file.unlock() } }
    let lockFile = try LockFile.open(
      system, path: path + ".lock", fileID: Identity.fold(header.fileID.span.raw), mode: options.fileMode,
      deadline: Deadline(after: options.lockTimeout, system)
    ) { () throws(EngineError) in
      // A table begins, and another may still be in use: what is written by that one is there before this one is filled, or never.
      if !isLocked {
        try CurrentVersion.lock(file, options, system)
        isLocked = true
        metas = try MetaPages.read(file, header: header, cipher: cipher)
      }
      let (chosen, isOlder) = try CurrentVersion.choose(metas.pages, pages, bootIdentity)
      dropped = isOlder
      // What another boot wrote was read from the disk; what this one wrote may be in memory only.
      let durable = chosen.bootIdentity == bootIdentity && bootIdentity != 0 ? chosen.durableID : chosen.id
      return (published: chosen.id, durable: durable, newestSeen: metas.newestID ?? chosen.id)
    }
    self.lockFile = lockFile
    slotVersions = metas.slotVersions
    didDropLastCommit = dropped
    droppedVersion = dropped ? metas.newestID : nil
    generation = lockFile.generation
    if let current = metas.current(lockFile) {
      newest = current
    } else {
      if isLocked { file.unlock() }
      isLocked = false
      let search = CurrentVersion(
        pages: pages, path: path, header: header, cipher: cipher, lockFile: lockFile, options: options, system: system,
        bootIdentity: bootIdentity)
      guard let found = try search.find() else { return nil }
      newest = found.newest
      slotVersions = found.slotVersions
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
    // The temporary name needn't survive.
    lockFile.setExtraWord(Engine.namingWord, FileNaming.durable.rawValue)
    generation = lockFile.generation
  }

  /// What the file is, from the meta pages whose beginnings are whole.
  ///
  /// They have to agree: of two that don't, nobody can say which one is this file's, and the wrong one may be a young store's, whose
  /// empty version would be believed and written over.
  static func header(_ area: ByteBuffer, count: Int, path: String) throws(EngineError) -> FileHeader {
    var isOurs = false
    var found: FileHeader?
    for slot in 0..<PageGeometry.metaCount {
      let start = slot * PageGeometry.metaStride
      guard count >= start + MetaLayout.list else { continue }
      switch FileHeader.read(area, at: start) {
      case .header(let header):
        if let found, found != header {
          throw .corrupted(page: UInt32(slot), reason: "meta page \(slot) is another file's, or the ones before it are")
        }
        found = header
      case .newer(let version): throw .unsupportedFormat(found: version, newest: MetaLayout.version)
      case .damaged: isOurs = true
      case .foreign: continue
      }
    }
    if let found { return found }
    if isOurs { throw .corrupted(page: 0, reason: "no meta page has a header that is whole") }
    throw .notAStore(path: path)
  }

  /// - Throws: `keyRequired`, `keyNotExpected`, `wrongKey`.
  static func cipher(_ header: FileHeader, _ options: EngineOptions) throws(EngineError) -> PageCipher? {
    guard header.isSealed else {
      if case .none = options.key { return nil }
      throw .keyNotExpected
    }
    guard let secret = try options.key.secret(for: header) else { throw .keyRequired }
    let cipher = PageCipher(key: secret, salt: header.salt, fileID: header.fileID, observer: options.nonceObserver)
    if cipher.keyCheck() != header.keyCheck { throw .wrongKey }
    return cipher
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
