import RawMemory
import StorageEngine

extension StoreReader {
  func runner(_ type: any StorageObject.Type) throws(StorageError) -> QueryRunner { QueryRunner(self, try view.access(type)) }

  private func object<E: StorageObject>(_ type: E.Type, _ runner: QueryRunner, key: [UInt8]) throws(StorageError) -> E? {
    guard let row = try RowSource(runner).row(key.span.raw) else { return nil }
    return row.layout.model?.materialize(type, row: row)
  }

  func object<E: IdentifiableStorage>(_ type: E.Type, id: E.ID) throws(StorageError) -> E? {
    guard let row = try row(type, id: id.storedValue) else { return nil }
    return row.layout.model?.materialize(type, row: row)
  }

  /// A row by its primary key, copied out; nil without one.
  func row(_ type: any StorageObject.Type, id: StoredValue) throws(StorageError) -> Row? {
    let access = try view.access(type)
    guard let key = access.key(id), let tree = try tree(access.rowsName) else { return nil }
    guard let mapping = access.mapping else { throw .typeNotListed(type: access.name) }
    guard let value = try storing({ () throws(EngineError) in try tree.valueView(forKey: key.span.raw) }) else { return nil }
    return try readingRow { () throws(RowError) in
      try Row(copying: value.bytes(0..<value.count), key: key.span.raw, mapping: mapping)
    }
  }

  func results<E: StorageObject>(_ type: E.Type, _ form: QueryForm) throws(StorageError) -> StorageResults<E> {
    if Task.isCancelled { throw .cancelled }
    let runner = try runner(type)
    let plan = try runner.plan(form)
    guard case .snapshot = source else { return try StorageResults(rowsOf: runner, keys: try runner.keys(plan).keys, plan: plan) }
    if let positions = try ResultPositions(runner, plan) { return try StorageResults(runner, .positions(positions), plan: plan) }
    return try StorageResults(runner, .keys(try runner.keys(plan).keys), plan: plan)
  }

  func results<E: IdentifiableStorage>(_ type: E.Type, ids: some Sequence<E.ID>) throws(StorageError) -> StorageResults<E> {
    if Task.isCancelled { throw .cancelled }
    let runner = try runner(type)
    let plan = try runner.plan(QueryForm())
    var keys: [[UInt8]] = []
    let tree = try tree(runner.type.rowsName)
    for id in ids {
      guard let tree, let key = runner.type.key(id.storedValue) else { continue }
      if try storing({ () throws(EngineError) in try tree.contains(key.span.raw) }) { keys.append(key) }
    }
    guard case .snapshot = source else { return try StorageResults(rowsOf: runner, keys: keys, plan: plan) }
    return try StorageResults(runner, .keys(keys), plan: plan)
  }

  func count(_ type: any StorageObject.Type, _ form: QueryForm) throws(StorageError) -> Int {
    if Task.isCancelled { throw .cancelled }
    let runner = try runner(type)
    let needed = form.forCounting
    // What is left out must make sense too.
    if needed.steps.count < form.steps.count { try runner.check(form) }
    return try runner.count(try runner.plan(needed))
  }

  func first<E: StorageObject>(_ type: E.Type, _ form: QueryForm) throws(StorageError) -> E? {
    if Task.isCancelled { throw .cancelled }
    let runner = try runner(type)
    guard let key = try runner.keys(try runner.plan(form.appending(.limit(1)))).keys.first else { return nil }
    return try object(type, runner, key: key)
  }

  func last<E: StorageObject>(_ type: E.Type, _ form: QueryForm) throws(StorageError) -> E? {
    if Task.isCancelled { throw .cancelled }
    let runner = try runner(type)
    let plan = try runner.plan(form)
    if let positions = try ResultPositions(runner, plan) {
      if positions.count == 0 { return nil }
      var place: ResultPositions.Place?
      let row = try positions.row(at: positions.count - 1, try RowSource(runner), &place)
      return row.layout.model?.materialize(type, row: row)
    }
    guard let key = try runner.lastKey(plan) else { return nil }
    return try object(type, runner, key: key)
  }
}
