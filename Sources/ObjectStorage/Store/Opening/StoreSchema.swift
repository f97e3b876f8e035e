#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import RawMemory
import StorageEngine

/// Brings the schema of a file and the code's together when a store is opened.
struct StoreSchema {
  let core: StoreCore
  let configuration: StorageConfiguration

  /// - Returns: what was migrated; nil when nothing was.
  func prepare() throws(StorageError) -> MigrationReport? {
    let view = try core.reader().view
    let differences = try check(view)
    if configuration.isReadOnly || configuration.isConstrained {
      let unusable = differences.filter { !$0.isAdditive }
      if view.version < configuration.schemaVersion || !unusable.isEmpty { throw .migrationNeeded(differences: differences) }
      return nil
    }
    if try isCurrent(view) { return nil }
    var report: MigrationReport?
    var failure: StorageError?
    do {
      report = try core.write(timeout: configuration.lockTimeout, durability: .powerLoss) { transaction in
        do throws(StorageError) { return try migrate(transaction.box) } catch {
          failure = error
          throw error
        }
      }
    } catch {
      throw failure ?? (error as? StorageError) ?? .openFailed(underlying: error)
    }
    return report
  }

  /// What the file and the code differ in.
  /// - Throws: `schemaTooNew`; `migrationNeeded` where the difference needs code that isn't there.
  func check(_ view: SchemaView) throws(StorageError) -> [SchemaDifference] {
    guard view.version <= configuration.schemaVersion else {
      throw .schemaTooNew(found: view.version, configured: configuration.schemaVersion)
    }
    var differences: [SchemaDifference] = []
    for model in core.models {
      guard let access = view.types[model.description.name] else {
        if view.version > 0 {
          differences.append(SchemaDifference(type: model.description.name, kind: .typeAdded, isAdditive: true))
        }
        continue
      }
      differences += try access.schema.merged(with: model.description).differences
    }
    let isMigrating = view.version < configuration.schemaVersion && configuration.migrate != nil
    if !isMigrating, differences.contains(where: { !$0.isAdditive }) { throw .migrationNeeded(differences: differences) }
    return differences
  }

  func isCurrent(_ view: SchemaView) throws(StorageError) -> Bool {
    guard view.version == configuration.schemaVersion else { return false }
    for model in core.models {
      guard let access = view.types[model.description.name] else { return false }
      if try access.schema.merged(with: model.description).schema != access.schema { return false }
    }
    return true
  }

  private func migrate(_ box: TransactionBox) throws(StorageError) -> MigrationReport? {
    // Another process may have been first.
    let view = box.view
    _ = try check(view)
    if try isCurrent(view) { return nil }
    let (from, to) = (view.version, configuration.schemaVersion)
    let copy = from > 0 && configuration.keepsCopyBeforeMigration ? try keepCopy(ofVersion: from) : nil
    do throws(StorageError) {
      var report = try migrate(box, from: from, to: to)
      report?.copy = copy.map { URL(filePath: $0) }
      return report
    } catch {
      // The file is as it was: it needs no copy.
      if let copy { try? StoreFiles(copy).remove() }
      throw error
    }
  }

  /// The writer's lock is held: the copy is of what will be migrated. - Returns: nil in memory.
  private func keepCopy(ofVersion version: UInt64) throws(StorageError) -> String? {
    if core.engine.isInMemory { return nil }
    let path = try StoreFiles(core.engine.path).pathForCopy(ofVersion: version)
    try storing { () throws(EngineError) in
      try core.engine.writeCopy(to: path, key: core.engine.options.key) { done, total in
        configuration.report(.copying, done, total)
        return true
      }
    }
    return path
  }

  func migrate(_ box: TransactionBox, from: UInt64, to: UInt64) throws(StorageError) -> MigrationReport? {
    let editor = try SchemaEditor(box)
    let isNewVersion = from > 0 && from < to
    if isNewVersion, let migrate = configuration.migrate {
      do {
        var migration = Migration(editor, from: from, to: to)
        try migrate(&migration, from)
      } catch {
        throw .migrationFailed(toVersion: to, underlying: error)
      }
    }
    let differences = try editor.merge(core.models, isNewVersion: isNewVersion)
    if let open = differences.first(where: { !$0.isAdditive && !$0.isReplaceable }) { throw .migrationNeeded(differences: [open]) }
    try editor.finish(version: to) { done, total in configuration.report(.migrating, done, total) }
    if from == 0 { return nil }
    var report = MigrationReport()
    report.fromVersion = from
    report.toVersion = to
    report.differences = differences
    return report
  }
}

extension StorageConfiguration {
  func report(_ operation: StorageProgress.Operation, _ done: UInt64, _ total: UInt64) {
    progressHandler?(StorageProgress(operation: operation, completedUnitCount: Int(done), totalUnitCount: Int(max(done, total))))
  }
}

extension SchemaDifference {
  /// A property of another type is a new one, in the place of the old.
  fileprivate var isReplaceable: Bool { if case .propertyTypeChanged = kind { true } else { false } }
}
