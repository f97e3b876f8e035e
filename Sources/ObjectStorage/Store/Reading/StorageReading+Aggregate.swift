import RawMemory

extension StorageReading {
  /// The sum of a property's values; nil counts for nothing, of nothing it is 0.
  /// - Throws: `QueryError.overflow`, as `StorageError.query`, when integers leave their range.
  public func sum<E: StorageObject, V: StorageNumeric>(
    _ type: E.Type, of property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) throws(StorageError) -> V.StorageSum {
    let column = try column(type, property)
    var sum = SumAccumulator(kind: column.kind, part: column.column.name)
    try forEach(type, query, column) { value throws(StorageError) in
      do throws(QueryError) { try sum.add(value) } catch { throw .query(error) }
    }
    return V.StorageSum(stored: sum.result) ?? 0
  }
  /// The average of a property's values; nil counts for nothing, of nothing there is none.
  public func average<E: StorageObject, V: StorageNumeric>(
    _ type: E.Type, of property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) throws(StorageError) -> V.StorageAverage? {
    let column = try column(type, property)
    var average = AverageAccumulator(kind: column.kind)
    try forEach(type, query, column) { value in average.add(value) }
    return V.StorageAverage(stored: average.result)
  }
  /// The least of a property's values; nil counts for nothing, of nothing there is none. An enum's unknown raw value counts as what a
  /// reader gets for it.
  public func min<E: StorageObject, V: StorageComparable>(
    _ type: E.Type, of property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) throws(StorageError) -> V.StorageUnwrapped? {
    try extremum(type, property, query, isMaximum: false)
  }
  /// The greatest of a property's values; nil counts for nothing, of nothing there is none. An enum's unknown raw value counts as what a
  /// reader gets for it.
  public func max<E: StorageObject, V: StorageComparable>(
    _ type: E.Type, of property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) throws(StorageError) -> V.StorageUnwrapped? {
    try extremum(type, property, query, isMaximum: true)
  }
  /// The objects by a property's value, in the order of the values. Those with a raw value of an enum that this build doesn't know belong
  /// to what a reader gets for it: the property's default, nil in an optional.
  public func groups<E: StorageObject, V: StorageComparable>(
    _ type: E.Type, by property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) throws(StorageError) -> [StorageGroup<V, E>] {
    let (column, unknown) = (try column(type, property), try substitute(type, property))
    let runner = try _reader().reader.runner(type)
    let plan = try runner.plan(query.form)
    var groups: [[UInt8]: (value: StoredValue, keys: [[UInt8]])] = [:]
    for key in try runner.keys(plan).keys {
      var value = try runner.value(column, key)
      if let unknown, V(stored: value) == nil { value = unknown }
      var place: [UInt8] = []
      KeyCoding.append(value, kind: column.kind, isOptional: column.column.isOptional, to: &place)
      groups[place, default: (value, [])].keys.append(key)
    }
    var result: [StorageGroup<V, E>] = []
    for (_, group) in groups.sorted(by: { $0.key.compareBytes(with: $1.key) < 0 }) {
      guard let key = V(stored: group.value) else { continue }
      result.append(StorageGroup(key: key, results: try runner.results(group.keys, plan)))
    }
    return result
  }

  private func extremum<E: StorageObject, V: StorageComparable>(
    _ type: E.Type, _ property: any KeyPath<E, V> & Sendable, _ query: DatabaseQuery<E>, isMaximum: Bool
  ) throws(StorageError) -> V.StorageUnwrapped? {
    let (column, unknown) = (try column(type, property), try substitute(type, property))
    var extremum = ExtremumAccumulator(isMaximum: isMaximum)
    try forEach(type, query, column) { value in
      if let unknown, V(stored: value) == nil { extremum.add(unknown) } else { extremum.add(value) }
    }
    return V.StorageUnwrapped(stored: extremum.result)
  }

  /// What a reader gets for a raw value of an enum that this build doesn't know; nil for a property of another type.
  private func substitute<E: StorageObject, V: StorageComparable>(
    _ type: E.Type, _ property: any KeyPath<E, V> & Sendable
  ) throws(StorageError) -> StoredValue? {
    guard V.StorageUnwrapped.self is any PersistableEnum.Type else { return nil }
    if V._null != nil { return .null }
    guard let model = try _reader().reader.view.access(type).mapping?.model else { return nil }
    do throws(QueryError) { return model.properties[try model.propertyIndex(property)].defaultValue } catch { throw .query(error) }
  }

  private func column<E: StorageObject>(_ type: E.Type, _ property: PartialKeyPath<E>) throws(StorageError) -> ColumnAccess {
    let access = try _reader().reader.view.access(type)
    guard let mapping = access.mapping else { throw .typeNotListed(type: E.storageName) }
    do throws(QueryError) {
      let index = try mapping.model.propertyIndex(property)
      guard let position = mapping.positions[index] else {
        throw .unknownProperty(name: mapping.model.properties[index].name, type: access.name)
      }
      return ColumnAccess(access.schema, column: access.schema.columns[position].id)
    } catch {
      throw .query(error)
    }
  }

  private func forEach<E: StorageObject>(
    _ type: E.Type, _ query: DatabaseQuery<E>, _ column: ColumnAccess, _ body: (StoredValue) throws(StorageError) -> Void
  ) throws(StorageError) {
    let runner = try _reader().reader.runner(type)
    try runner.forEachRow(try runner.plan(query.form)) { _, row throws(StorageError) in
      try body(try readingRow { () throws(RowError) in try column.value(in: row) })
    }
  }
}

extension QueryRunner {
  func value(_ column: ColumnAccess, _ key: [UInt8]) throws(StorageError) -> StoredValue {
    try withRow(key) { row throws(StorageError) in
      try readingRow { () throws(RowError) in try column.value(in: row) }
    } ?? .null
  }
  func results<E: StorageObject>(_ keys: [[UInt8]], _ plan: ExecutionPlan) throws(StorageError) -> StorageResults<E> {
    guard case .snapshot = reader.source else { return try StorageResults(rowsOf: self, keys: keys, plan: plan) }
    return try StorageResults(self, .keys(keys), plan: plan)
  }
}
