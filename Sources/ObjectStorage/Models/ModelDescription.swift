/// What discovery found of a listed type: its properties and where a value has them. Made once a type and process.
@usableFromInline package final class ModelDescription: Sendable {
  /// `storageName`; of an embedded struct its type's name.
  package let name: String
  @usableFromInline package let type: any StorageFields.Type
  package let properties: [ModelProperty]
  package let indexes: [ModelIndex]
  /// The property declared with `primaryKey: true`.
  package let primaryKey: Int?
  /// A value with every property at its default: what rows are materialized into.
  @usableFromInline let template: any AnyObject & Sendable
  /// Where a value has its properties, in their order.
  @usableFromInline let offsets: [Int]

  /// What `resolve` found of key paths.
  let keyPaths = KnownKeyPaths()

  init<E: StorageFields>(name: String, properties: [ModelProperty], indexes: [ModelIndex], primaryKey: Int?, template: E) {
    self.name = name
    type = E.self
    self.properties = properties
    self.indexes = indexes
    self.primaryKey = primaryKey
    self.template = ModelTemplate(template)
    offsets = properties.map(\.offset)
  }

  /// Discovers the type, or gives what was found before.
  /// - Throws: ``StorageError/invalidSchema(type:property:reason:)``.
  package static func of<E: StorageFields>(_ type: E.Type) throws(StorageError) -> ModelDescription {
    try ModelDiscovery.description(of: type, inside: [])
  }

  package func propertyIndex(named name: String) -> Int? { properties.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }
}

/// A value of a model, to be copied.
@usableFromInline final class ModelTemplate<E: StorageFields>: Sendable {
  @usableFromInline let value: E
  init(_ value: E) { self.value = value }
}

/// One `@Persisted` property.
package final class ModelProperty: Sendable {
  package let name: String
  package let columnType: _ColumnType
  package let options: PersistedOptions
  package let defaultValue: StoredValue
  /// The default is another one each time: `Date()`, `UUID()`.
  package let isDefaultVolatile: Bool
  /// Of an embedded struct, or of a collection of them.
  package let fields: ModelDescription?
  let field: any PersistedField.Type
  /// Bytes into the model.
  let offset: Int
  /// How often `init()` assigns it.
  let assignmentCount: UInt32

  init(_ field: FieldLayout.Field, isDefaultVolatile: Bool, fields: ModelDescription?) {
    name = field.name
    columnType = field.type.columnType
    options = field.value.state.options
    defaultValue = field.value.currentValue
    self.isDefaultVolatile = isDefaultVolatile
    self.fields = fields
    self.field = field.type
    offset = field.offset
    assignmentCount = field.value.state.assignmentCount
  }

  package var kind: ColumnKind { columnType.kind }
  package var isOptional: Bool { columnType.isOptional }
  package var element: ColumnKind? { columnType.element }
  package var isElementOptional: Bool { columnType.isElementOptional }
  package var valueType: any PersistableValue.Type { field.valueType }

  /// Whether the column has its name and holds its values, nil aside.
  func fits(_ column: ColumnSchema) -> Bool {
    column.kind == kind && column.element == element && column.isElementOptional == isElementOptional
      && column.name.utf8.elementsEqual(name.utf8)
  }
}

/// One declared index.
package struct ModelIndex: Sendable, Equatable {
  package let properties: [Int]
  package let isUnique: Bool
}
