extension QueryExpression {
  /// The property that a key path is, of whatever object; what is wrong with it otherwise.
  static func property<Object: StorageFields, V>(_ keyPath: KeyPath<Object, V>, of base: QueryExpression) -> QueryExpression {
    let model: ModelDescription
    do throws(StorageError) {
      model = try ModelDescription.of(Object.self)
    } catch {
      return .invalid(.unsupported(part: String(describing: keyPath), reason: String(describing: error)))
    }
    do throws(QueryError) {
      return .property(of: base, name: model.properties[try model.propertyIndex(keyPath)].name)
    } catch {
      return .invalid(error)
    }
  }

  /// A single value; a struct, an object or a collection is none.
  static func literal<Value: PersistableValue>(of value: Value) -> QueryExpression {
    switch value.storedValue {
    case .list, .map, .object:
      .invalid(.unsupported(part: String(describing: Value.self), reason: "a whole struct or collection isn't compared"))
    case let single: .scalar(single)
    }
  }

  static func membership<Value: PersistableValue>(of operand: QueryExpression, _ values: some Sequence<Value>) -> QueryExpression {
    var literals: [StoredValue] = []
    for value in values {
      switch literal(of: value) {
      case .literal(let value): literals.append(value)
      case let invalid: return invalid
      }
    }
    return .membership(operand, literals)
  }
}
