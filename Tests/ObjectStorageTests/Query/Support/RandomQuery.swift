import TestSupport

@testable import ObjectStorage

/// Makes queries over `Sample` that ask every kind of question, with literals that often match.
struct RandomQuery {
  var random: SplitMix64
  /// Asks other queries of `Sample` too.
  var hasSubqueries = false

  private indirect enum Kind { case bool, int, big, double, decimal, string, date, uuid, data, status }
  private struct Operand {
    let expression: QueryExpression
    let kind: Kind
    var isOptional = false
    var isMultiple = false
  }

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func pick<T>(_ values: [T]) -> T { values.randomElement(using: &random)! }
  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func form() -> QueryForm {
    var form = QueryForm()
    if chance(40) { form.append(.filter(question(pick(columns.filter { Self.indexed.contains($0.expression) })))) }
    if chance(80) { form.append(.filter(condition(depth: 2, scope: 0))) }
    for _ in 0..<pick([0, 1, 1, 2, 3, 4]) {
      switch pick([0, 0, 0, 1, 2, 3, 4]) {
      case 0: form.append(.sort(sorts()))
      case 1: form.append(.distinct(single().expression))
      case 2: form.append(.limit(Int.random(in: 0...12, using: &random)))
      case 3: form.append(.offset(Int.random(in: 0...4, using: &random)))
      default: form.append(.filter(condition(depth: 1, scope: 0)))
      }
    }
    return form
  }

  private mutating func sorts() -> [QuerySort] {
    (0..<pick([1, 1, 2, 3])).map { _ in QuerySort(single().expression, ascending: chance(50)) }
  }

  // MARK: Operands

  private func root(_ name: String) -> QueryExpression { .property(of: .element(scope: 0), name: name) }

  /// What indexes and the primary key begin with.
  private static let indexed = ["id", "age", "score", "price", "name", "nickname", "flag", "status"].map {
    QueryExpression.property(of: .element(scope: 0), name: $0)
  }

  private var columns: [Operand] {
    [
      Operand(expression: root("id"), kind: .int), Operand(expression: root("flag"), kind: .bool),
      Operand(expression: root("age"), kind: .int), Operand(expression: root("small"), kind: .int),
      Operand(expression: root("big"), kind: .big), Operand(expression: root("score"), kind: .double, isOptional: true),
      Operand(expression: root("ratio"), kind: .double), Operand(expression: root("price"), kind: .decimal),
      Operand(expression: root("name"), kind: .string), Operand(expression: root("nickname"), kind: .string, isOptional: true),
      Operand(expression: root("moment"), kind: .date), Operand(expression: root("token"), kind: .uuid, isOptional: true),
      Operand(expression: root("blob"), kind: .data), Operand(expression: root("status"), kind: .status),
    ]
  }

  private mutating func single() -> Operand {
    if chance(70) { return pick(columns) }
    return pick([
      Operand(expression: .property(of: root("address"), name: "street"), kind: .string),
      Operand(expression: .property(of: root("oldAddress"), name: "street"), kind: .string, isOptional: true),
      Operand(expression: .property(of: root("oldAddress"), name: "number"), kind: .int, isOptional: true),
      Operand(expression: .mapValue(of: root("attributes"), key: "colour"), kind: .int, isOptional: true),
      Operand(expression: .measure(.count, of: root("scores")), kind: .int),
      Operand(expression: .measure(.max, of: root("scores")), kind: .int, isOptional: true),
      Operand(expression: .measure(.sum, of: root("scores")), kind: .int),
      Operand(expression: .measure(.avg, of: root("scores")), kind: .double, isOptional: true),
      Operand(expression: .measure(.min, of: root("optionals")), kind: .double, isOptional: true),
      Operand(expression: .measure(.sum, of: .property(of: root("places"), name: "number")), kind: .int),
      Operand(expression: .measure(.max, of: .property(of: root("places"), name: "street")), kind: .string, isOptional: true),
      Operand(expression: .measure(.count, of: root("attributes")), kind: .int),
      Operand(
        expression: .measure(.count, of: .filter(root("scores"), .comparison(.greater, .element(scope: 1), .literal(.int(0))))),
        kind: .int),
    ])
  }

  private mutating func operand() -> Operand {
    if chance(85) { return single() }
    return pick([
      Operand(expression: .property(of: root("places"), name: "street"), kind: .string, isMultiple: true),
      Operand(expression: .property(of: root("places"), name: "number"), kind: .int, isOptional: true, isMultiple: true),
    ])
  }

  private mutating func literal(_ kind: Kind) -> StoredValue {
    let value: StoredValue =
      switch kind {
      case .bool: .bool(chance(50))
      case .int: .int(chance(40) ? Int64(pick(Sample.integers)) : Int64.random(in: -3...20, using: &random))
      case .big: pick([.uint(0), .uint(1), .uint(5), .uint(.max), .int(-1)])
      case .double: .double(pick(Sample.doubles))
      case .decimal: .decimal(pick(Sample.decimals))
      case .string: .string(pick(Sample.texts))
      case .date: .date(Double(Int.random(in: -2...2, using: &random)) / 2)
      case .uuid: .uuid(pick(Sample.tokens))
      case .data: .data(pick([[], [0], [1, 2], [0xFF]]))
      case .status: .string(pick(["draft", "sent", "read", "gone"]))
      }
    return value.canonicalLiteral
  }

  // MARK: Conditions

  private mutating func condition(depth: Int, scope: Int) -> QueryExpression {
    if depth > 0, chance(45) {
      let terms = (0..<pick([2, 2, 3])).map { _ in condition(depth: depth - 1, scope: scope) }
      let isAnd = chance(60)
      return terms.dropFirst().reduce(terms[0]) { isAnd ? .conjunction($0, $1) : .disjunction($0, $1) }
    }
    if chance(15) { return .not(condition(depth: max(depth - 1, 0), scope: scope)) }
    if chance(20) { return collectionCondition(depth) }
    return question(operand())
  }

  private mutating func question(_ operand: Operand) -> QueryExpression {
    let expression = operand.expression
    if operand.isOptional, chance(15) { return .comparison(chance(50) ? .equal : .notEqual, expression, .literal(.null)) }
    if operand.kind == .bool, chance(60) { return expression }
    if hasSubqueries, let subquery = subquery(operand) { return subquery }
    if operand.kind == .string, chance(45) { return textQuestion(expression) }
    switch pick([0, 0, 0, 1, 2, 3]) {
    case 1:
      return .between(expression, lower: literal(operand.kind), upper: literal(operand.kind), includesUpper: chance(50))
    case 2:
      var values = (0..<pick([0, 1, 2, 3])).map { _ in literal(operand.kind) }
      if operand.isOptional, chance(20) { values.append(.null) }
      return .membership(expression, values)
    case 3 where !operand.isMultiple:
      return .comparison(pick(QueryComparison.allCases), expression, other(of: operand.kind))
    default: return .comparison(pick(QueryComparison.allCases), expression, .literal(literal(operand.kind)))
    }
  }

  private mutating func subquery(_ operand: Operand) -> QueryExpression? {
    let property = operand.kind == .int ? "age" : operand.kind == .string ? "name" : nil
    guard let property, !operand.isOptional, operand.expression == root(property), chance(30) else { return nil }
    var inner = QueryForm()
    inner.append(.filter(question(pick(columns.filter { $0.expression != root(property) }))))
    if chance(50) {
      inner.append(.sort(sorts()))
      inner.append(.limit(Int.random(in: 1...30, using: &random)))
    }
    return .subquery(operand.expression, QuerySubquery(typeName: "Sample", form: inner, property: property))
  }

  private mutating func other(of kind: Kind) -> QueryExpression {
    pick(columns.filter { $0.kind == kind }).expression
  }

  private mutating func textQuestion(_ expression: QueryExpression) -> QueryExpression {
    let text = pick(Sample.texts.filter { !$0.contains("\0") })
    let options = pick([StringOptions(), .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    switch pick([0, 1, 2, 3, 4, 5]) {
    case 0: return .text(.equals, expression, text, options)
    case 1: return options.isEmpty ? .contains(expression, .string(text)) : .text(.contains, expression, text, options)
    case 2: return .text(.starts, expression, text, options)
    case 3: return .text(.ends, expression, text, options)
    case 4: return .text(.like, expression, pick(["*", "?", "a*", "*b", "*a*", "?b", "м?*а", "a*b", "é", "*ss?"]), options)
    default:
      return .text(.matches, expression, pick(["a.*", "[a-z]+", "(a|b)*", "м\\w+а", "\\w{2,3}", "стр?|é", "[^a]*"]), options)
    }
  }

  private mutating func collectionCondition(_ depth: Int) -> QueryExpression {
    let quantifier = pick(QueryQuantifier.allCases)
    switch pick([0, 1, 2, 3, 4, 5]) {
    case 0: return .contains(root("scores"), .int(Int64.random(in: -3...3, using: &random)))
    case 1: return .contains(root("tags"), .string(pick(Sample.texts)))
    case 2: return .contains(root("optionals"), chance(30) ? .null : .double(pick(Sample.doubles)))
    case 3:
      return .measure(.isEmpty, of: pick([root("scores"), root("tags"), root("attributes"), .mapKeys(of: root("attributes"))]))
    case 4:
      let inner = QueryExpression.comparison(
        pick(QueryComparison.allCases), .element(scope: 1), chance(70) ? .literal(.int(1)) : root("small"))
      return .quantified(quantifier, chance(50) ? root("scores") : .mapValues(of: root("attributes")), inner)
    default:
      let street = QueryExpression.property(of: .element(scope: 1), name: "street")
      var inner = QueryExpression.comparison(.equal, street, chance(60) ? .literal(.string(pick(Sample.texts))) : root("name"))
      if chance(30) {
        let tags = QueryExpression.property(of: .element(scope: 1), name: "tags")
        inner = .conjunction(inner, .quantified(.any, tags, .comparison(.equal, .element(scope: 2), street)))
      }
      return .quantified(quantifier, root("places"), inner)
    }
  }
}
