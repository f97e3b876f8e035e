extension TypeSchema {
  /// The schema with what the code has beyond it, and every difference.
  ///
  /// Additive differences are in the schema that is returned: new properties, new indexes, optionals made from required. What the code
  /// no longer lists stays in it, so that a process with less code harms nothing; ``droppingIndexes(notIn:)`` takes indexes out.
  /// A difference that isn't additive isn't applied.
  /// - Throws: ``StorageError/invalidSchema(type:property:reason:)`` when ids are used up.
  package func merged(with model: ModelDescription) throws(StorageError) -> (schema: TypeSchema, differences: [SchemaDifference]) {
    var merging = SchemaMerging(self)
    for property in model.properties { try merging.merge(property) }
    merging.findRemovedProperties(model)
    merging.mergePrimaryKey(model)
    merging.mergeIndexes(model)
    return (try merging.finish(), merging.differences)
  }
}

/// A schema while a model is merged into it.
struct SchemaMerging {
  private let old: TypeSchema
  private var columns: [ColumnSchema]
  private var indexes: [IndexSchema]
  private var nextIndexID: UInt32
  private(set) var differences: [SchemaDifference] = []

  init(_ schema: TypeSchema) {
    old = schema
    columns = schema.columns
    indexes = schema.indexes
    nextIndexID = schema.nextIndexID
  }

  private func position(of name: String) -> Int? { columns.firstIndex { !$0.isRemoved && $0.name.utf8.elementsEqual(name.utf8) } }

  private mutating func note(_ property: String?, _ kind: SchemaDifference.Kind, isAdditive: Bool) {
    differences.append(SchemaDifference(type: old.name, property: property, kind: kind, isAdditive: isAdditive))
  }

  mutating func merge(_ property: ModelProperty) throws(StorageError) {
    guard let position = position(of: property.name) else {
      columns.append(try old.newColumn(property, after: columns))
      note(property.name, .propertyAdded, isAdditive: true)
      return
    }
    let column = columns[position]
    guard property.fits(column), property.isOptional || !column.isOptional else {
      note(property.name, .propertyTypeChanged(from: column.typeName, to: property.typeName), isAdditive: false)
      return
    }
    if property.isOptional && !column.isOptional {
      columns[position].isOptional = true
      note(property.name, .propertyTypeChanged(from: column.typeName, to: property.typeName), isAdditive: true)
    }
    if property.options.fullText && !column.isFullText {
      columns[position].isFullText = true
      note(property.name, .indexAdded, isAdditive: true)
    }
    columns[position].deleteRule = property.options.deleteRule
    guard let model = property.fields, let fields = column.fields else { return }
    let inner = try fields.merged(with: model)
    columns[position].fields = inner.schema
    for difference in inner.differences {
      note(
        difference.property.map { "\(property.name).\($0)" } ?? property.name, difference.kind, isAdditive: difference.isAdditive)
    }
  }

  mutating func findRemovedProperties(_ model: ModelDescription) {
    for column in columns where !column.isRemoved && model.propertyIndex(named: column.name) == nil {
      note(column.name, .propertyRemoved, isAdditive: true)
    }
  }

  mutating func mergePrimaryKey(_ model: ModelDescription) {
    let key = model.primaryKey.flatMap { position(of: model.properties[$0].name) }.map { columns[$0].id }
    if key != old.primaryKey { note(model.primaryKey.map { model.properties[$0].name }, .primaryKeyChanged, isAdditive: false) }
  }

  mutating func mergeIndexes(_ model: ModelDescription) {
    var declared: [IndexSchema] = []
    for index in model.indexes {
      let names = index.properties.map { model.properties[$0].name }
      let positions = names.compactMap { position(of: $0) }
      // One whose property has another type in the file waits for the migration, which the property needs anyway.
      guard zip(positions, index.properties).allSatisfy({ model.properties[$1].fits(columns[$0]) }) else { continue }
      let ids = positions.map { columns[$0].id }
      if let found = indexes.first(where: { $0.columns == ids && $0.isUnique == index.isUnique }) {
        declared.append(found)
        continue
      }
      let new = IndexSchema(
        id: nextIndexID, columns: ids, isUnique: index.isUnique, name: IndexSchema.name(type: old.name, properties: names))
      nextIndexID += 1
      indexes.append(new)
      declared.append(new)
      note(names.joined(separator: "+"), .indexAdded, isAdditive: true)
    }
    for index in old.indexes where !declared.contains(index) {
      let names = index.columns.compactMap { old.column(id: $0)?.name }
      note(names.joined(separator: "+"), .indexRemoved, isAdditive: true)
    }
  }

  func finish() throws(StorageError) -> TypeSchema {
    try old.changed(columns: columns, indexes: indexes, nextIndexID: nextIndexID)
  }
}

extension ModelProperty {
  /// As the code spells it: `Int?`, `List<String>`.
  package var typeName: String {
    ColumnSchema(
      id: 0, name: name, kind: kind, isOptional: isOptional, element: element, isElementOptional: isElementOptional
    ).typeName
  }
}
