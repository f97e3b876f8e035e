extension QueryBinder {
  /// An operand: where its value comes from, and what is known of it.
  mutating func operand(_ expression: QueryExpression) throws(QueryError) -> (BoundValue, BoundType) {
    switch expression {
    case .element(let scope): return try element(scope, expression)
    case .property(let base, let name): return try property(base, name, expression)
    case .literal(let value): throw mismatch(expression, "a property", value.kindName)
    case .mapValue(let base, let key):
      let (value, type) = try map(base)
      var item = type.elementType
      item.isOptional = true
      item.isMultiple = type.isMultiple
      return (.mapValue(value, key), item)
    case .mapKeys(let base):
      var list = BoundType(.list)
      list.element = .string
      return (.mapKeys(try map(base).0), list)
    case .mapValues(let base):
      let (value, type) = try map(base)
      var list = type
      list.kind = .list
      list.isMultiple = false
      return (.mapValues(value), list)
    case .filter(let base, let inner):
      let (value, type) = try collection(base)
      var list = type
      list.kind = .list
      list.element = type.kind
      list.isElementOptional = type.isOptional
      return (.filter(value, try elementCondition(inner, type)), list)
    case .measure(let measure, let base): return try self.measure(measure, base, expression)
    case .invalid(let error): throw error
    default: return (.condition(try condition(expression).compiled()), BoundType(.bool))
    }
  }

  private func element(_ scope: Int, _ expression: QueryExpression) throws(QueryError) -> (BoundValue, BoundType) {
    guard scope > 0 else {
      throw .unsupported(part: part(expression), reason: "the object itself is not a value; compare its properties")
    }
    guard scope <= scopes.count else { throw .unsupported(part: "$0", reason: "an element is used outside of its closure") }
    return (.element(scope - 1), scopes[scope - 1])
  }

  private mutating func property(
    _ base: QueryExpression, _ name: String, _ expression: QueryExpression
  ) throws(QueryError) -> (BoundValue, BoundType) {
    if case .element(0) = base {
      let column = try Self.column(name, of: schema) { part(expression) }
      return (.column(ColumnPath(leaf: ColumnAccess(schema, column: column.id))), BoundType(column))
    }
    let (value, type) = try operand(base)
    guard let fields = type.fields, type.kind == .embedded || type.element == .embedded, type.kind != .map else {
      throw mismatch(base, "an embedded struct", type.name)
    }
    let column = try Self.column(name, of: fields) { part(expression) }
    var field = BoundType(column)
    field.isOptional = field.isOptional || type.isOptional
    if type.isCollection {
      field.isMultiple = true
      return (.fieldOfEach(value, name), field)
    }
    field.isMultiple = type.isMultiple
    if case .column(let path) = value {
      return (.column(ColumnPath(outer: path.outer + [path.leaf], leaf: ColumnAccess(fields, column: column.id))), field)
    }
    return (.field(value, name), field)
  }

  static func column(_ name: String, of schema: TypeSchema, _ part: () -> String) throws(QueryError) -> ColumnSchema {
    guard let column = schema.column(named: name) else { throw .unknownProperty(name: name, type: schema.name) }
    if column.kind == .link || column.element == .link {
      throw .unsupported(part: part(), reason: "conditions on links and on objects behind them can't be run")
    }
    return column
  }

  private mutating func map(_ expression: QueryExpression) throws(QueryError) -> (BoundValue, BoundType) {
    let (value, type) = try operand(expression)
    guard type.kind == .map else { throw mismatch(expression, "Map", type.name) }
    return (value, type)
  }

  /// A collection, and the type of its elements.
  mutating func collection(_ expression: QueryExpression) throws(QueryError) -> (BoundValue, BoundType) {
    let (value, type) = try operand(expression)
    if type.isCollection { return (value, type.elementType) }
    guard type.isMultiple else { throw mismatch(expression, "a collection", type.name) }
    var element = type
    element.isMultiple = false
    return (value, element)
  }

  private mutating func measure(
    _ measure: QueryMeasure, _ base: QueryExpression, _ expression: QueryExpression
  ) throws(QueryError) -> (BoundValue, BoundType) {
    let value: BoundValue
    let type: BoundType
    let (found, foundType) = try operand(base)
    if foundType.kind == .map, measure == .count || measure == .isEmpty {
      (value, type) = (found, foundType.elementType)
    } else {
      (value, type) = try collection(base)
    }
    let bound = BoundValue.measure(BoundMeasure(measure: measure, kind: type.kind, part: part(expression)), value)
    switch measure {
    case .count: return (bound, BoundType(.int64))
    case .isEmpty: return (bound, BoundType(.bool))
    case .min, .max:
      guard type.kind.isOrdered else { throw mismatch(expression, "elements with an order", type.name) }
      return (bound, BoundType(type.kind, isOptional: true))
    case .sum, .avg:
      guard type.kind.isNumber else { throw mismatch(expression, "elements that are numbers", type.name) }
      let isSum = measure == .sum
      let kind = isSum ? SumAccumulator.resultKind(of: type.kind) : AverageAccumulator.resultKind(of: type.kind)
      return (bound, BoundType(kind, isOptional: !isSum))
    }
  }
}

extension ColumnKind {
  var isNumber: Bool {
    switch self {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .decimal: true
    default: false
    }
  }
  var isInteger: Bool { isNumber && self != .float && self != .double && self != .decimal }
}
