@testable import ObjectStorage

/// Counts what queries ask, by the names of the forms.
struct QueryCensus {
  private(set) var counts: [String: Int] = [:]

  /// Every form that there is, except for `after`, whose cursor is the store's own, and `invalid`, which isn't a query.
  static let all: [String] =
    ["filter", "sort up", "sort down", "distinct", "limit", "offset"]
    + QueryComparison.allCases.map { "comparison \($0.rawValue)" } + QueryMeasure.allCases.map { "measure \($0.rawValue)" }
    + QueryTextTest.allCases.flatMap { test in (0..<4).map { "text \(test.rawValue) \($0)" } }
    + QueryQuantifier.allCases.map { "quantifier \($0.rawValue)" }
    + [
      "between", "between half open", "membership", "membership of none", "subquery", "contains", "not", "and", "or", "flag",
      "filter of elements", "map value", "map keys", "map values", "nil", "property of a struct", "property of elements",
      "property with property", "inner element",
    ]

  var missing: [String] { Self.all.filter { counts[$0, default: 0] == 0 } }

  private static let tags = QueryExpression.property(of: .element(scope: 0), name: "tags")

  private mutating func count(_ name: String) { counts[name, default: 0] += 1 }

  mutating func add(_ form: QueryForm) {
    for step in form.steps {
      switch step {
      case .filter(let condition):
        count("filter")
        add(term: condition)
      case .sort(let sorts):
        for sort in sorts {
          count(sort.ascending ? "sort up" : "sort down")
          add(sort.expression)
        }
      case .distinct(let expression):
        count("distinct")
        add(expression)
      case .limit: count("limit")
      case .offset: count("offset")
      case .after: count("after")
      }
    }
  }

  private mutating func add(term: QueryExpression) {
    if case .property = term { count("flag") }
    add(term)
  }

  private mutating func add(_ expression: QueryExpression) {
    switch expression {
    case .element(let scope): if scope > 0 { count("inner element") }
    case .literal(let value): if value == .null { count("nil") }
    case .property(let base, let name):
      if case .property(_, let outer) = base { count(outer == "places" ? "property of elements" : "property of a struct") }
      if name != "places" { add(base) }
    case .mapValue(let base, _):
      count("map value")
      add(base)
    case .mapKeys(let base):
      count("map keys")
      add(base)
    case .mapValues(let base):
      count("map values")
      add(base)
    case .measure(let measure, let base):
      count("measure \(measure.rawValue)")
      add(base)
    case .filter(let base, let condition):
      count("filter of elements")
      add(base)
      add(condition)
    case .comparison(let test, let left, let right):
      count("comparison \(test.rawValue)")
      if case .property = right, case .property = left { count("property with property") }
      add(left)
      add(right)
    case .between(let operand, _, _, let isClosed):
      count(isClosed ? "between" : "between half open")
      add(operand)
    case .membership(let operand, let list):
      count(list.isEmpty ? "membership of none" : "membership")
      add(operand)
    case .subquery(let operand, let query):
      count("subquery")
      add(operand)
      add(query.form)
    case .text(let test, let operand, _, let options):
      count("text \(test.rawValue) \(options.rawValue)")
      add(operand)
    case .contains(let operand, let literal):
      // Without options it is a test of text.
      let isOfText = if case .string = literal, operand != Self.tags { true } else { false }
      count(isOfText ? "text contains 0" : "contains")
      add(operand)
    case .quantified(let quantifier, let collection, let condition):
      count("quantifier \(quantifier.rawValue)")
      add(collection)
      add(condition)
    case .not(let inner):
      count("not")
      add(term: inner)
    case .and(let terms):
      count("and")
      for term in terms { add(term: term) }
    case .or(let terms):
      count("or")
      for term in terms { add(term: term) }
    case .invalid: count("invalid")
    }
  }
}
