import RawMemory
import Synchronization

/// Looks at a type once: its `@Persisted` properties, where they are in a value, and whether a store can hold them.
enum ModelDiscovery {
  private static let known = Mutex<[ObjectIdentifier: ModelDescription]>([:])

  static func description<E: StorageFields>(
    of type: E.Type, inside path: [ObjectIdentifier]
  ) throws(StorageError) -> ModelDescription {
    let id = ObjectIdentifier(type)
    if let found = known.withLock({ $0[id] }) { return found }
    let description = try discover(type, inside: path + [id])
    return known.withLock { known in
      // Two threads may have looked at once: the first one's is everybody's.
      if let found = known[id] { return found }
      known[id] = description
      return description
    }
  }

  private static func discover<E: StorageFields>(
    _ type: E.Type, inside path: [ObjectIdentifier]
  ) throws(StorageError) -> ModelDescription {
    let object = type as? any StorageObject.Type
    let name = object?.storageName ?? String(describing: type)
    if name.isEmpty { throw .invalidSchema(type: String(describing: type), property: nil, reason: "its storageName is empty") }
    var template = type.init()
    let fields = try FieldLayout.fields(of: template, typeName: name)
    let others = try FieldLayout.fields(of: type.init(), typeName: name)
    var properties: [ModelProperty] = []
    for (field, other) in zip(fields, others) {
      let inner = try PropertyRules.check(field, of: name, inside: path)
      let isVolatile = field.value.currentValue != other.value.currentValue
      properties.append(ModelProperty(field, isDefaultVolatile: isVolatile, fields: inner))
    }
    FieldAccess.withFields(of: &template, at: properties.map(\.offset), as: PersistedState.self) { $1 = .blank }
    let primaryKey = try primaryKey(of: properties, type: name)
    let bare = ModelDescription(name: name, properties: properties, indexes: [], primaryKey: primaryKey, template: template)
    guard let object else { return bare }
    if let identifiable = type as? any IdentifiableStorage.Type { try checkID(identifiable, bare) }
    let indexes = try indexes(of: object, bare)
    return ModelDescription(name: name, properties: properties, indexes: indexes, primaryKey: primaryKey, template: template)
  }

  private static func primaryKey(of properties: [ModelProperty], type: String) throws(StorageError) -> Int? {
    let keys = properties.indices.filter { properties[$0].options.primaryKey }
    if keys.count > 1 {
      throw .invalidSchema(type: type, property: properties[keys[1]].name, reason: "the type has another primary key already")
    }
    return keys.first
  }

  private static func checkID<E: IdentifiableStorage>(_ type: E.Type, _ model: ModelDescription) throws(StorageError) {
    guard let key = model.primaryKey else {
      throw .invalidSchema(type: model.name, property: "id", reason: "an IdentifiableStorage needs a primary key")
    }
    if model.resolve(\E.id) != key {
      throw .invalidSchema(type: model.name, property: model.properties[key].name, reason: "the primary key isn't the type's id")
    }
  }

  private static func indexes<E: StorageObject>(of type: E.Type, _ model: ModelDescription) throws(StorageError) -> [ModelIndex] {
    var indexes = model.properties.indices.filter { model.properties[$0].options.indexed }
      .map { ModelIndex(properties: [$0], isUnique: false) }
    for index in type.indexes {
      var properties: [Int] = []
      for keyPath in index.properties {
        guard let property = model.resolve(keyPath) else {
          throw .invalidSchema(type: model.name, property: nil, reason: "an index has a key path that isn't a stored property")
        }
        if !model.properties[property].kind.isOrdered || properties.contains(property) {
          throw .invalidSchema(
            type: model.name, property: model.properties[property].name,
            reason: properties.contains(property) ? "an index has it twice" : "it has no order that an index could keep")
        }
        properties.append(property)
      }
      if properties.isEmpty { throw .invalidSchema(type: model.name, property: nil, reason: "an index has no properties") }
      let index = ModelIndex(properties: properties, isUnique: index.isUnique)
      if !indexes.contains(index) { indexes.append(index) }
    }
    return indexes
  }
}
