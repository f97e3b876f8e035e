import RawMemory
import StorageEngine

extension StoreReader {
  func runner(_ type: any StorageObject.Type) throws(StorageError) -> QueryRunner { QueryRunner(self, try view.access(type)) }

  func row<E: StorageObject>(_ type: E.Type, _ key: [UInt8]) throws(StorageError) -> Row? {
    let runner = try runner(type)
    return try runner.row(key)
  }

  func object<E: StorageObject>(_ type: E.Type, key: [UInt8]) throws(StorageError) -> E? {
    guard let row = try row(type, key) else { return nil }
    return row.layout.model?.materialize(type, row: row)
  }

  func object<E: IdentifiableStorage>(_ type: E.Type, id: E.ID) throws(StorageError) -> E? {
    guard let key = try view.access(type).key(id.storedValue) else { return nil }
    return try object(type, key: key)
  }

  func results<E: StorageObject>(_ type: E.Type, _ form: QueryForm) throws(StorageError) -> StorageResults<E> {
    if Task.isCancelled { throw .cancelled }
    let runner = try runner(type)
    let plan = try runner.plan(form)
    guard case .snapshot = source else { return try StorageResults(rowsOf: runner, keys: try runner.keys(plan).keys, plan: plan) }
    if let positions = try ResultPositions(runner, plan) { return StorageResults(runner, .positions(positions), plan: plan) }
    return StorageResults(runner, .keys(try runner.keys(plan).keys), plan: plan)
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
    return StorageResults(runner, .keys(keys), plan: plan)
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
    return try object(type, key: key)
  }

  func last<E: StorageObject>(_ type: E.Type, _ form: QueryForm) throws(StorageError) -> E? {
    if Task.isCancelled { throw .cancelled }
    let runner = try runner(type)
    let plan = try runner.plan(form)
    if let positions = try ResultPositions(runner, plan) {
      return positions.count == 0 ? nil : try object(type, key: try positions.key(at: positions.count - 1))
    }
    guard let key = try runner.lastKey(plan) else { return nil }
    return try object(type, key: key)
  }
}

extension QueryRunner {
  /// A row, copied out. - Returns: nil without such a row.
  func row(_ key: [UInt8]) throws(StorageError) -> Row? {
    guard let mapping = type.mapping else { throw .typeNotListed(type: type.name) }
    return try withRow(key) { row throws(StorageError) in
      try readingRow { () throws(RowError) in try Row(copying: row, key: key.span.raw, mapping: mapping) }
    }
  }
}
