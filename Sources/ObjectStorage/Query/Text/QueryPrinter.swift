/// Writes a query in the grammar that `QueryParser` reads.
enum QueryPrinter {
  static func text(_ form: QueryForm) -> String {
    var parts: [String] = []
    for (index, step) in form.steps.enumerated() {
      switch step {
      case .filter(let condition):
        let text = text(condition)
        parts.append(index == 0 ? text : "| where \(text)")
      case .sort(let sorts): parts.append("| sort " + sorts.map { text($0) }.joined(separator: ", "))
      case .distinct(let path): parts.append("| distinct \(text(path))")
      case .limit(let count): parts.append("| limit \(count)")
      case .offset(let count): parts.append("| offset \(count)")
      case .after(let cursor): parts.append("| after \"\(Hexadecimal.text(cursor.bytes))\"")
      }
    }
    return parts.joined(separator: " ")
  }

  static func text(_ sort: QuerySort) -> String { (sort.ascending ? "" : "-") + text(sort.expression) }

  static func text(_ expression: QueryExpression) -> String { condition(expression, scope: 0) }

  /// - Parameter scope: the closure in which the expression stands.
  static func condition(_ expression: QueryExpression, scope: Int) -> String {
    switch expression {
    case .or(let terms): terms.map { term($0, scope) }.joined(separator: " || ")
    case .and(let terms): terms.map { term($0, scope) }.joined(separator: " && ")
    case .comparison(let test, let left, let right): "\(operand(left, scope)) \(test.rawValue) \(operand(right, scope))"
    case .not(let inner): "!" + operand(inner, scope)
    default: path(expression, scope)
    }
  }

  private static func term(_ expression: QueryExpression, _ scope: Int) -> String {
    if case .or = expression { parenthesized(expression, scope) } else { condition(expression, scope: scope) }
  }

  private static func parenthesized(_ expression: QueryExpression, _ scope: Int) -> String {
    "(\(condition(expression, scope: scope)))"
  }

  private static func operand(_ expression: QueryExpression, _ scope: Int) -> String {
    switch expression {
    case .or, .and, .comparison: parenthesized(expression, scope)
    default: condition(expression, scope: scope)
    }
  }

  private static func path(_ expression: QueryExpression, _ scope: Int) -> String {
    switch expression {
    case .element(let level): "$\(scope - level)"
    case .property(.element(scope), let name): QueryNameText.first(name)
    case .property(let base, let name): "\(path(base, scope)).\(QueryNameText.member(name))"
    case .mapValue(let base, let key): "\(path(base, scope))[\(QueryValueText.text(key))]"
    case .mapKeys(let base): "\(path(base, scope)).keys"
    case .mapValues(let base): "\(path(base, scope)).values"
    case .literal(let value): QueryValueText.text(value)
    case .measure(let measure, .property(let base, let name)) where takesProperty(measure) && !isElement(base):
      "\(path(base, scope)).\(measure.rawValue)(of: \(QueryNameText.argument(name)))"
    case .measure(let measure, let base): "\(path(base, scope)).\(measure.rawValue)"
    case .invalid: "<invalid>"
    default: call(expression, scope)
    }
  }

  private static func isElement(_ expression: QueryExpression) -> Bool { if case .element = expression { true } else { false } }
  private static func takesProperty(_ measure: QueryMeasure) -> Bool { measure != .count && measure != .isEmpty }

  private static func call(_ expression: QueryExpression, _ scope: Int) -> String {
    switch expression {
    case .filter(let base, let inner): "\(path(base, scope)).filter(\(condition(inner, scope: scope + 1)))"
    case .quantified(let quantifier, let base, let inner):
      "\(path(base, scope)).\(quantifier.rawValue)(\(condition(inner, scope: scope + 1)))"
    case .between(let base, let lower, let upper, let isClosed):
      "\(path(base, scope)).between(\(QueryValueText.text(lower))\(isClosed ? "..." : "..<")\(QueryValueText.text(upper)))"
    case .membership(let base, let values):
      "\(path(base, scope)).in([\(values.map { QueryValueText.text($0) }.joined(separator: ", "))])"
    case .subquery(let base, let query):
      "\(path(base, scope)).in(\(QueryNameText.argument(query.typeName)) { \(text(query.form)) }, of: \(QueryNameText.argument(query.property)))"
    case .contains(let base, let value): "\(path(base, scope)).contains(\(QueryValueText.text(value)))"
    case .text(let test, let base, let text, let options):
      "\(path(base, scope)).\(test.rawValue)(\(label(test))\(QueryValueText.text(text))\(QueryValueText.text(options)))"
    default: parenthesized(expression, scope)
    }
  }

  private static func label(_ test: QueryTextTest) -> String { test == .starts || test == .ends ? "with: " : "" }
}
