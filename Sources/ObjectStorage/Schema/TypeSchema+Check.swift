extension TypeSchema {
  /// Nothing that is read later may contradict itself: ids ascend, and what names a column names one that is there.
  static func check(columns: [ColumnSchema], layouts: [RowLayout], indexes: [IndexSchema], primaryKey: UInt16?) throws(RowError) {
    for (position, column) in columns.enumerated() {
      let isCollection = column.kind == .list || column.kind == .set || column.kind == .map
      let hasFields = (column.element ?? column.kind) == .embedded
      guard position == 0 || columns[position - 1].id < column.id, isCollection == (column.element != nil),
        hasFields == (column.fields != nil), isCollection || !column.isElementOptional
      else { throw .damaged(reason: .schema) }
      if let element = column.element, element == .list || element == .set || element == .map { throw .damaged(reason: .schema) }
    }
    guard let last = layouts.last, last.id <= RowLayout.idMax else { throw .damaged(reason: .schema) }
    for (position, layout) in layouts.enumerated() where position > 0 && layouts[position - 1].id >= layout.id {
      throw .damaged(reason: .schema)
    }
    let current = columns.filter { !$0.isRemoved }
    guard last.columns.count == current.count else { throw .damaged(reason: .schema) }
    for item in last.columns {
      guard let position = position(of: item.id, in: columns), !columns[position].isRemoved,
        columns[position].isOptional == item.isOptional
      else { throw .damaged(reason: .schema) }
    }
    for index in indexes {
      if index.columns.isEmpty { throw .damaged(reason: .schema) }
      for id in index.columns { try checkKey(id, columns) }
    }
    if let primaryKey { try checkKey(primaryKey, columns) }
  }

  static func bytes(ofDefault column: ColumnSchema) throws(RowError) -> [UInt8]? {
    if column.defaultValue == .null {
      if column.isOptional { return nil }
      throw .damaged(reason: .schema)
    }
    var bytes: [UInt8] = []
    guard ValueShape(column).append(column.defaultValue, to: &bytes) else { throw .damaged(reason: .schema) }
    return bytes
  }

  private static func checkKey(_ id: UInt16, _ columns: [ColumnSchema]) throws(RowError) {
    guard let position = position(of: id, in: columns), columns[position].kind.isOrdered else { throw .damaged(reason: .schema) }
  }
}
