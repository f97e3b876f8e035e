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
  private func check(_ view: SchemaView) throws(StorageError) -> [SchemaDifference] {
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

  private func isCurrent(_ view: SchemaView) throws(StorageError) -> Bool {
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
    try editor.finish(version: to)
    if from == 0 { return nil }
    var report = MigrationReport()
    report.fromVersion = from
    report.toVersion = to
    report.differences = differences
    return report
  }
}

extension SchemaDifference {
  /// A property of another type is a new one, in the place of the old.
  fileprivate var isReplaceable: Bool { if case .propertyTypeChanged = kind { true } else { false } }
}
