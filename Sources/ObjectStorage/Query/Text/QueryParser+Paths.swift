extension QueryParser {
  /// Whether the word at hand is called: `count(` is a method, `count` a property.
  var nextIsParenthesis: Bool {
    var ahead = self
    guard (try? ahead.advance()) != nil else { return false }
    return ahead.token.isSymbol("(")
  }

  /// A property of an element, and what is asked of it.
  mutating func path() throws(QueryError) -> QueryExpression {
    var path = try head()
    while true {
      if try take("[") {
        path = .mapValue(of: path, key: try string("a key of the map, in quotes"))
        try expect("]")
      } else if token.isSymbol(".") {
        try advance()
        if let member = try member(of: &path) { return member }
      } else {
        return path
      }
    }
  }

  private mutating func head() throws(QueryError) -> QueryExpression {
    let expected = "a property, a value or a parenthesis"
    switch token.kind {
    case .element(let outward):
      guard outward <= scope else { throw failure("at most $\(scope)") }
      try advance()
      return .element(scope: scope - outward)
    case .name(let name, _):
      if nextIsParenthesis { throw failure(expected) }
      try advance()
      return .property(of: .element(scope: scope), name: name)
    default: throw failure(expected)
    }
  }

  /// Goes a step along the path; what ends it is returned.
  private mutating func member(of path: inout QueryExpression) throws(QueryError) -> QueryExpression? {
    guard case .name(let word, let isQuoted) = token.kind else { throw failure("a property or a member") }
    let start = token.offset
    let isCall = !isQuoted && nextIsParenthesis
    try advance()
    if isCall {
      try expect("(")
      try enter()
      let (result, ends) = try call(word, on: path, start)
      leave()
      try expect(")")
      if ends { return result }
      path = result
    } else if !isQuoted, let measure = QueryMeasure(rawValue: word) {
      path = .measure(measure, of: path)
    } else if !isQuoted, word == "keys" {
      path = .mapKeys(of: path)
    } else if !isQuoted, word == "values" {
      path = .mapValues(of: path)
    } else {
      path = .property(of: path, name: word)
    }
    return nil
  }

  private mutating func call(_ word: String, on path: QueryExpression, _ start: Int) throws(QueryError) -> (QueryExpression, Bool) {
    if word == "filter" { return (.filter(path, try elementCondition()), false) }
    if let quantifier = QueryQuantifier(rawValue: word) { return (.quantified(quantifier, path, try elementCondition()), true) }
    if word == "in" {
      if token.isSymbol("[") { return (.membership(path, try list()), true) }
      return (.subquery(path, try subquery()), true)
    }
    if word == "between" { return (try range(path), true) }
    if token.isWord("of"), let measure = QueryMeasure(rawValue: word), measure != .count, measure != .isEmpty {
      try advance()
      try expect(":")
      return (.measure(measure, of: .property(of: path, name: try name("a property"))), false)
    }
    if let test = QueryTextTest(rawValue: word) { return (try text(test, path), true) }
    throw failure(at: start, "a member of Query")
  }

  /// A condition of an element, one scope further in.
  private mutating func elementCondition() throws(QueryError) -> QueryExpression {
    scope += 1
    let inner = try condition()
    scope -= 1
    return inner
  }

  private mutating func list() throws(QueryError) -> [StoredValue] {
    try expect("[")
    var values: [StoredValue] = []
    if try take("]") { return values }
    repeat { values.append(try value()) } while try take(",")
    try expect("]", ", or ]")
    return values
  }

  private mutating func range(_ path: QueryExpression) throws(QueryError) -> QueryExpression {
    let lower = try value()
    let isClosed = token.isSymbol("...")
    if !isClosed, !token.isSymbol("..<") { throw failure("... or ..<") }
    try advance()
    return .between(path, lower: lower, upper: try value(), includesUpper: isClosed)
  }

  private mutating func text(_ test: QueryTextTest, _ path: QueryExpression) throws(QueryError) -> QueryExpression {
    if test == .starts || test == .ends {
      try expectWord("with")
      try expect(":")
    }
    let operand = try value()
    guard try take(",") else {
      if case .string(let text) = operand, test != .contains { return .text(test, path, text, []) }
      if test == .contains { return .contains(path, operand) }
      throw failure("a text")
    }
    guard case .string(let text) = operand else { throw failure("no options, for a text only") }
    try expectWord("options")
    try expect(":")
    return .text(test, path, text, try options())
  }

  private mutating func options() throws(QueryError) -> StringOptions {
    var options: StringOptions = []
    let isList = try take("[")
    if isList, try take("]") { return options }
    repeat {
      let start = token.offset
      switch try name("an option") {
      case "caseInsensitive": options.insert(.caseInsensitive)
      case "diacriticInsensitive": options.insert(.diacriticInsensitive)
      default: throw failure(at: start, "caseInsensitive or diacriticInsensitive")
      }
      if !isList { return options }
    } while try take(",")
    try expect("]", ", or ]")
    return options
  }
}
