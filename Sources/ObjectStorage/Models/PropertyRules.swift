/// What a property of a model may be.
enum PropertyRules {
  /// - Returns: what is known of the embedded struct that the property has, itself or in a collection.
  static func check(
    _ field: FieldLayout.Field, of type: String, inside path: [ObjectIdentifier]
  ) throws(StorageError) -> ModelDescription? {
    let column = field.type.columnType
    let options = field.value.state.options
    var reason: String?
    if column.kind == .link || column.element == .link {
      reason = "links to other objects can't be stored"
    } else if let element = column.element, element == .list || element == .set || element == .map {
      reason = "a collection can't hold collections"
    } else if options.primaryKey && (column.isOptional || !column.kind.isOrdered) {
      reason = "a primary key is one value that is never nil"
    } else if options.indexed && !column.kind.isOrdered {
      reason = "it has no order that an index could keep"
    } else if options.fullText && column.kind != .string {
      reason = "only text has a full-text index"
    } else if let inner = column.fields, path.contains(ObjectIdentifier(inner)) {
      reason = "an embedded struct can't contain itself"
    }
    if let reason { throw .invalidSchema(type: type, property: field.name, reason: reason) }
    guard let inner = column.fields else { return nil }
    let description = try describe(inner, inside: path)
    if let marked = description.properties.first(where: { $0.options.primaryKey || $0.options.indexed || $0.options.fullText }) {
      throw .invalidSchema(type: description.name, property: marked.name, reason: "an embedded struct has no keys and no indexes")
    }
    return description
  }

  private static func describe<E: StorageFields>(
    _ type: E.Type, inside path: [ObjectIdentifier]
  ) throws(StorageError) -> ModelDescription {
    try ModelDiscovery.description(of: type, inside: path)
  }
}
