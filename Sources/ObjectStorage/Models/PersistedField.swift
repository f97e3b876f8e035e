import RawMemory

/// A `@Persisted` property whose value's type isn't known, inside a model whose type is.
///
/// `offset` is the property's in the model, found and verified at discovery.
package protocol PersistedField: Sendable {
  static var valueType: any PersistableValue.Type { get }
  static var columnType: _ColumnType { get }
  var options: PersistedOptions { get }
  var currentValue: StoredValue { get }
  /// How often it was assigned.
  var assignmentCount: UInt32 { get }
  /// Whether this is a copy of the field at that place.
  func isField<Root>(of root: inout Root, at offset: Int) -> Bool

  static func bind<Root>(_ root: inout Root, at offset: Int, to row: Row, property: UInt16)
  static func state<Root>(of root: inout Root, at offset: Int) -> PersistedFieldState
  static func storedValue<Root>(of root: inout Root, at offset: Int) -> StoredValue
  /// Appends what a row has of the value. - Returns: false for nil, when nothing is appended.
  static func append<Root>(_ root: inout Root, at offset: Int, to bytes: inout [UInt8], fields: RowMapping?) -> Bool
  /// - Returns: false when the value isn't of the property's type.
  static func assign<Root>(_ value: StoredValue, to root: inout Root, at offset: Int) -> Bool
}

/// What a property is: as declared, assigned, or as its row has it.
package enum PersistedFieldState: Sendable {
  case declared
  /// `row` is the one that the object was read from, if it was.
  case assigned(count: UInt32, row: Row?)
  case stored(Row)
}

extension Persisted: PersistedField {
  package static var valueType: any PersistableValue.Type { Value.self }
  package static var columnType: _ColumnType { Value._columnType }

  private var declaration: PersistedDeclaration<Value>? {
    if case .declared(let declaration) = PersistedAssignment.origin(of: state) { declaration } else { nil }
  }
  package var options: PersistedOptions { declaration?.options ?? PersistedOptions() }
  package var currentValue: StoredValue { wrappedValue.storedValue }
  package var assignmentCount: UInt32 { PersistedAssignment.count(of: state) }

  package func isField<Root>(of root: inout Root, at offset: Int) -> Bool {
    var copy = self
    guard let own = FieldAccess.word(of: &copy, at: 0) else { return false }
    return FieldAccess.word(of: &root, at: offset) == own
  }

  package static func bind<Root>(_ root: inout Root, at offset: Int, to row: Row, property: UInt16) {
    FieldAccess.withField(of: &root, at: offset, as: Self.self) { $0.state = .stored(row, property) }
  }

  package static func state<Root>(of root: inout Root, at offset: Int) -> PersistedFieldState {
    FieldAccess.withField(of: &root, at: offset, as: Self.self) { field in
      switch field.state {
      case .declared: return .declared
      case .stored(let row, _): return .stored(row)
      case .assigned(let assignment):
        if case .stored(let row, _) = assignment.origin { return .assigned(count: assignment.count, row: row) }
        return .assigned(count: assignment.count, row: nil)
      }
    }
  }

  package static func storedValue<Root>(of root: inout Root, at offset: Int) -> StoredValue {
    FieldAccess.withField(of: &root, at: offset, as: Self.self) { $0.wrappedValue.storedValue }
  }

  package static func append<Root>(_ root: inout Root, at offset: Int, to bytes: inout [UInt8], fields: RowMapping?) -> Bool {
    FieldAccess.withField(of: &root, at: offset, as: Self.self) { $0.append(to: &bytes, fields: fields) }
  }

  private func append(to bytes: inout [UInt8], fields: RowMapping?) -> Bool {
    // An enum's unknown raw value is kept as it is.
    if case .stored(let row, let property) = state, hasUnknownRawValue, let range = row.storedRange(of: Int(property)) {
      row.bytes.withBytes { bytes.append(contentsOf: $0.extracting(range).copied()) }
      return true
    }
    let value = wrappedValue
    if value._isNull { return false }
    value._append(to: &bytes, fields)
    return true
  }

  package static func assign<Root>(_ value: StoredValue, to root: inout Root, at offset: Int) -> Bool {
    guard let value = Value(stored: value) else { return false }
    FieldAccess.withField(of: &root, at: offset, as: Self.self) { $0.wrappedValue = value }
    return true
  }
}
