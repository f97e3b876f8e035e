package typealias RowMapping = _RowMapping

/// Not part of the API: which columns of the file's type are which properties of the code's.
public final class _RowMapping: Sendable {
  package let model: ModelDescription
  package let schema: TypeSchema
  /// By position in `TypeSchema.layouts`.
  let layouts: [LayoutMapping]
  /// By property: the position of its column in `TypeSchema.columns`; nil when the file has no column of that name and type.
  package let positions: [Int?]
  /// By column: its property; nil when the model doesn't list it.
  package let properties: [Int?]
  /// By property: of an embedded struct, or of a collection of them.
  let fields: [RowMapping?]

  /// A property without a column of its name and type reads as its default and isn't written.
  package init(model: ModelDescription, schema: TypeSchema) {
    self.model = model
    self.schema = schema
    var positions: [Int?] = []
    var fields: [RowMapping?] = []
    var properties = [Int?](repeating: nil, count: schema.columns.count)
    for (index, property) in model.properties.enumerated() {
      let position = schema.columns.firstIndex { !$0.isRemoved && property.fits($0) }
      positions.append(position)
      guard let position else {
        fields.append(nil)
        continue
      }
      properties[position] = index
      if let model = property.fields, let schema = schema.columns[position].fields {
        fields.append(RowMapping(model: model, schema: schema))
      } else {
        fields.append(nil)
      }
    }
    self.positions = positions
    self.properties = properties
    self.fields = fields
    layouts = schema.geometries.map { geometry in
      LayoutMapping(
        slots: positions.map { $0.map { geometry.slot(at: $0) } ?? .absent },
        absent: positions.map { $0.map { schema.columns[$0].defaultValue } }, fields: fields, model: model, schema: schema)
    }
  }
}

/// Where the rows of one layout have a model's properties.
@usableFromInline package final class LayoutMapping: Sendable {
  /// By property.
  @usableFromInline let slots: [FieldSlot]
  /// By property: what a row of a layout without the column has; nil without a column.
  let absent: [StoredValue?]
  @usableFromInline let fields: [_RowMapping?]
  /// nil while it is being discovered.
  @usableFromInline let model: ModelDescription?
  package let schema: TypeSchema?
  /// Set when reads are only watched.
  let probe: KeyPathProbe?

  init(
    slots: [FieldSlot], absent: [StoredValue?] = [], fields: [RowMapping?] = [], model: ModelDescription? = nil,
    schema: TypeSchema? = nil, probe: KeyPathProbe? = nil
  ) {
    self.slots = slots
    self.absent = absent
    self.fields = fields
    self.model = model
    self.schema = schema
    self.probe = probe
  }

  /// What a property is in a row older than its column.
  func absentValue<Value: PersistableValue>(of property: Int, as type: Value.Type) -> Value {
    if let stored = absent[property], let value = Value(stored: stored) { return value }
    return declaredDefault(of: property, as: type)
  }

  func declaredDefault<Value: PersistableValue>(of property: Int, as type: Value.Type) -> Value {
    model.flatMap { Value(stored: $0.properties[property].defaultValue) } ?? Value._placeholder
  }
}
