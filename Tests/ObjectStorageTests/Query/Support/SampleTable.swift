import RawMemory

@testable import ObjectStorage

/// Rows and indexes as a store has them, in sorted arrays, and an executor that walks them.
struct SampleTable {
  let schema: TypeSchema
  /// By key.
  private(set) var rows: [(key: [UInt8], row: [UInt8])] = []
  private(set) var indexes: [UInt32: [[UInt8]]] = [:]
  private(set) var positions: [[UInt8]: Int] = [:]

  init<E: StorageFields>(_ objects: [E], rowNumbers: Bool = false) throws {
    let model = try ModelDescription.of(E.self)
    schema = try TypeSchema(model, typeID: 1)
    let writer = RowWriter(RowMapping(model: model, schema: schema))
    for (number, object) in objects.enumerated() {
      let row = try writer.encode(object)
      rows.append((try Self.key(schema, row, number), row))
    }
    rows.sort { $0.key.lexicographicallyPrecedes($1.key) }
    for (position, row) in rows.enumerated() { positions[row.key] = position }
    for index in schema.indexes {
      let columns = index.columns.map { ColumnAccess(schema, column: $0) }
      var keys: [[UInt8]] = []
      for (key, row) in rows {
        var bytes: [UInt8] = []
        for access in columns {
          let value = try access.value(in: row.span.raw)
          guard KeyCoding.append(value, kind: access.kind, isOptional: access.column.isOptional, to: &bytes) else {
            throw RowError.damaged(reason: .value)
          }
        }
        keys.append(bytes + key)
      }
      indexes[index.id] = keys.sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  private static func key(_ schema: TypeSchema, _ row: [UInt8], _ number: Int) throws -> [UInt8] {
    var key: [UInt8] = []
    guard let column = schema.primaryKeyColumn else {
      KeyCoding.append(.uint(UInt64(number)), kind: .uint64, isOptional: false, to: &key)
      return key
    }
    let value = try ColumnAccess(schema, column: column.id).value(in: row.span.raw)
    KeyCoding.append(value, kind: column.kind, isOptional: false, to: &key)
    return key
  }

  func keys(of tree: AccessPath.Tree) -> [[UInt8]] {
    switch tree {
    case .rows: rows.map(\.key)
    case .index(let index): indexes[index.id] ?? []
    }
  }

  /// The keys of a path in walking order.
  func walk(_ path: AccessPath) throws -> [[UInt8]] {
    let keys = keys(of: path.tree)
    var walked: [[UInt8]] = []
    for range in path.ranges {
      var found = keys.filter { !$0.lexicographicallyPrecedes(range.lower) }
      if let upper = range.upper { found.removeAll { !$0.lexicographicallyPrecedes(upper) } }
      walked += path.isBackward ? try Self.backward(found, path) : found
    }
    return walked
  }

  private static func backward(_ keys: [[UInt8]], _ path: AccessPath) throws -> [[UInt8]] {
    guard path.hasForwardTies else { return keys.reversed() }
    var groups: [(prefix: ArraySlice<UInt8>, keys: [[UInt8]])] = []
    for key in keys {
      let prefix = key[..<(try path.layout.rowKeyOffset(in: key.span.raw))]
      if let last = groups.last, last.prefix.elementsEqual(prefix) {
        groups[groups.count - 1].keys.append(key)
      } else {
        groups.append((prefix, [key]))
      }
    }
    return groups.reversed().flatMap(\.keys)
  }

  /// Runs a plan. - Returns: the keys of the results, and how many rows were looked at.
  func run(_ plan: ExecutionPlan) throws -> (keys: [[UInt8]], examined: Int) {
    var pipeline = RowPipeline(plan)
    for key in try walk(plan.access) {
      let offset = plan.access.tree == .rows ? 0 : try plan.access.layout.rowKeyOffset(in: key.span.raw)
      let rowKey = Array(key[offset...])
      let row = row(rowKey)
      let goesOn = try pipeline.add(row.span.raw, rowKey: rowKey.span.raw)
      if !goesOn { break }
    }
    return (pipeline.finish(), pipeline.examinedCount)
  }

  /// Binds, plans and runs. - Parameter tables: those that subqueries ask.
  func run(_ form: QueryForm, tables: [SampleTable] = [], counts: Bool = false) throws -> [[UInt8]] {
    try run(try plan(form, tables: tables, counts: counts)).keys
  }

  func plan(_ form: QueryForm, tables: [SampleTable] = [], counts: Bool = false) throws -> ExecutionPlan {
    let all = Dictionary((tables + [self]).map { ($0.schema.name, $0) }) { first, _ in first }
    let bound = try Self.resolved(try BoundQuery(form, schema: schema, schemas: all.mapValues(\.schema)), all)
    if !counts { return QueryPlanner.plan(bound) }
    return try QueryPlanner.plan(bound) { path in UInt64(try walk(path).count) }
  }

  private static func resolved(_ bound: BoundQuery, _ tables: [String: SampleTable]) throws -> BoundQuery {
    var found: [[StoredValue]] = []
    for subquery in bound.subqueries {
      let table = tables[subquery.query.schema.name]!
      let access = ColumnAccess(table.schema, column: subquery.column)
      let plan = QueryPlanner.plan(try resolved(subquery.query, tables))
      found.append(
        try table.run(plan).keys.map { key in
          let row = table.row(key)
          return try access.value(in: row.span.raw)
        })
    }
    return try bound.resolved(with: found)
  }

  /// The rows' values.
  func objects() throws -> [(key: [UInt8], value: StoredValue)] {
    try rows.map { key, row in (key, .object(try schema.entries(in: row.span.raw))) }
  }

  func row(_ key: [UInt8]) -> [UInt8] { rows[positions[key]!].row }

  func integers(_ keys: [[UInt8]]) -> [Int] {
    keys.map { key in
      var offset = 0
      guard case .int(let value)? = try? KeyCoding.decode(kind: .int64, isOptional: false, from: key.span.raw, at: &offset) else {
        return -1
      }
      return Int(value)
    }
  }
}

extension SampleTable {
  /// The ids of what a query gives.
  func ids<E: StorageObject>(_ query: DatabaseQuery<E>) throws -> [Int] { integers(try run(query.form)) }
}
