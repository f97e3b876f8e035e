import RawMemory

/// What discovery asks of a `@Persisted` property whose value's type isn't known.
package protocol PersistedField: Sendable {
  static var valueType: any PersistableValue.Type { get }
  static var columnType: _ColumnType { get }
  var state: PersistedState { get }
  var currentValue: StoredValue { get }
  static var emptyValue: any PersistableValue { get }
  /// Whether this is a copy of the field at that place.
  func isField<Root>(of root: inout Root, at offset: Int) -> Bool

  /// The value of a row's property.
  static func value(of row: Row, at property: Int) -> any PersistableValue
  /// - Returns: nil when the value isn't of the property's type.
  static func assigned(_ value: StoredValue, after state: PersistedState) -> PersistedState?
}

extension Persisted: PersistedField {
  package static var valueType: any PersistableValue.Type { Value.self }
  package static var columnType: _ColumnType { Value._columnType }
  package static var emptyValue: any PersistableValue { Value._placeholder }
  package var currentValue: StoredValue { wrappedValue.storedValue }

  package func isField<Root>(of root: inout Root, at offset: Int) -> Bool {
    var copy = self
    guard let own = FieldAccess.word(of: &copy, at: 0) else { return false }
    return FieldAccess.word(of: &root, at: offset) == own
  }

  package static func value(of row: Row, at property: Int) -> any PersistableValue { row.value(at: property, as: Value.self) }

  package static func assigned(_ value: StoredValue, after state: PersistedState) -> PersistedState? {
    guard let value = Value(stored: value) else { return nil }
    return .assigned(PersistedValueBox(assigned: value, after: state.origin, count: state.assignmentCount))
  }
}

extension ModelDescription {
  /// A `Persisted` is its state and nothing else, so its state begins where it does.
  func states<E: StorageFields>(of object: E) -> [PersistedState] {
    var states: [PersistedState] = []
    states.reserveCapacity(offsets.count)
    FieldAccess.forEachField(of: object, at: offsets, as: PersistedState.self) { states.append($0) }
    return states
  }
}

extension ModelProperty {
  func storedValue(of state: PersistedState) -> StoredValue {
    switch state.form {
    case .declared(let box), .assigned(let box): box.storedValue
    case .stored(let row, let property): field.value(of: row, at: property).storedValue
    case .unset: field.emptyValue.storedValue
    case .blank: defaultValue
    }
  }

  /// Appends what a row has of the value. - Returns: false for nil, when nothing is appended.
  func append(_ state: PersistedState, to bytes: inout [UInt8], fields: RowMapping?) -> Bool {
    switch state.form {
    case .declared(let box), .assigned(let box): return box.append(to: &bytes, fields: fields)
    case .stored(let row, let property):
      // What was read and not assigned stays as it is, an enum's unknown raw value too. An embedded struct's bytes are those of its
      // schema, which may have changed.
      if self.fields == nil, let range = row.storedRange(of: property) {
        row.bytes.withBytes { bytes.append(copying: $0.extracting(range)) }
        return true
      }
      return append(field.value(of: row, at: property), to: &bytes, fields: fields)
    case .unset: return append(field.emptyValue, to: &bytes, fields: fields)
    case .blank: return false
    }
  }

  private func append(_ value: any PersistableValue, to bytes: inout [UInt8], fields: RowMapping?) -> Bool {
    if value._isNull { return false }
    value._append(to: &bytes, fields)
    return true
  }
}
