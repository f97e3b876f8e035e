package import StorageEngine
import Synchronization

/// An open store: the engine, and the schema of the version last looked at. Snapshots and results keep it alive.
package final class StoreCore: Sendable {
  package let engine: Engine
  package let models: [StoreModel]
  private struct LastView {
    /// In which it was seen last; 0 for none.
    var version: UInt64
    var identity: TreeIdentity?
    var view: SchemaView
  }
  private let lastView: Mutex<LastView>
  let onDamage: @Sendable (StorageError) -> Void
  /// nil without a log handler.
  let watch: StoreWatch?

  package convenience init(_ engine: Engine, models: [StoreModel], onDamage: @escaping @Sendable (StorageError) -> Void = { _ in })
  {
    self.init(engine, models: models, onDamage: onDamage, watch: nil)
  }

  init(_ engine: Engine, models: [StoreModel], onDamage: @escaping @Sendable (StorageError) -> Void, watch: StoreWatch?) {
    self.engine = engine
    self.models = models
    self.onDamage = onDamage
    self.watch = watch
    lastView = Mutex(LastView(version: 0, identity: nil, view: SchemaView(version: 0, types: [], models: models)))
  }

  /// The newest version, to be read.
  package func reader() throws(StorageError) -> StoreReader {
    let snapshot = try storing { () throws(EngineError) in try engine.snapshot() }
    return StoreReader(core: self, source: .snapshot(snapshot), view: try view(snapshot))
  }

  private func view(_ snapshot: Snapshot) throws(StorageError) -> SchemaView {
    let version = snapshot.version
    if let known = lastView.withLock({ $0.version == version ? $0.view : nil }) { return known }
    let view = try view(try storing { () throws(EngineError) in try snapshot.tree(TreeName.schema) })
    lastView.withLock { last in if last.view === view { last.version = version } }
    return view
  }

  /// The schema in its tree; read again only when it changed.
  package func view(_ tree: Tree?) throws(StorageError) -> SchemaView {
    let identity = tree?.identity
    if let known = lastView.withLock({ $0.identity == identity ? $0.view : nil }) { return known }
    let view = try SchemaView.read(tree, models: models)
    lastView.withLock { $0 = LastView(version: 0, identity: identity, view: view) }
    return view
  }
}

/// One version of a store, committed or being written, and its schema.
///
/// A snapshot may be read by several threads; a transaction is its thread's, which the types around it see to.
package struct StoreReader: @unchecked Sendable {
  enum Source {
    case snapshot(Snapshot)
    case transaction(EngineWriter)
  }
  let core: StoreCore
  let source: Source
  package let view: SchemaView

  package func tree(_ name: String) throws(StorageError) -> Tree? {
    switch source {
    case .snapshot(let snapshot): try storing { () throws(EngineError) in try snapshot.tree(name) }
    case .transaction(let transaction): try storing { () throws(EngineError) in try transaction.tree(name) }
    }
  }
  var version: StorageVersion {
    switch source {
    case .snapshot(let snapshot): StorageVersion(transactionID: snapshot.version)
    case .transaction(let transaction): StorageVersion(transactionID: transaction.version)
    }
  }
}
