import RawMemory
import Sealing
import StorageIO

/// Making a new, empty file: whole, or not at all.
enum EngineCreation {
  static let stretchKibibytes: UInt32 = 4096
  static let stretchPasses: UInt32 = 3

  /// - Returns: the file under its name, unlocked; nil when another process was first.
  static func make(_ system: SystemCalls, path: String, options: EngineOptions) throws(EngineError) -> StorageFile? {
    let parts = PathParts(path)
    let directory = StorageDirectory(
      system, path: parts.directory, fileMode: options.fileMode, directoryMode: 0o700, forcesModes: false)
    let random = try naming(path) { () throws(SystemError) in try system.randomBytes(48) }
    let header = try header(options, fileID: random.bytes(0..<16), salt: random.bytes(16..<32))
    let file = try write(header, options, directory, parts.name, random.load(UInt64.self, at: 32), system)
    guard let file else { return nil }
    do throws(SystemError) { try directory.synchronize() } catch {
      // A sync that failed looks clean the next time: the name can't be trusted, nor what would be committed under it. Nobody has: a writer
      // needs the lock, and looks then whether the path still leads to its file.
      _ = system.unlink(path)
      throw EngineError(error, path: path)
    }
    file.unlock()
    return file
  }

  static func header(_ options: EngineOptions, fileID: [UInt8], salt: [UInt8]) throws(EngineError) -> FileHeader {
    var header = FileHeader(
      pageByteCount: options.pageByteCount, isSealed: false, fileID: fileID, salt: salt, keyCheck: [UInt8](repeating: 0, count: 16))
    guard PageGeometry.isPossible(options.pageByteCount) else {
      throw .corrupted(page: 0, reason: "pages of \(options.pageByteCount) bytes are not possible")
    }
    if case .none = options.key { return header }
    header.isSealed = true
    if case .passphrase = options.key {
      header.stretchKibibytes = stretchKibibytes
      header.stretchPasses = stretchPasses
    }
    if let secret = try options.key.secret(for: header) {
      header.keyCheck = PageCipher(key: secret, salt: salt, fileID: fileID).keyCheck()
    }
    return header
  }

  /// An empty file under a temporary name, locked, with a header that is given.
  static func makeTemporary(
    _ system: SystemCalls, path: String, header: FileHeader, options: EngineOptions
  ) throws(EngineError) -> StorageFile {
    let (buffer, byteCount) = try firstMeta(header, options, system)
    return try naming(path) { () throws(SystemError) in
      let file = try StorageFile(system, path: path, flags: OpenFlag.createNew, mode: options.fileMode, isLockable: true)
      do throws(SystemError) {
        _ = try file.tryLock()
        try fill(file, buffer, byteCount)
      } catch {
        _ = system.unlink(path)
        throw error
      }
      return file
    }
  }

  /// The same without a name, in memory.
  static func makeInMemory(_ system: SystemCalls, options: EngineOptions) throws(EngineError) -> StorageFile {
    let random = try naming("memory") { () throws(SystemError) in try system.randomBytes(32) }
    return try makeInMemory(
      system, header: header(options, fileID: random.bytes(0..<16), salt: random.bytes(16..<32)), options: options)
  }

  static func makeInMemory(_ system: SystemCalls, header: FileHeader, options: EngineOptions) throws(EngineError) -> StorageFile {
    let (buffer, byteCount) = try firstMeta(header, options, system)
    return try naming("memory") { () throws(SystemError) in
      let file = try StorageFile(inMemory: system)
      try fill(file, buffer, byteCount)
      return file
    }
  }

  private static func write(
    _ header: FileHeader, _ options: EngineOptions, _ directory: StorageDirectory, _ name: String, _ random: UInt64,
    _ system: SystemCalls
  ) throws(EngineError) -> StorageFile? {
    let (buffer, byteCount) = try firstMeta(header, options, system)
    return try naming(directory.path(of: name)) { () throws(SystemError) in
      try directory.makeWhole(name, random: random) { file throws(SystemError) in
        try fill(file, buffer, byteCount)
        try file.synchronize()
      }
    }
  }

  private static func fill(_ file: StorageFile, _ buffer: ByteBuffer, _ byteCount: Int) throws(SystemError) {
    // As long as the meta pages from the start: what was promised can't run out.
    try file.allocate(0..<UInt64(PageGeometry.metaAreaByteCount))
    try file.write(buffer, 0..<byteCount, at: 0)
  }

  /// The meta page of the empty version.
  private static func firstMeta(
    _ header: FileHeader, _ options: EngineOptions, _ system: SystemCalls
  ) throws(EngineError) -> (ByteBuffer, Int) {
    let secret = try options.key.secret(for: header)
    let sealer = secret.map {
      PageCipher(key: $0, salt: header.salt, fileID: header.fileID, observer: options.nonceObserver).makeSealer()
    }
    let meta = MetaPage(
      id: 1, durableID: 1, bootIdentity: system.bootIdentity(), pageCount: header.geometry.firstPage, catalog: .empty, free: .empty,
      nextTreeID: Catalog.firstTreeID, commitTime: system.realtimeMicroseconds(), unsynced: [:], slot: 0)
    let buffer = ByteBuffer(count: PageGeometry.metaStride)
    return (buffer, meta.store(in: buffer, header: header, sealer: sealer))
  }
}
