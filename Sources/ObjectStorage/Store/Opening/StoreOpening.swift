#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StorageEngine
import StorageIO

/// The steps of opening a store.
struct StoreOpening {
  let configuration: StorageConfiguration
  private let system: SystemCalls

  init(_ configuration: StorageConfiguration) {
    self.configuration = configuration
    system = configuration.testHooks.map { HookedCalls($0) } ?? .live
  }

  func open() throws(StorageError) -> (StoreCore, OpenReport) {
    let models = try models()
    var report = OpenReport(version: StorageVersion(transactionID: 0))
    let engine = try engine(&report)
    let core = StoreCore(
      engine, models: models, onDamage: damageHandler,
      watch: configuration.logHandler.map { StoreWatch(configuration.watchLimits, $0) })
    let schema = StoreSchema(core: core, configuration: configuration)
    do throws(StorageError) {
      report.migration = try schema.prepare()
    } catch {
      guard case .migrationNeeded = error, configuration.deleteStoreIfMigrationNeeded, !configuration.isReadOnly else {
        throw error
      }
      try core.deleteEverything(timeout: configuration.lockTimeout)
      _ = try schema.prepare()
      report.reset = error
      log(.resetByPolicy, "everything was deleted, because the schema differs: \(error)")
    }
    let isFirst = engine.claimFirstUse()
    report.joinedOpenStore = !isFirst
    report.wasCreated = isFirst && engine.wasCreated
    report.didDropLastCommit = isFirst && engine.didDropLastCommit
    if isFirst { report.wasCompacted = try compact(engine) }
    report.version = try core.reader().version
    log(.opened, "opened version \(report.version.transactionID)")
    if report.didDropLastCommit { log(.recovered, "the last commit wasn't whole; the one before it is current") }
    if let migration = report.migration { log(.migrated, "from version \(migration.fromVersion) to \(migration.toVersion)") }
    return (core, report)
  }

  /// - Returns: whether it was asked for and done.
  private func compact(_ engine: Engine) throws(StorageError) -> Bool {
    guard createsFile, let isWanted = configuration.shouldCompactOnLaunch else { return false }
    do throws(EngineError) {
      let (total, used) = try engine.sizes()
      guard isWanted(Int(total), Int(used)) else { return false }
      try engine.compact { done, total in
        configuration.report(.compacting, done, total)
        return true
      }
    } catch {
      // The store is as good without: the next opening asks again.
      switch error {
      case .busy, .compacting, .noSpace, .full: return false
      default: throw StorageError(error)
      }
    }
    log(.compacted, "the file was compacted")
    return true
  }

  func models() throws(StorageError) -> [StoreModel] {
    var models: [StoreModel] = []
    for type in configuration.objectTypes {
      let model = try Self.model(type)
      if models.contains(where: { $0.description.name == model.description.name }) {
        throw .invalidSchema(type: model.description.name, property: nil, reason: "two types of that name are listed")
      }
      models.append(model)
    }
    return models
  }

  private static func model<E: StorageObject>(_ type: E.Type) throws(StorageError) -> StoreModel { try StoreModel(type) }

  private var damageHandler: @Sendable (StorageError) -> Void {
    let handler = configuration.logHandler
    return { error in handler?(StorageEvent(kind: .damageFound, message: "\(error)")) }
  }
  private func log(_ kind: StorageEvent.Kind, _ message: String) {
    configuration.logHandler?(StorageEvent(kind: kind, message: message))
  }

  // MARK: The engine

  private func engine(_ report: inout OpenReport) throws(StorageError) -> Engine {
    switch try StoragePath.resolve(configuration) {
    case .memory(let identifier):
      let options = try options(fileExists: Engine.isInMemory(identifier))
      return try storing { () throws(EngineError) in try Engine.openInMemory(identifier, options: options, system: system) }
    case .file(let path): return try engine(at: path, &report)
    }
  }

  private func engine(at path: String, _ report: inout OpenReport) throws(StorageError) -> Engine {
    let files = StoreFiles(path)
    // Before the key: a file that isn't to be made needs none.
    if !createsFile, !files.exists { throw .notFound(path: path) }
    if files.isDirectory { throw .notAFile(path: path) }
    if createsFile { try StoragePath.makeDirectories(for: path) }
    let options = try options(fileExists: files.exists)
    do throws(StorageError) {
      return try storing { () throws(EngineError) in try Engine.open(path: path, options: options, system: system) }
    } catch {
      // What is wrong with a file beside it, as the lock file, is no reason to touch the store's.
      guard CorruptionPolicy.isUnrecoverable(error), createsFile, Self.isAbout(path, error) else { throw error }
      switch configuration.corruptionPolicy.response(to: error) {
      case .rethrow, .salvage: throw error
      case .deleteAndRecreate: try files.remove()
      case .quarantine: report.quarantinedFile = URL(filePath: try files.moveAside())
      }
      report.reset = error
      log(.resetByPolicy, "\(error)")
      let fresh = try self.options(fileExists: false)
      return try storing { () throws(EngineError) in try Engine.open(path: path, options: fresh, system: system) }
    }
  }

  private static func isAbout(_ path: String, _ error: StorageError) -> Bool {
    guard case .notAStore(let found) = error else { return true }
    return found == path
  }

  var createsFile: Bool { !configuration.isReadOnly && !configuration.isConstrained }

  func options(fileExists: Bool) throws(StorageError) -> EngineOptions {
    var options = EngineOptions()
    options.key = try EncryptionResolver.key(for: configuration.encryption, makesMissingSecret: !fileExists && createsFile)
    options.createsIfMissing = createsFile
    options.isReadOnly = configuration.isReadOnly
    options.pageCacheByteCountMax = configuration.pageCacheByteCountMax
    options.dirtyPageByteCountMax = configuration.dirtyPageByteCountMax
    options.fileByteCountMax = configuration.fileByteCountMax
    options.lockTimeout = configuration.lockTimeout
    options.mapsPages = configuration.fileProtection != .complete
    return options
  }
}

extension StoreCore {
  /// Removes every tree: for `deleteStoreIfMigrationNeeded`.
  func deleteEverything(timeout: Duration) throws(StorageError) {
    do {
      try write(timeout: timeout, durability: .powerLoss) { transaction in
        let box = transaction.box
        for name in try box.transaction.treeNames() { try box.deleteTree(name) }
      }
    } catch {
      throw (error as? StorageError) ?? .openFailed(underlying: error)
    }
  }
}
