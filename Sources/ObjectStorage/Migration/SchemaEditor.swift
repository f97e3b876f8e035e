import RawMemory
import StorageEngine

/// Changes the schema of a file inside a transaction.
final class SchemaEditor {
  private let box: TransactionBox
  private(set) var types: [String: TypeSchema]
  private var nextTypeID: UInt64

  init(_ box: TransactionBox) throws(StorageError) {
    self.box = box
    types = box.view.schemas
    let key = TreeName.nextType
    let tree = try box.tree(TreeName.schema)
    nextTypeID = try storing { () throws(EngineError) in try tree.value(forKey: key.span.raw) }.map(uint64) ?? 1
  }

  func change(_ name: String, _ body: (TypeSchema) throws(StorageError) -> TypeSchema) throws(StorageError) {
    guard let schema = types[name] else { throw missing(name) }
    types[name] = try body(schema)
  }
  func rename(_ oldName: String, to newName: String) throws(StorageError) {
    guard let schema = types[oldName] else { throw missing(oldName) }
    guard types[newName] == nil else {
      throw .invalidSchema(type: newName, property: nil, reason: "the file has a type of that name")
    }
    types[oldName] = nil
    types[newName] = try schema.renamed(to: newName)
  }
  func delete(_ name: String) throws(StorageError) {
    guard let schema = types.removeValue(forKey: name) else { throw missing(name) }
    let access = TypeAccess(schema, model: nil)
    try box.deleteTree(access.rowsName)
    for index in access.indexes { try box.deleteTree(index.treeName) }
  }
  private func missing(_ name: String) -> StorageError {
    .invalidSchema(type: name, property: nil, reason: "the file has no such type")
  }

  /// Brings the file's types to the code's. - Returns: the differences that there were.
  func merge(_ models: [StoreModel], isNewVersion: Bool) throws(StorageError) -> [SchemaDifference] {
    var differences: [SchemaDifference] = []
    for model in models {
      let description = model.description
      guard let old = types[description.name] else {
        types[description.name] = try readingRow { () throws(RowError) in
          try TypeSchema(description, typeID: UInt32(nextTypeID))
        }
        nextTypeID += 1
        differences.append(SchemaDifference(type: description.name, kind: .typeAdded, isAdditive: true))
        continue
      }
      var (schema, found) = try old.merged(with: description)
      differences += found
      guard isNewVersion else {
        types[description.name] = schema
        continue
      }
      for difference in found where !difference.isAdditive {
        guard case .propertyTypeChanged = difference.kind, let name = difference.property,
          let property = description.propertyIndex(named: name)
        else { continue }
        schema = try schema.replacingColumn(with: description.properties[property])
      }
      schema = try schema.merged(with: description).schema
      types[description.name] = try schema.droppingIndexes(notIn: description)
    }
    return differences
  }

  /// Writes what changed, and makes and removes indexes. - Parameter progress: rows that new indexes were made for, and of all.
  func finish(version: UInt64, progress: (UInt64, UInt64) -> Void = { _, _ in }) throws(StorageError) {
    let before = box.view
    for (name, access) in before.types where types[name] != access.schema {
      try box.delete(TreeName.type(name), in: TreeName.schema)
      let kept = types.values.first { $0.typeID == access.schema.typeID }?.indexes ?? []
      for index in access.indexes where !kept.contains(index.schema) { try box.deleteTree(index.treeName) }
    }
    for (name, schema) in types where before.types[name]?.schema != schema {
      try box.put(TreeName.type(name), schema.encoded.span.raw, in: TreeName.schema)
    }
    let (versionBytes, nextBytes) = (bytes(version), bytes(nextTypeID))
    try box.put(TreeName.version, versionBytes.span.raw, in: TreeName.schema)
    try box.put(TreeName.nextType, nextBytes.span.raw, in: TreeName.schema)
    let new = newIndexes(before)
    var total: UInt64 = 0
    for (access, _) in new { total += try box.tree(access.rowsName).count }
    var done: UInt64 = 0
    for (access, index) in new {
      try RowEditor(box, access).build(index) {
        done += 1
        if done % 1024 == 0 { progress(done, total) }
      }
    }
    progress(done, total)
  }

  private func newIndexes(_ before: SchemaView) -> [(access: TypeAccess, index: IndexAccess)] {
    var new: [(access: TypeAccess, index: IndexAccess)] = []
    for (_, schema) in types.sorted(by: { $0.key < $1.key }) {
      let old = before.types.values.first { $0.schema.typeID == schema.typeID }?.schema.indexes ?? []
      let access = TypeAccess(schema, model: nil)
      for index in access.indexes where !old.contains(index.schema) { new.append((access, index)) }
    }
    return new
  }
}
