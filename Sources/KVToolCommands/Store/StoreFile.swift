import MailboxLog
import ObjectStorage
import RawMemory
import Sealing
import StorageEngine
import StorageIO

/// A store that is looked at without a trace: no lock, no lock file, positioned reads, and little memory.
struct StoreFile {
  private static let pageCacheByteCountMax = 2 << 20
  /// How often a command begins again because writers have reused what it was reading.
  private static let attemptCountMax = 8

  let engine: Engine
  let core: StoreCore
  let reader: StoreReader

  init(_ engine: Engine) throws {
    self.engine = engine
    core = StoreCore(engine, models: [])
    reader = try core.reader()
  }

  /// Lends the store.
  static func read<R>(_ invocation: Invocation, _ body: (StoreFile) throws -> R) throws -> R {
    try inspect(invocation) { engine in try body(try StoreFile(engine)) }
  }

  /// Lends the engine, for what may have a schema that can't be read.
  ///
  /// When writers reuse pages of the version that is read, `body` runs again on the newest one, as long as nothing that it printed is out.
  /// When nobody has committed meanwhile, a page that isn't the one expected is damage.
  static func inspect<R>(_ invocation: Invocation, _ body: (Engine) throws -> R) throws -> R {
    invocation.output.isHeldBack = true
    defer { invocation.output.isHeldBack = false }
    var (engine, options) = try open(invocation)
    var attemptCount = 1
    while true {
      let version = try engine.snapshot().version
      do { return try body(engine) } catch {
        guard try isLoss(error) || isDamage(error) && newestVersion(invocation) != version, attemptCount < attemptCountMax,
          invocation.output.takeBack()
        else { throw error }
      }
      attemptCount += 1
      engine = try open(invocation.path, options)
      if try engine.snapshot().version == version {
        options.expectsReuse = false
        engine = try open(invocation.path, options)
      }
    }
  }

  private static func open(_ invocation: Invocation) throws -> (Engine, EngineOptions) {
    try invocation.withKey { key in
      var options = EngineOptions()
      options.isInspecting = true
      options.pageCacheByteCountMax = pageCacheByteCountMax
      if let key { options.key = .secret(try key.withBytes { span throws(LogError) in SecretBytes(copying: span) }) }
      return try needingKey { (try open(invocation.path, options), options) }
    }
  }

  /// A writer may be in the middle of a meta page, and then of the next: that passes at once, and damage doesn't.
  private static func open(_ path: String, _ options: EngineOptions) throws -> Engine {
    for _ in 1..<attemptCountMax {
      do throws(EngineError) { return try Engine.open(path: path, options: options) } catch {
        guard case .corrupted(let page, _) = error, page == 0 else { throw error }
      }
      SystemCalls.live.sleep(nanoseconds: 2_000_000)
    }
    return try Engine.open(path: path, options: options)
  }

  /// Of the file as it is now.
  static func newestVersion(_ invocation: Invocation) throws -> UInt64 { try open(invocation).0.snapshot().version }

  /// What a page that was reused meanwhile may look like.
  private static func isDamage(_ error: any Error) -> Bool {
    if case .corrupted? = error as? EngineError { return true }
    if case .corrupted? = error as? StorageError { return true }
    return false
  }

  private static func isLoss(_ error: any Error) -> Bool {
    if case .snapshotLost? = error as? EngineError { return true }
    if case .snapshotExpired? = error as? StorageError { return true }
    return false
  }

  /// A missing key is asked for where all missing keys are.
  private static func needingKey<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch EngineError.keyRequired { throw LogError.keyRequired }
  }

  /// - Throws: a usage error, with what was probably meant.
  func type(_ name: String) throws -> TypeAccess {
    if let type = reader.view.types[name] { return type }
    let clause = Suggestion.clause(for: name, among: reader.view.types.keys.sorted())
    throw ToolFailure.usage("no type '\(printable(name))' in this store\(clause)")
  }

  /// By name.
  var types: [TypeAccess] { reader.view.types.values.sorted { $0.name < $1.name } }

  func count(_ type: TypeAccess) throws -> UInt64 { try reader.tree(type.rowsName)?.count ?? 0 }
}

extension Operand {
  static let store = Operand(name: "STORE", documentation: "the file of a store")
  static let type = Operand(name: "TYPE", documentation: "the name of a type, as `ls` prints it")
}
