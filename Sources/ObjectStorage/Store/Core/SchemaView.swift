import RawMemory
package import StorageEngine

/// The schema of one version of a file, and how the code's models fit it. Never changes.
package final class SchemaView: Sendable {
  package let version: UInt64
  /// By name.
  package let types: [String: TypeAccess]
  package let schemas: [String: TypeSchema]
  private let byModel: [ObjectIdentifier: TypeAccess]

  init(version: UInt64, types: [TypeSchema], models: [StoreModel]) {
    self.version = version
    var byName: [String: TypeAccess] = [:]
    for schema in types {
      let model = models.first { $0.description.name.utf8.elementsEqual(schema.name.utf8) }
      byName[schema.name] = TypeAccess(schema, model: model?.description)
    }
    self.types = byName
    schemas = byName.mapValues(\.schema)
    var byModel: [ObjectIdentifier: TypeAccess] = [:]
    for model in models { byModel[model.identifier] = byName[model.description.name] }
    self.byModel = byModel
  }

  /// - Throws: `typeNotListed`.
  func access(_ type: any StorageObject.Type) throws(StorageError) -> TypeAccess {
    guard let access = byModel[ObjectIdentifier(type)] else { throw .typeNotListed(type: type.storageName) }
    return access
  }
  package func access(named name: String) throws(StorageError) -> TypeAccess {
    guard let access = types[name] else { throw .query(.unknownType(name: name)) }
    return access
  }

  /// Reads the schema from its tree; an empty one when there is none.
  package static func read(_ tree: Tree?, models: [StoreModel]) throws(StorageError) -> SchemaView {
    guard let tree else { return SchemaView(version: 0, types: [], models: models) }
    let versionKey = TreeName.version
    let version = try storing { () throws(EngineError) in try tree.value(forKey: versionKey.span.raw) }.map(uint64) ?? 0
    var types: [TypeSchema] = []
    var cursor = tree.cursor()
    let prefix = TreeName.typePrefix
    var isThere = try storing { () throws(EngineError) in try cursor.seek(to: prefix.span.raw) }
    while isThere, cursor.key.starts(with: prefix) {
      let bytes = try storing { () throws(EngineError) in try cursor.withValue { value throws(EngineError) in value.copied() } }
      types.append(try readingRow { () throws(RowError) in try TypeSchema(decoding: bytes.span.raw) })
      isThere = try storing { () throws(EngineError) in try cursor.next() }
    }
    return SchemaView(version: version, types: types, models: models)
  }
}

/// A type that the code lists.
package struct StoreModel: Sendable {
  let identifier: ObjectIdentifier
  let description: ModelDescription
  let type: any StorageObject.Type

  init<E: StorageObject>(_ type: E.Type) throws(StorageError) {
    identifier = ObjectIdentifier(type)
    description = try ModelDescription.of(type)
    self.type = type
    if let property = description.properties.first(where: { $0.options.fullText }) {
      throw .invalidSchema(
        type: description.name, property: property.name, reason: "full-text indexes are not in this version")
    }
  }
}

func uint64(_ bytes: [UInt8]) -> UInt64 { bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
func bytes(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
