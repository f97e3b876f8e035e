/// Reads a query from its text.
///
/// ```
/// query      = [condition] { "|" step }
/// step       = "where" condition | "sort" ["-"] path { "," ["-"] path } | "distinct" path | "limit" n | "offset" n | "after" string
/// condition  = and { "||" and }          and = comparison { "&&" comparison }
/// comparison = unary [("==" | "!=" | "<" | "<=" | ">" | ">=") unary]
/// unary      = "!" unary | "(" condition ")" | value | path
/// path       = (name | "$" n) { "." name | "[" string "]" | "." member }
/// ```
/// Members are those of `Query`, with conditions and names where its closures and key paths stand:
/// `events.filter(name == "Talk").count > 1`, `parts.sum(of: id)`, `text.in(User { age > 3 }, of: firstName)`.
struct QueryParser {
  /// Nested parentheses and calls.
  static let depthMax = 64

  private var lexer: QueryLexer
  private(set) var token: QueryToken
  /// The closure that is being read: 0 is the query's own.
  var scope = 0
  private var depth = 0

  static func form(_ text: String) throws(QueryError) -> QueryForm {
    var parser = try QueryParser(text)
    let form = try parser.form()
    if parser.token.kind != .end { throw parser.failure("an operator, | or the end") }
    return form
  }

  private init(_ text: String) throws(QueryError) {
    lexer = try QueryLexer(text)
    token = try lexer.next()
  }

  func failure(_ expected: String) -> QueryError { lexer.failure(at: token.offset, expected) }
  func failure(at offset: Int, _ expected: String) -> QueryError { lexer.failure(at: offset, expected) }

  // MARK: Words

  mutating func advance() throws(QueryError) { token = try lexer.next() }

  mutating func take(_ symbol: String) throws(QueryError) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: String, _ meaning: String? = nil) throws(QueryError) {
    if !(try take(symbol)) { throw failure(meaning ?? symbol) }
  }

  mutating func expectWord(_ word: String) throws(QueryError) {
    guard token.isWord(word) else { throw failure(word) }
    try advance()
  }

  mutating func name(_ meaning: String) throws(QueryError) -> String {
    guard case .name(let name, _) = token.kind else { throw failure(meaning) }
    try advance()
    return name
  }

  mutating func string(_ meaning: String) throws(QueryError) -> String {
    guard case .string(let text) = token.kind else { throw failure(meaning) }
    try advance()
    return text
  }

  /// A level deeper, up to the bound.
  mutating func enter() throws(QueryError) {
    depth += 1
    if depth > Self.depthMax { throw failure("at most \(Self.depthMax) levels") }
  }
  mutating func leave() { depth -= 1 }

  // MARK: Conditions

  mutating func condition() throws(QueryError) -> QueryExpression {
    try enter()
    var left = try conjunction()
    while try take("||") { left = .disjunction(left, try conjunction()) }
    leave()
    return left
  }

  private mutating func conjunction() throws(QueryError) -> QueryExpression {
    var left = try comparison()
    while try take("&&") { left = .conjunction(left, try comparison()) }
    return left
  }

  private mutating func comparison() throws(QueryError) -> QueryExpression {
    let left = try unary()
    guard case .symbol(let symbol) = token.kind, let test = QueryComparison(rawValue: symbol) else { return left }
    try advance()
    return .comparison(test, left, try unary())
  }

  private mutating func unary() throws(QueryError) -> QueryExpression {
    if try take("!") {
      try enter()
      let operand = try unary()
      leave()
      return .not(operand)
    }
    if try take("(") {
      let inner = try condition()
      try expect(")", "an operator or )")
      return inner
    }
    if let literal = try literal() { return .scalar(literal) }
    return try path()
  }
}
