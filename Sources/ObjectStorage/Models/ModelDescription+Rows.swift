public import RawMemory

extension ModelDescription {
  /// A value that reads its properties from the row. - Parameter type: the description's own.
  @inlinable package func materialize<E: StorageFields>(_ type: E.Type, row: Row) -> E {
    guard type == self.type else { return type.init() }
    // Of the model's own type, as has been made sure.
    var object = KnownClass.cast(template, to: ModelTemplate<E>.self).value
    FieldAccess.withFields(of: &object, at: offsets, as: PersistedState.self) { index, state in
      state = .stored(row, UInt16(truncatingIfNeeded: index))
    }
    return object
  }

  /// The row that a value was read from; nil for one that the app made.
  package func row<E: StorageFields>(of object: E) -> Row? {
    for state in states(of: object) { if case .stored(let row, _) = state.origin.form { return row } }
    return nil
  }

  /// The properties that `.modified` writes over an existing row. See ``Persisted``.
  package func changedProperties<E: StorageFields>(of object: E) -> [Int] {
    let states = states(of: object)
    return states.indices.filter { index in
      let property = properties[index]
      switch states[index].form {
      case .stored, .blank: return false
      case .assigned(let box) where box.isChange(after: property.assignmentCount): return true
      case .assigned, .declared, .unset: return property.isGiven(property.storedValue(of: states[index]))
      }
    }
  }

  /// Every property's value, in their order.
  package func storedValues<E: StorageFields>(of object: E) -> [StoredValue] {
    zip(properties, states(of: object)).map { $0.storedValue(of: $1) }
  }

  /// One property's value.
  package func storedValue<E: StorageFields>(of object: E, at property: Int) -> StoredValue {
    var value = StoredValue.null
    FieldAccess.forEachField(of: object, at: [offsets[property]], as: PersistedState.self) { state in
      value = properties[property].storedValue(of: state)
    }
    return value
  }

  /// - Returns: false when the value isn't of the property's type; nothing was assigned then.
  package func assign<E: StorageFields>(_ value: StoredValue, to property: Int, of object: inout E) -> Bool {
    var isAssigned = false
    FieldAccess.withFields(of: &object, at: [offsets[property]], as: PersistedState.self) { _, state in
      guard let assigned = properties[property].field.assigned(value, after: state) else { return }
      state = assigned
      isAssigned = true
    }
    return isAssigned
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
