import RawMemory
import StorageEngine

/// Runs a query on one version of a store.
package struct QueryRunner {
  let reader: StoreReader
  let type: TypeAccess

  package init(_ reader: StoreReader, _ type: TypeAccess) {
    self.reader = reader
    self.type = type
  }

  /// Checks the query, runs what it needs to know first, and chooses a way.
  package func plan(_ form: QueryForm) throws(StorageError) -> ExecutionPlan {
    let bound = try binding { () throws(QueryError) in
      try BoundQuery(form, schema: type.schema, schemas: reader.view.schemas)
    }
    return try plan(bound)
  }

  /// - Throws: `query` when it can't be run.
  func check(_ form: QueryForm) throws(StorageError) {
    _ = try binding { () throws(QueryError) in try BoundQuery(form, schema: type.schema, schemas: reader.view.schemas) }
  }

  private func plan(_ bound: BoundQuery) throws(StorageError) -> ExecutionPlan {
    if bound.subqueries.isEmpty {
      return try QueryPlanner.plan(bound) { path throws(StorageError) in try keyCount(path) }
    }
    var found: [[StoredValue]] = []
    for subquery in bound.subqueries { found.append(try values(subquery)) }
    let resolved = try binding { () throws(QueryError) in try bound.resolved(with: found) }
    return try QueryPlanner.plan(resolved) { path throws(StorageError) in try keyCount(path) }
  }

  private func values(_ subquery: BoundSubquery) throws(StorageError) -> [StoredValue] {
    let inner = QueryRunner(reader, try reader.view.access(named: subquery.query.schema.name))
    let access = ColumnAccess(inner.type.schema, column: subquery.column)
    var values: [StoredValue] = []
    for key in try inner.keys(try inner.plan(subquery.query)).keys {
      let value = try inner.withRow(key) { row throws(StorageError) in
        try readingRow { () throws(RowError) in try access.value(in: row) }
      }
      if let value { values.append(value) }
    }
    return values
  }

  private func binding<R>(_ body: () throws(QueryError) -> R) throws(StorageError) -> R {
    do throws(QueryError) { return try body() } catch { throw .query(error) }
  }

  // MARK: Walking

  /// The keys of the results, in their order, and how many rows were looked at.
  package func keys(_ plan: ExecutionPlan) throws(StorageError) -> (keys: [[UInt8]], examinedCount: Int) {
    if plan.countsByKeys, plan.isStreamed, case .index = plan.access.tree { return try indexKeys(plan) }
    var pipeline = RowPipeline(plan)
    if plan.filter == nil, plan.sort != nil, case .rows = plan.access.tree, let tree = try tree(plan.access) {
      try RangeWalk(tree, plan.access).run { cursor, _ throws(StorageError) in
        let row = try storing { () throws(EngineError) in try cursor.valueView() }
        return try evaluating { () throws(EvaluationError) in
          if try pipeline.drops(row.bytes(0..<row.count)) { return true }
          return try cursor.withKey { key throws(EvaluationError) in try pipeline.add(row.bytes(0..<row.count), rowKey: key) }
        }
      }
      return (pipeline.finish(), pipeline.examinedCount)
    }
    try walk(plan) { rowKey, row throws(StorageError) in
      try evaluating { () throws(EvaluationError) in try pipeline.add(row, rowKey: rowKey) }
    }
    return (pipeline.finish(), pipeline.examinedCount)
  }

  /// Of a plan that reads no row.
  private func indexKeys(_ plan: ExecutionPlan) throws(StorageError) -> (keys: [[UInt8]], examinedCount: Int) {
    let end = plan.window.end ?? .max
    guard end > 0, let tree = try tree(plan.access) else { return ([], 0) }
    var keys: [[UInt8]] = []
    var position = 0
    try RangeWalk(tree, plan.access).run { cursor, known throws(StorageError) in
      position += 1
      if position <= plan.window.offset { return position < end }
      let view = cursor.keyView()
      let key = view.bytes(0..<view.count)
      let start = if let known { known } else { try Self.rowKeyOffset(plan, key) }
      keys.append(key.extracting(droppingFirst: start).copied())
      return position < end
    }
    return (keys, position)
  }

  /// Where the row's key begins in an index's.
  private static func rowKeyOffset(_ plan: ExecutionPlan, _ key: RawSpan) throws(StorageError) -> Int {
    try readingRow { () throws(RowError) in try plan.access.layout.rowKeyOffset(in: key) }
  }

  func tree(_ path: AccessPath) throws(StorageError) -> Tree? {
    switch path.tree {
    case .rows: try reader.tree(type.rowsName)
    case .index(let index): try reader.tree(type.treeName(index))
    }
  }

  /// Calls `body` with each key and row of the plan's ranges, until it returns false.
  ///
  /// - Parameter readsRows: false: a row that the plan doesn't read is empty.
  func walk(
    _ plan: ExecutionPlan, readsRows: Bool = false, _ body: (RawSpan, RawSpan) throws(StorageError) -> Bool
  ) throws(StorageError) {
    guard let tree = try tree(plan.access) else { return }
    guard case .index = plan.access.tree else {
      return try RangeWalk(tree, plan.access).run { cursor, _ throws(StorageError) in
        try Self.withEntry(&cursor, body)
      }
    }
    let rows = plan.columns.isEmpty && !readsRows ? nil : try reader.tree(type.rowsName)
    let none: [UInt8] = []
    try RangeWalk(tree, plan.access).run { cursor, known throws(StorageError) in
      try cursor.withKey { key throws(StorageError) in
        let start = if let known { known } else { try Self.rowKeyOffset(plan, key) }
        let rowKey = key.extracting(droppingFirst: start)
        guard let rows else { return try body(rowKey, none.span.raw) }
        let goesOn = try Self.withValue(rows, rowKey) { row throws(StorageError) in try body(rowKey, row) }
        guard let goesOn else { throw .corrupted(page: 0, reason: "an index of \(type.name) has a row that isn't there") }
        return goesOn
      }
    }
  }

  /// Lends a row by its key. - Returns: nil without such a row.
  package func withRow<R>(_ key: [UInt8], _ body: (RawSpan) throws(StorageError) -> R) throws(StorageError) -> R? {
    guard let tree = try reader.tree(type.rowsName) else { return nil }
    return try Self.withValue(tree, key.span.raw, body)
  }

  static func withValue<R>(
    _ tree: Tree, _ key: borrowing RawSpan, _ body: (RawSpan) throws(StorageError) -> R
  ) throws(StorageError) -> R? {
    var failure: StorageError?
    let result: R?? = try storing { () throws(EngineError) in
      try tree.withValue(forKey: key) { value throws(EngineError) in
        do throws(StorageError) { return try body(value) } catch {
          failure = error
          return nil
        }
      }
    }
    if let failure { throw failure }
    return result ?? nil
  }

  private static func withEntry<R>(
    _ cursor: inout TreeCursor, _ body: (RawSpan, RawSpan) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    var failure: StorageError?
    let result: R? = try storing { () throws(EngineError) in
      try cursor.withEntry { key, value throws(EngineError) in
        do throws(StorageError) { return try body(key, value) } catch {
          failure = error
          return nil
        }
      }
    }
    guard let result else { throw failure ?? .cancelled }
    return result
  }
}
