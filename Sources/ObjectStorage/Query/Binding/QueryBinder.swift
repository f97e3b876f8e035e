/// Looks up a query's names and checks its types, before anything is read.
struct QueryBinder {
  /// Levels of a tree; a text has fewer.
  static let depthMax = QueryError.depthMax

  let schema: TypeSchema
  /// The types that subqueries ask.
  let schemas: [String: TypeSchema]
  /// What the subqueries found, in the order of `subqueries`; nil while they haven't been run.
  let found: [[StoredValue]]?
  private(set) var subqueries: [BoundSubquery] = []
  /// Of the closures around what is being bound.
  private(set) var scopes: [BoundType] = []
  private var depth = 0

  init(schema: TypeSchema, schemas: [String: TypeSchema], found: [[StoredValue]]?) {
    self.schema = schema
    self.schemas = schemas
    self.found = found
  }

  /// As the grammar writes it here.
  func part(_ expression: QueryExpression) -> String { QueryPrinter.condition(expression, scope: scopes.count) }

  func mismatch(_ expression: QueryExpression, _ expected: String, _ actual: String) -> QueryError {
    .typeMismatch(part: part(expression), expected: expected, actual: actual)
  }

  // MARK: Conditions

  mutating func condition(_ expression: QueryExpression) throws(QueryError) -> BoundCondition {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthMax { throw .tooDeep }
    switch expression {
    case .and(let terms): return .and(try conditions(terms))
    case .or(let terms): return Self.merged(try conditions(terms))
    case .not(let inner): return try condition(inner).negated
    case .literal(.bool(let value)): return .constant(value)
    case .comparison(let comparison, let left, let right): return try self.comparison(comparison, left, right, expression)
    case .between(let operand, let lower, let upper, let isClosed):
      return try between(operand, lower, upper, isClosed, expression)
    case .membership(let operand, let values): return try membership(operand, values, expression)
    case .subquery(let operand, let query): return try subquery(operand, query, expression)
    case .text(let test, let operand, let text, let options): return try self.text(test, operand, text, options, expression)
    case .contains(let operand, let value): return try contains(operand, value, expression)
    case .quantified(let quantifier, let collection, let inner):
      let (value, type) = try self.collection(collection)
      return .node(QuantifiedNode(quantifier, value, try elementCondition(inner, type)))
    case .invalid(let error): throw error
    case .element, .property, .mapValue, .mapKeys, .mapValues, .measure, .filter, .literal: return try truth(of: expression)
    }
  }

  private mutating func conditions(_ terms: QueryTerms) throws(QueryError) -> [BoundCondition] {
    var bound: [BoundCondition] = []
    for term in terms { bound.append(try condition(term)) }
    return bound
  }

  /// A Bool alone; nil is not true.
  private mutating func truth(of expression: QueryExpression) throws(QueryError) -> BoundCondition {
    let (value, type) = try operand(expression)
    guard type.kind == .bool else { throw mismatch(expression, "Bool", type.name) }
    return Self.asked(.compare(.equal, .bool(true)), of: value, type)
  }

  /// A condition on an element of a collection, one scope further in.
  mutating func elementCondition(_ expression: QueryExpression, _ element: BoundType) throws(QueryError) -> any PredicateNode {
    scopes.append(element)
    defer { scopes.removeLast() }
    return try condition(expression).compiled()
  }

  /// A question about a column stays one, for the planner.
  static func asked(_ question: ColumnQuestion, of value: BoundValue, _ type: BoundType) -> BoundCondition {
    if case .column(let path) = value, !type.isMultiple { return .column(path, question) }
    return .node(OperandNode(value, isMultiple: type.isMultiple, question.test(type.kind, shape: nil)))
  }

  mutating func add(_ subquery: BoundSubquery) -> Int {
    subqueries.append(subquery)
    return subqueries.count - 1
  }

  /// Equalities of one column with different values are a membership.
  private static func merged(_ terms: [BoundCondition]) -> BoundCondition {
    var values: [StoredValue] = []
    var column: ColumnPath?
    for term in terms {
      guard case .column(let path, let question) = term, let id = path.columnID, column.map({ $0.columnID == id }) ?? true else {
        return .or(terms)
      }
      switch question {
      case .compare(.equal, let value): values.append(value)
      case .membership(let more): values += more
      default: return .or(terms)
      }
      column = path
    }
    guard let column else { return .or(terms) }
    return .column(column, .membership(values))
  }
}
