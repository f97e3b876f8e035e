extension TypeSchema {
  /// The schema of a type that the file doesn't have yet.
  package convenience init(_ model: ModelDescription, typeID: UInt32) throws(RowError) {
    var columns: [ColumnSchema] = []
    for (position, property) in model.properties.enumerated() {
      columns.append(try ColumnSchema(property, id: UInt16(position + 1)))
    }
    var indexes: [IndexSchema] = []
    for index in model.indexes {
      let ids = index.properties.map { columns[$0].id }
      indexes.append(
        IndexSchema(
          id: UInt32(indexes.count + 1), columns: ids, isUnique: index.isUnique,
          name: IndexSchema.name(type: model.name, properties: index.properties.map { columns[$0].name })))
    }
    try self.init(
      typeID: typeID, name: model.name, columns: columns, layouts: [RowLayout(id: 1, columns: columns)], indexes: indexes,
      primaryKey: model.primaryKey.map { columns[$0].id })
  }
}

extension ColumnSchema {
  init(_ property: ModelProperty, id: UInt16) throws(RowError) {
    var fields: TypeSchema?
    if let model = property.fields { fields = try TypeSchema(model, typeID: 0) }
    self.init(
      id: id, name: property.name, kind: property.kind, isOptional: property.isOptional, element: property.element,
      isElementOptional: property.isElementOptional, isFullText: property.options.fullText, deleteRule: property.options.deleteRule,
      defaultValue: property.defaultValue, fields: fields)
  }
}

extension RowLayout {
  init(id: UInt16, columns: [ColumnSchema]) {
    self.init(id: id, columns: columns.filter { !$0.isRemoved }.map { Column(id: $0.id, isOptional: $0.isOptional) })
  }
}

extension IndexSchema {
  static func name(type: String, properties: [String]) -> String { "\(type).\(properties.joined(separator: "+"))" }
}
