/// A query whose names and types have been checked against a stored schema: what is planned and run.
package struct BoundQuery: Sendable {
  package let schema: TypeSchema
  let form: QueryForm
  let steps: [BoundStep]
  /// What has to be run first; `resolved(with:)` takes what it found. Empty for most queries.
  package private(set) var subqueries: [BoundSubquery]
  private let schemas: [String: TypeSchema]

  /// - Parameter schemas: the types that subqueries may name, by their names in the file.
  /// - Throws: ``QueryError`` that names the part at fault.
  package init(_ form: QueryForm, schema: TypeSchema, schemas: [String: TypeSchema] = [:]) throws(QueryError) {
    try self.init(form, schema, schemas, found: nil)
  }

  private init(
    _ form: QueryForm, _ schema: TypeSchema, _ schemas: [String: TypeSchema], found: [[StoredValue]]?
  ) throws(QueryError) {
    self.schema = schema
    self.form = form
    self.schemas = schemas
    var binder = QueryBinder(schema: schema, schemas: schemas, found: found)
    var steps: [BoundStep] = []
    for (index, step) in form.steps.enumerated() {
      switch step {
      case .filter(let expression): steps.append(.filter(try binder.filters(expression)))
      case .sort(let sorts): steps.append(.sort(try binder.sorts(sorts)))
      case .distinct(let expression): steps.append(.distinct(try binder.key(expression, ascending: true)))
      case .limit(let count): steps.append(.limit(count))
      case .offset(let count): steps.append(.offset(count))
      case .after(let cursor): steps.append(.after(try cursor.place(in: form, before: index, of: schema.name)))
      }
    }
    self.steps = steps
    subqueries = binder.subqueries
  }

  /// The query with the values that its subqueries found, in their order: plan and run that one. A subquery may have some of its own.
  package func resolved(with values: [[StoredValue]]) throws(QueryError) -> BoundQuery {
    precondition(values.count == subqueries.count, "a list of values for each subquery")
    var query = try BoundQuery(form, schema, schemas, found: values)
    query.subqueries = []
    return query
  }
}

/// A query inside of another one, whose objects' values of a column the outer one asks for.
package struct BoundSubquery: Sendable {
  package let query: BoundQuery
  package let column: UInt16
}

/// A step of a query, checked.
enum BoundStep: Sendable {
  /// All of them hold.
  case filter([BoundFilter])
  case sort([BoundKey])
  case distinct(BoundKey)
  case limit(Int)
  case offset(Int)
  /// The key of a place in the order so far.
  case after([UInt8])
}

/// One condition of several, and how it is printed.
struct BoundFilter: Sendable {
  let condition: BoundCondition
  let expression: QueryExpression
  /// The row's own columns that it reads.
  let columns: [UInt16]

  var text: String { QueryPrinter.text(expression) }
}

/// What rows are ordered or told apart by.
struct BoundKey: Sendable {
  let value: BoundValue
  let kind: ColumnKind
  let isOptional: Bool
  var ascending: Bool
  let expression: QueryExpression
  let columns: [UInt16]

  var text: String { QueryPrinter.text(expression) }

  /// The row's own column that it is, when it is one.
  var columnID: UInt16? { if case .column(let path) = value { path.columnID } else { nil } }
}

extension QueryBinder {
  mutating func filters(_ expression: QueryExpression) throws(QueryError) -> [BoundFilter] {
    var filters: [BoundFilter] = []
    for term in expression.conjuncts {
      filters.append(BoundFilter(condition: try condition(term), expression: term, columns: columns(of: term)))
    }
    return filters
  }

  mutating func sorts(_ sorts: [QuerySort]) throws(QueryError) -> [BoundKey] {
    var keys: [BoundKey] = []
    for sort in sorts { keys.append(try key(sort.expression, ascending: sort.ascending)) }
    return keys
  }

  mutating func key(_ expression: QueryExpression, ascending: Bool) throws(QueryError) -> BoundKey {
    let (value, type) = try operand(expression)
    guard type.kind.isOrdered else { throw mismatch(expression, "a value with an order", type.name) }
    if type.isMultiple { throw .unsupported(part: part(expression), reason: "a value of each element gives an object no place") }
    return BoundKey(
      value: value, kind: type.kind, isOptional: type.isOptional, ascending: ascending, expression: expression,
      columns: columns(of: expression))
  }

  /// The row's own columns that an expression reads.
  private func columns(of expression: QueryExpression) -> [UInt16] {
    expression.rootProperties.compactMap { schema.column(named: $0)?.id }
  }
}

extension QueryExpression {
  /// The object's own properties that are named in it, some perhaps more than once.
  var rootProperties: [String] {
    switch self {
    case .property(.element(scope: 0), let name): [name]
    case .element, .literal, .invalid: []
    case .property(let base, _), .mapValue(let base, _), .mapKeys(let base), .mapValues(let base), .measure(_, let base),
      .between(let base, _, _, _), .membership(let base, _), .subquery(let base, _), .text(_, let base, _, _),
      .contains(let base, _), .not(let base):
      base.rootProperties
    case .filter(let a, let b), .comparison(_, let a, let b), .quantified(_, let a, let b): a.rootProperties + b.rootProperties
    case .and(let terms), .or(let terms): terms.flatMap(\.rootProperties)
    }
  }
}
