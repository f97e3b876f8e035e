import RawMemory
import Sealing
package import StorageIO
import Synchronization

extension Engine {
  /// Opens a file, or makes it. A file that is open in this process already, by whatever path, is served by the same engine.
  ///
  /// - Throws: `notFound`, `notAStore`, `unsupportedFormat`, `corrupted`, `keyRequired`, `keyNotExpected`, `wrongKey`, `noSpace`, `busy`.
  package static func open(path: String, options: EngineOptions = EngineOptions(), system: SystemCalls = .live) throws(EngineError)
    -> Engine
  {
    let flags = options.isReadOnly || options.isInspecting ? OpenFlag.readOnly : OpenFlag.readWrite
    // A file may vanish or appear between two steps; each round sees another state of the path.
    for _ in 0..<16 {
      do throws(EngineError) {
        let file = try naming(path) { () throws(SystemError) in
          try StorageFile(system, path: path, flags: flags, isLockable: true, isQuiet: options.isInspecting)
        }
        let engine = try EngineRegistry.shared.engine(file, options, system) { () throws(EngineError) in
          try EngineOpening(system, path: path, options: options, file: file, wasCreated: false).map { Engine($0) }
        }
        if let engine { return engine }
        continue
      } catch {
        guard case .notFound = error, options.createsIfMissing, !options.isReadOnly, !options.isInspecting else { throw error }
      }
      if let file = try EngineCreation.make(system, path: path, options: options) {
        let engine = try EngineRegistry.shared.engine(file, options, system) { () throws(EngineError) in
          try EngineOpening(system, path: path, options: options, file: file, wasCreated: true).map { Engine($0) }
        }
        if let engine { return engine }
      }
    }
    throw .notFound(path: path)
  }
}

extension Engine {
  /// How many stores of this process have the file of a path open.
  package static func storeCount(path: String) -> Int {
    var status: FileStatus?
    guard SystemCalls.live.status(path: path, &status) == 0, let status else { return 0 }
    return EngineRegistry.shared.storeCount(status)
  }
}

/// The engines of this process, by the file that they serve.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()

  private struct Key: Hashable {
    var system: ObjectIdentifier
    var device: UInt64
    var inode: UInt64
    /// One that may only be read is another engine: its handles can't write through one that may.
    var isReadOnly: Bool

    init(_ system: SystemCalls, _ status: FileStatus, isReadOnly: Bool) {
      self.system = ObjectIdentifier(system)
      device = status.device
      inode = status.inode
      self.isReadOnly = isReadOnly
    }
  }
  private struct Entry {
    weak var engine: Engine?
  }
  private let engines = Mutex<[Key: Entry]>([:])

  /// Notes that an engine serves another file now, and no longer the one before, whose inode may be a new file's soon.
  func register(_ engine: Engine, _ file: StorageFile) {
    let status = try? file.status()
    engines.withLock { engines in
      engines = engines.filter { $0.value.engine !== engine }
      if let status { engines[Key(engine.system, status, isReadOnly: engine.isReadOnly)] = Entry(engine: engine) }
    }
  }

  /// How many stores of this process have a file open.
  func storeCount(_ status: FileStatus) -> Int {
    engines.withLock { engines in
      engines.filter { $0.key.device == status.device && $0.key.inode == status.inode }
        .reduce(0) { $0 + ($1.value.engine?.storeCount.load(ordering: .relaxed) ?? 0) }
    }
  }

  /// The engine that serves the file, or the one that `open` makes. An inspector's is its own.
  ///
  /// - Returns: nil when `open` returns nil.
  func engine(
    _ file: StorageFile, _ options: EngineOptions, _ system: SystemCalls, open: () throws(EngineError) -> Engine?
  ) throws(EngineError) -> Engine? {
    if options.isInspecting { return try open() }
    let status = try naming(file.path) { () throws(SystemError) in try file.status() }
    let key = Key(system, status, isReadOnly: options.isReadOnly)
    // Opening happens under the lock: of two threads one opens, and the other gets the same engine.
    return try engines.withLock { engines throws(EngineError) in
      engines = engines.filter { $0.value.engine != nil }
      if let known = engines[key]?.engine, known.isUsable {
        try known.check(options)
        return known
      }
      guard let opened = try open() else { return nil }
      engines[key] = Entry(engine: opened)
      return opened
    }
  }
}

extension Engine {
  /// After a failed sync, in a forked child, and when the lock file isn't the one any more, a file is opened anew.
  var isUsable: Bool {
    if isPoisoned { return false }
    if (try? lockFile.isCurrent()) != true { return false }
    do {
      try checkProcess()
      return true
    } catch {
      return false
    }
  }

  /// Whether what somebody asks for is what is open: a wrong key isn't let in because the right one was.
  func check(_ other: EngineOptions) throws(EngineError) {
    _ = try EngineOpening.cipher(header, other)
  }
}
