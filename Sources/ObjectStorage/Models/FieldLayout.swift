/// Where a value of a model has its `@Persisted` properties.
///
/// The stored properties of a struct lie in the order of their declarations, each at the next offset that its alignment allows.
/// Where a property begins is computed from that, and then verified: the value's own bytes there are those of the property, which
/// begin with the address of an object that nothing else refers to.
enum FieldLayout {
  struct Field {
    let name: String
    let value: any PersistedField
    let type: any PersistedField.Type
    let offset: Int
  }

  static func fields<E: StorageFields>(of value: E, typeName: String) throws(StorageError) -> [Field] {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct else {
      throw .invalidSchema(type: typeName, property: nil, reason: "a model is a struct")
    }
    var copy = value
    var fields: [Field] = []
    var end = 0
    for child in mirror.children {
      let layout = layout(of: child.value)
      let offset = (end + layout.alignment - 1) / layout.alignment * layout.alignment
      end = offset + layout.size
      guard let field = child.value as? any PersistedField else { continue }
      let name = String((child.label ?? "").drop { $0 == "_" })
      guard field.isField(of: &copy, at: offset) else {
        throw .invalidSchema(type: typeName, property: name, reason: "its place in the struct can't be told")
      }
      fields.append(Field(name: name, value: field, type: type(of: field), offset: offset))
    }
    if fields.isEmpty { throw .invalidSchema(type: typeName, property: nil, reason: "it has no @Persisted property") }
    if fields.count > Int(PersistedState.propertyMax) {
      throw .invalidSchema(type: typeName, property: nil, reason: "it has too many properties")
    }
    return fields
  }

  private static func layout(of value: Any) -> (size: Int, alignment: Int) {
    func opened<T>(_ value: T) -> (size: Int, alignment: Int) { (MemoryLayout<T>.size, MemoryLayout<T>.alignment) }
    return _openExistential(value, do: opened)
  }
}
