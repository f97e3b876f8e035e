package import StorageEngine
import Synchronization

/// An open store: the engine, and the schema of the version last looked at. Snapshots and results keep it alive.
package final class StoreCore: Sendable {
  package let engine: Engine
  package let models: [StoreModel]
  private let lastView: Mutex<(identity: TreeIdentity?, view: SchemaView)>
  let onDamage: @Sendable (StorageError) -> Void

  package init(_ engine: Engine, models: [StoreModel], onDamage: @escaping @Sendable (StorageError) -> Void = { _ in }) {
    self.engine = engine
    self.models = models
    self.onDamage = onDamage
    lastView = Mutex((nil, SchemaView(version: 0, types: [], models: models)))
  }

  /// The newest version, to be read.
  package func reader() throws(StorageError) -> StoreReader {
    let snapshot = try storing { () throws(EngineError) in try engine.snapshot() }
    let tree = try storing { () throws(EngineError) in try snapshot.tree(TreeName.schema) }
    return StoreReader(core: self, source: .snapshot(snapshot), view: try view(tree))
  }

  /// The schema in its tree; read again only when it changed.
  package func view(_ tree: Tree?) throws(StorageError) -> SchemaView {
    let identity = tree?.identity
    if let known = lastView.withLock({ $0.identity == identity ? $0.view : nil }) { return known }
    let view = try SchemaView.read(tree, models: models)
    lastView.withLock { $0 = (identity, view) }
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
