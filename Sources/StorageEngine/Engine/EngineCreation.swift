import RawMemory
import Sealing
import StorageIO

/// Making a new, empty file: whole, or not at all.
enum EngineCreation {
  static let stretchKibibytes: UInt32 = 4096
  static let stretchPasses: UInt32 = 3

  /// - Returns: the file under its name, unlocked; nil when another process was first.
  static func make(_ system: SystemCalls, path: String, options: EngineOptions) throws(EngineError) -> StorageFile? {
    let (directoryPath, name) = split(path)
    let directory = StorageDirectory(
      system, path: directoryPath, fileMode: options.fileMode, directoryMode: 0o700, forcesModes: false)
    let random = ByteBuffer(count: 48)
    guard system.random(random, 0..<48) >= 0 else { throw .system(SystemError(.random, 5), path: path) }
    let header = try header(options, fileID: random.bytes(0..<16), salt: random.bytes(16..<32))
    let file = try write(header, options, directory, name, random.load(UInt64.self, at: 32), system)
    guard let file else { return nil }
    try naming(path) { () throws(SystemError) in try directory.synchronize() }
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
    let random = ByteBuffer(count: 32)
    guard system.random(random, 0..<32) >= 0 else { throw .system(SystemError(.random, 5), path: "memory") }
    let header = try header(options, fileID: random.bytes(0..<16), salt: random.bytes(16..<32))
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

  /// The directory and the name in it.
  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let directory = slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.utf8.index(after: slash)...]))
  }
}
