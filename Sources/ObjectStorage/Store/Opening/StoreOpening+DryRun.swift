import RawMemory
import StorageEngine
import StorageIO

extension StoreOpening {
  /// How often what is read is begun anew, because writers have reused it.
  private static var attemptCountMax: Int { 8 }

  /// What opening would migrate.
  func dryRun() throws(StorageError) -> MigrationReport {
    let models = try models()
    for _ in 1..<Self.attemptCountMax {
      do throws(StorageError) { return try dryRun(models) } catch {
        guard case .snapshotExpired = error else { throw error }
      }
    }
    return try dryRun(models)
  }

  private func dryRun(_ models: [StoreModel]) throws(StorageError) -> MigrationReport {
    var report = MigrationReport()
    (report.fromVersion, report.toVersion) = (configuration.schemaVersion, configuration.schemaVersion)
    guard let engine = try engineWithoutTrace() else { return report }
    let core = StoreCore(engine, models: models)
    let reader = try core.reader()
    let schema = StoreSchema(core: core, configuration: configuration)
    _ = try schema.check(reader.view)
    if try schema.isCurrent(reader.view) || reader.view.version == 0 { return report }
    return try dryRun(reader)
  }

  /// nil where there is no store: what is made has the code's schema.
  private func engineWithoutTrace() throws(StorageError) -> Engine? {
    switch try StoragePath.resolve(configuration) {
    case .memory(let identifier):
      guard Engine.isInMemory(identifier) else { return nil }
      let options = try options(fileExists: true)
      return try storing { () throws(EngineError) in try Engine.openInMemory(identifier, options: options) }
    case .file(let path):
      guard StoreFiles(path).exists else { return nil }
      var options = try options(fileExists: true)
      options.isInspecting = true
      return try storing { () throws(EngineError) in try Engine.open(path: path, options: options) }
    }
  }

  /// Migrates the schema alone, in memory, and then sees whether the rows of the store allow the new unique indexes.
  private func dryRun(_ reader: StoreReader) throws(StorageError) -> MigrationReport {
    let identifier = "dry run \(ObjectIdentifier(reader.core))"
    let engine = try storing { () throws(EngineError) in try Engine.openInMemory(identifier) }
    defer { Engine.forgetInMemory(identifier) }
    let scratch = StoreCore(engine, models: reader.core.models)
    let transaction = try storing { () throws(EngineError) in try engine.begin() }
    defer { transaction.abort() }
    let box = try TransactionBox(scratch, transaction)
    defer { box.end() }
    try copySchema(reader, to: box)
    box.use(reader.view)
    var quiet = configuration
    quiet.progressHandler = nil
    let migrated = try StoreSchema(core: scratch, configuration: quiet)
      .migrate(box, from: reader.view.version, to: configuration.schemaVersion)
    guard let migrated else { return MigrationReport() }
    let after = try SchemaView.read(try box.tree(TreeName.schema), models: scratch.models)
    for (_, type) in after.types.sorted(by: { $0.key < $1.key }) {
      let old = reader.view.types.values.first { $0.schema.typeID == type.schema.typeID }?.schema.indexes ?? []
      guard let rows = try reader.tree(type.rowsName) else { continue }
      for index in type.indexes where index.schema.isUnique && !old.contains(index.schema) {
        _ = try type.entries(index, rows, byteCountMax: reader.core.engine.keyByteCountMax)
      }
    }
    return migrated
  }

  private func copySchema(_ reader: StoreReader, to box: TransactionBox) throws(StorageError) {
    guard var cursor = try reader.tree(TreeName.schema)?.cursor() else { return }
    var isThere = try storing { () throws(EngineError) in try cursor.first() }
    while isThere {
      let value = try storing { () throws(EngineError) in try cursor.withValue { value throws(EngineError) in value.copied() } }
      try box.put(cursor.key, value.span.raw, over: nil, in: TreeName.schema)
      isThere = try storing { () throws(EngineError) in try cursor.next() }
    }
  }
}
