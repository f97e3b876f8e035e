// What migrations do to a type. No row is touched: rows keep their layouts, and new ones get a new layout.
extension TypeSchema {
  /// Under another name.
  package func renamed(to name: String) throws(StorageError) -> TypeSchema {
    try changed(name: name, columns: columns, indexes: indexes)
  }

  /// With a column under another name.
  /// - Throws: ``StorageError/invalidSchema(type:property:reason:)`` when there is no such column, or the new name is taken.
  package func renamingColumn(_ oldName: String, to newName: String) throws(StorageError) -> TypeSchema {
    let position = try currentPosition(of: oldName)
    if column(named: newName) != nil {
      throw .invalidSchema(type: name, property: newName, reason: "there is a property of this name already")
    }
    var columns = columns
    columns[position].name = newName
    return try changed(columns: columns, indexes: indexes)
  }

  /// Without a column, and without the indexes that have it. Rows that hold it keep it unseen until they are written again.
  /// - Throws: ``StorageError/invalidSchema(type:property:reason:)`` when there is no such column, or it is the primary key.
  package func droppingColumn(_ name: String) throws(StorageError) -> TypeSchema {
    let position = try currentPosition(of: name)
    let id = columns[position].id
    if id == primaryKey { throw .invalidSchema(type: self.name, property: name, reason: "it is the primary key") }
    var columns = columns
    columns[position].isRemoved = true
    return try changed(columns: columns, indexes: indexes.filter { !$0.columns.contains(id) })
  }

  /// With a new column in the place of one whose values have another type. Rows written before have its default until a migration
  /// gives them a value; the old column is read by the old schema.
  package func replacingColumn(with property: ModelProperty) throws(StorageError) -> TypeSchema {
    let dropped = column(named: property.name) == nil ? self : try droppingColumn(property.name)
    return try dropped.changed(
      columns: dropped.columns + [try dropped.newColumn(property, after: dropped.columns)], indexes: dropped.indexes)
  }

  /// Without the indexes that the code doesn't declare.
  package func droppingIndexes(notIn model: ModelDescription) throws(StorageError) -> TypeSchema {
    let declared = model.indexes.map { index in
      (ids: index.properties.compactMap { column(named: model.properties[$0].name)?.id }, isUnique: index.isUnique)
    }
    var columns = columns
    for position in columns.indices where !columns[position].isRemoved {
      guard let property = model.propertyIndex(named: columns[position].name) else { continue }
      columns[position].isFullText = model.properties[property].options.fullText
    }
    return try changed(
      columns: columns,
      indexes: indexes.filter { index in declared.contains { $0.ids == index.columns && $0.isUnique == index.isUnique } })
  }

  private func currentPosition(of name: String) throws(StorageError) -> Int {
    guard let id = column(named: name)?.id, let position = position(of: id) else {
      throw .invalidSchema(type: self.name, property: name, reason: "there is no such property in the file")
    }
    return position
  }

  /// A column that no other one of the type ever was.
  func newColumn(_ property: ModelProperty, after columns: [ColumnSchema]) throws(StorageError) -> ColumnSchema {
    let last = columns.last?.id ?? 0
    guard last < .max, let column = try? ColumnSchema(property, id: last + 1) else {
      throw .invalidSchema(type: name, property: property.name, reason: "the type has had too many properties")
    }
    return column
  }

  /// With other parts; a layout is added when the columns ask for one.
  func changed(
    name newName: String? = nil, columns: [ColumnSchema], indexes: [IndexSchema], nextIndexID: UInt32? = nil
  ) throws(StorageError) -> TypeSchema {
    let newName = newName ?? name
    let layout = RowLayout(id: currentLayout.id + 1, columns: columns)
    var layouts = layouts
    if layout.columns != currentLayout.columns { layouts.append(layout) }
    var indexes = indexes
    for position in indexes.indices {
      let names = indexes[position].columns.compactMap { id in columns.first { $0.id == id }?.name }
      indexes[position].name = IndexSchema.name(type: newName, properties: names)
    }
    do throws(RowError) {
      return try TypeSchema(
        typeID: typeID, name: newName, columns: columns, layouts: layouts, indexes: indexes, primaryKey: primaryKey,
        nextIndexID: nextIndexID ?? self.nextIndexID)
    } catch {
      throw .invalidSchema(type: newName, property: nil, reason: "the type has been changed too often")
    }
  }
}
