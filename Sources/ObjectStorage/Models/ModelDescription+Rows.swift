extension ModelDescription {
  /// A value that reads its properties from the row.
  package func materialize<E: StorageFields>(_ type: E.Type, row: Row) -> E { bind(type, to: row) ?? type.init() }

  func bind<E: StorageFields>(_ type: E.Type, to row: Row) -> E? {
    guard var object = template as? E else { return nil }
    for index in properties.indices {
      properties[index].field.bind(&object, at: properties[index].offset, to: row, property: UInt16(index))
    }
    return object
  }

  /// The row that a value was read from; nil for one that the app made.
  package func row<E: StorageFields>(of object: E) -> Row? {
    var object = object
    for property in properties {
      switch property.field.state(of: &object, at: property.offset) {
      case .stored(let row): return row
      case .assigned(_, .some(let row)): return row
      case .assigned, .declared: continue
      }
    }
    return nil
  }

  /// The properties that `.modified` writes over an existing row. See ``Persisted``.
  package func changedProperties<E: StorageFields>(of object: E) -> [Int] {
    var object = object
    return properties.indices.filter { index in
      let property = properties[index]
      switch property.field.state(of: &object, at: property.offset) {
      case .stored: return false
      case .assigned(_, .some): return true
      case .assigned(let count, nil) where count != property.assignmentCount: return true
      case .assigned, .declared:
        return property.isGiven(property.field.storedValue(of: &object, at: property.offset))
      }
    }
  }

  /// Every property's value, in their order.
  package func storedValues<E: StorageFields>(of object: E) -> [StoredValue] {
    var object = object
    return properties.map { $0.field.storedValue(of: &object, at: $0.offset) }
  }

  package func storedValue<E: StorageFields>(of object: E, at property: Int) -> StoredValue {
    var object = object
    return properties[property].field.storedValue(of: &object, at: properties[property].offset)
  }

  /// - Returns: false when the value isn't of the property's type; nothing was assigned then.
  package func assign<E: StorageFields>(_ value: StoredValue, to property: Int, of object: inout E) -> Bool {
    properties[property].field.assign(value, to: &object, at: properties[property].offset)
  }
}

extension ModelProperty {
  /// Whether a value that an init left in the property is another one than its default.
  fileprivate func isGiven(_ value: StoredValue) -> Bool {
    if !isDefaultVolatile { return value != defaultValue }
    // `Date()` is another one each time, but never older than the process; of `UUID()` nothing can be told.
    if case .date(let date) = value { return !ModelClock.canBeDefault(date) }
    return false
  }
}
