extension QueryBinder {
  mutating func comparison(
    _ comparison: QueryComparison, _ left: QueryExpression, _ right: QueryExpression, _ expression: QueryExpression
  ) throws(QueryError) -> BoundCondition {
    switch (left, right) {
    case (.literal(let a), .literal(let b)): return .constant(ValueOrder.holds(comparison, a, b))
    case (.literal(let literal), _): return try compare(comparison.mirrored, right, literal, expression)
    case (_, .literal(let literal)): return try compare(comparison, left, literal, expression)
    default: break
    }
    let (a, typeA) = try operand(left)
    let (b, typeB) = try operand(right)
    guard typeA.kind.isOrdered else { throw Self.whole(part(left), typeA) }
    guard typeB.kind.isOrdered else { throw Self.whole(part(right), typeB) }
    guard typeA.kind == typeB.kind || typeA.kind.isNumber && typeB.kind.isNumber else {
      throw mismatch(right, typeA.name, typeB.name)
    }
    return .node(ComparisonNode(comparison, a, b))
  }

  private mutating func compare(
    _ comparison: QueryComparison, _ operand: QueryExpression, _ literal: StoredValue, _ expression: QueryExpression
  ) throws(QueryError) -> BoundCondition {
    let (value, type) = try self.operand(operand)
    if literal == .null {
      switch comparison {
      case .equal: return Self.asked(.isNull, of: value, type)
      case .notEqual where type.isMultiple:
        return .node(OperandNode(value, isMultiple: true, PresenceTest(isNull: false, shape: nil)))
      case .notEqual: return .not(Self.asked(.isNull, of: value, type))
      default: return .constant(false)
      }
    }
    guard type.kind.isOrdered else { throw Self.whole(part(operand), type) }
    switch CoercedLiteral(literal, type.kind) {
    case .value(.bool(let asked)) where comparison == .notEqual && !type.isOptional && !type.isMultiple:
      return Self.asked(.compare(.equal, .bool(!asked)), of: value, type)
    case .value(let literal): return Self.asked(.compare(comparison, literal), of: value, type)
    case .mismatch: throw mismatch(expression, type.name, literal.kindName)
    // Every value is above, so what is asked is whether there is one.
    case .below: return Self.outside(comparison, holds: [.greater, .greaterOrEqual], value, type)
    case .above: return Self.outside(comparison, holds: [.less, .lessOrEqual], value, type)
    }
  }

  private static func outside(
    _ comparison: QueryComparison, holds: [QueryComparison], _ value: BoundValue, _ type: BoundType
  ) -> BoundCondition {
    if comparison == .notEqual {
      return type.isMultiple ? .node(OperandNode(value, isMultiple: true, AnyValueTest())) : .constant(true)
    }
    guard holds.contains(comparison) else { return .constant(false) }
    if type.isMultiple { return .node(OperandNode(value, isMultiple: true, PresenceTest(isNull: false, shape: nil))) }
    return .not(asked(.isNull, of: value, type))
  }

  static func whole(_ part: String, _ type: BoundType) -> QueryError {
    .unsupported(part: part, reason: "a whole \(type.name) isn't compared; ask about its elements or properties")
  }

  mutating func between(
    _ operand: QueryExpression, _ lower: StoredValue, _ upper: StoredValue, _ isClosed: Bool, _ expression: QueryExpression
  ) throws(QueryError) -> BoundCondition {
    let (value, type) = try self.operand(operand)
    guard type.kind.isOrdered else { throw Self.whole(part(operand), type) }
    if lower == .null || upper == .null { return .constant(false) }
    switch (CoercedLiteral(lower, type.kind), CoercedLiteral(upper, type.kind)) {
    case (.mismatch, _): throw mismatch(expression, type.name, lower.kindName)
    case (_, .mismatch): throw mismatch(expression, type.name, upper.kindName)
    case (.value(let a), .value(let b)): return Self.asked(.between(a, b, includesUpper: isClosed), of: value, type)
    case (.below, .value(let b)): return Self.asked(.compare(isClosed ? .lessOrEqual : .less, b), of: value, type)
    case (.value(let a), .above): return Self.asked(.compare(.greaterOrEqual, a), of: value, type)
    case (.below, .above): return Self.outside(.greater, holds: [.greater], value, type)
    case (.above, _), (_, .below): return .constant(false)
    }
  }

  mutating func membership(
    _ operand: QueryExpression, _ literals: [StoredValue], _ expression: QueryExpression
  ) throws(QueryError) -> BoundCondition {
    let (value, type) = try self.operand(operand)
    guard type.kind.isOrdered else { throw Self.whole(part(operand), type) }
    var values: [StoredValue] = []
    for literal in literals {
      switch CoercedLiteral(literal, type.kind) {
      case .value(let value): values.append(value)
      case .mismatch: throw mismatch(expression, type.name, literal.kindName)
      // No value of the kind is that number.
      case .below, .above: break
      }
    }
    return Self.asked(.membership(values), of: value, type)
  }

  mutating func subquery(
    _ operand: QueryExpression, _ query: QuerySubquery, _ expression: QueryExpression
  ) throws(QueryError) -> BoundCondition {
    let (value, type) = try self.operand(operand)
    guard let other = schemas[query.typeName] else { throw .unknownType(name: query.typeName) }
    let column = try Self.column(query.property, of: other) { query.property }
    guard type.kind.isOrdered else { throw Self.whole(part(operand), type) }
    guard column.kind == type.kind || column.kind.isNumber && type.kind.isNumber else {
      throw mismatch(expression, type.name, BoundType(column).name)
    }
    let bound = try BoundQuery(query.form, schema: other, schemas: schemas)
    let index = add(BoundSubquery(query: bound, column: column.id))
    let found = found?[index] ?? []
    var values: [StoredValue] = []
    for literal in found { if case .value(let value) = CoercedLiteral(literal, type.kind) { values.append(value) } }
    return Self.asked(.membership(values), of: value, type)
  }
}

/// True of every value, nil included: what remains to ask is whether there is one.
final class AnyValueTest: ValueTest {
  let shape: ValueShape? = nil
  func holds(_ value: StoredValue) -> Bool { true }
}
