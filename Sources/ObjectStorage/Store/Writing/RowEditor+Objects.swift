import RawMemory
import StorageEngine

extension RowEditor {
  func save<E: StorageObject>(_ object: E, _ policy: UpdatePolicy) throws(StorageError) {
    let mapping = try mapping()
    let writer = RowWriter(mapping)
    let known = try keyOfRow(object)
    let old: [UInt8]? = if let known { try existing(known) } else { nil }
    guard let key = known, let old else {
      let row = try readingRow { () throws(RowError) in try writer.encode(object) }
      let key = if let known { known } else { try newRowKey() }
      return try write(row, over: nil, key: key)
    }
    switch policy {
    case .insertIfAbsent: return
    case .error:
      let id = mapping.model.primaryKey.map { mapping.model.storedValue(of: object, at: $0).text } ?? ""
      throw .duplicateKey(type: type.name, property: type.schema.primaryKeyColumn?.name ?? "", values: [id])
    case .modified:
      let changed = mapping.model.changedProperties(of: object)
      try write(
        try readingRow { () throws(RowError) in try writer.encode(object, over: old.span.raw, properties: changed) }, over: old,
        key: key)
    case .all:
      try write(try readingRow { () throws(RowError) in try writer.encode(object, over: old.span.raw) }, over: old, key: key)
    }
  }

  func update<E: StorageObject>(_ type: E.Type, _ row: [UInt8], key: [UInt8], _ mutate: (inout E) throws -> Void) throws {
    let mapping = try mapping()
    let held = try readingRow { () throws(RowError) in try Row(copying: row.span.raw, key: key.span.raw, mapping: mapping) }
    var object = mapping.model.materialize(type, row: held)
    try mutate(&object)
    let changed = mapping.model.changedProperties(of: object)
    let new = try readingRow { () throws(RowError) in try RowWriter(mapping).encode(object, over: row.span.raw, properties: changed)
    }
    guard let property = mapping.model.primaryKey, changed.contains(property) else { return try write(new, over: row, key: key) }
    let id = mapping.model.storedValue(of: object, at: property)
    guard let newKey = self.type.key(id) else {
      throw StorageError.invalidSchema(type: self.type.name, property: nil, reason: "a key of another type")
    }
    if newKey == key { return try write(new, over: row, key: key) }
    if try existing(newKey) != nil {
      throw StorageError.duplicateKey(
        type: self.type.name, property: self.type.schema.primaryKeyColumn?.name ?? "", values: [id.text])
    }
    // The row moves: its index entries end with its key.
    try remove(row, key: key)
    do {
      try write(new, over: nil, key: newKey)
    } catch {
      try write(row, over: nil, key: key)
      throw error
    }
  }

  /// - Returns: whether there was such a row.
  func delete(_ key: [UInt8]) throws(StorageError) -> Bool {
    guard let row = try existing(key) else { return false }
    try remove(row, key: key)
    return true
  }

  func deleteAll() throws(StorageError) -> Int {
    let count = Int(try box.tree(type.rowsName).count)
    try box.deleteTree(type.rowsName)
    for index in type.indexes { try box.deleteTree(index.treeName) }
    return count
  }

  func keys(_ form: QueryForm) throws(StorageError) -> [[UInt8]] {
    let runner = QueryRunner(box.reader, type)
    return try runner.keys(try runner.plan(form)).keys
  }

  /// The key of the row that a value was read from, or that its primary key names; nil for a new one of a type without.
  func keyOfRow<E: StorageObject>(_ object: E) throws(StorageError) -> [UInt8]? {
    let model = try mapping().model
    if let property = model.primaryKey { return type.key(model.storedValue(of: object, at: property)) }
    return model.row(of: object)?.key
  }

  private func mapping() throws(StorageError) -> RowMapping {
    guard let mapping = type.mapping else { throw .typeNotListed(type: type.name) }
    return mapping
  }

  /// Rows without a primary key are numbered; a number is never used again.
  private func newRowKey() throws(StorageError) -> [UInt8] {
    let name = TreeName.nextRow(type.schema.typeID)
    let number = try box.nextRow(name)
    return (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
  }
}

extension TransactionBox {
  func nextRow(_ name: [UInt8]) throws(StorageError) -> UInt64 {
    let old = try value(name, in: TreeName.rowNumbers)
    let number = old.map(uint64) ?? 1
    let next = bytes(number + 1)
    try put(name, next.span.raw, over: old, in: TreeName.rowNumbers)
    return number
  }
}
