import RawMemory

extension ModelDescription {
  /// A value that reads its properties from the row.
  package func materialize<E: StorageFields>(_ type: E.Type, row: Row) -> E { bind(type, to: row) ?? type.init() }

  func bind<E: StorageFields>(_ type: E.Type, to row: Row) -> E? {
    guard var object = template as? E else { return nil }
    FieldAccess.withFields(of: &object, at: offsets, as: PersistedState.self) { index, state in
      state = .stored(row, UInt16(truncatingIfNeeded: index))
    }
    return object
  }

  /// The row that a value was read from; nil for one that the app made.
  package func row<E: StorageFields>(of object: E) -> Row? {
    var object = object
    for property in properties { if case .stored(let row, _) = property.state(of: &object).origin.form { return row } }
    return nil
  }

  /// The properties that `.modified` writes over an existing row. See ``Persisted``.
  package func changedProperties<E: StorageFields>(of object: E) -> [Int] {
    var object = object
    return properties.indices.filter { index in
      let property = properties[index]
      let state = property.state(of: &object)
      switch state.form {
      case .stored, .blank: return false
      case .assigned(let box) where box.isChange(after: property.assignmentCount): return true
      case .assigned, .declared: return property.isGiven(property.storedValue(of: state))
      }
    }
  }

  /// Every property's value, in their order.
  package func storedValues<E: StorageFields>(of object: E) -> [StoredValue] {
    var object = object
    return properties.map { $0.storedValue(of: $0.state(of: &object)) }
  }

  package func storedValue<E: StorageFields>(of object: E, at property: Int) -> StoredValue {
    var object = object
    return properties[property].storedValue(of: properties[property].state(of: &object))
  }

  /// - Returns: false when the value isn't of the property's type; nothing was assigned then.
  package func assign<E: StorageFields>(_ value: StoredValue, to property: Int, of object: inout E) -> Bool {
    let property = properties[property]
    guard let state = property.field.assigned(value, after: property.state(of: &object)) else { return false }
    property.setState(state, of: &object)
    return true
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

extension PersistedBox {
  /// Whether it was assigned by more than an `init()` that assigns so often.
  fileprivate func isChange(after initCount: UInt32) -> Bool {
    if case .stored = origin?.form { return true }
    return assignmentCount != initCount
  }
}
