@testable import ObjectStorage

/// Conditions are 0 or 1, never NULL: so `NOT` means what it says.
extension JudgeTranslation {
  mutating func condition(_ expression: QueryExpression, _ scopes: [JudgeItem]) throws -> String {
    switch expression {
    case .and(let terms): return "(\(try terms.map { try condition($0, scopes) }.joined(separator: " AND ")))"
    case .or(let terms): return "(\(try terms.map { try condition($0, scopes) }.joined(separator: " OR ")))"
    case .not(let inner): return "(NOT \(try condition(inner, scopes)))"
    case .comparison(let test, let left, let right):
      return try any(left, scopes) { judge, left in
        if case .literal(let value) = right { return judge.compared(test, left, try judge.literal(value, left.kind)) }
        return judge.compared(test, left, try judge.column(right, scopes))
      }
    case .between(let operand, let lower, let upper, let isClosed):
      return try any(operand, scopes) { judge, column in
        let lower = judge.compared(.greaterOrEqual, column, try judge.literal(lower, column.kind))
        let upper = judge.compared(isClosed ? .lessOrEqual : .less, column, try judge.literal(upper, column.kind))
        return "(\(lower) AND \(upper))"
      }
    case .membership(let operand, let list):
      return try any(operand, scopes) { judge, column in
        let tests = try list.map { judge.compared(.equal, column, try judge.literal($0, column.kind)) }
        // Of no list nothing; but the column's own parameters have to be there.
        return "(\((tests + ["(0 AND \(column.sql) IS 0)"]).joined(separator: " OR ")))"
      }
    case .subquery(let operand, let query):
      return try any(operand, scopes) { judge, column in
        let row = judge.name("other")
        let other = try judge.column(.property(of: .element(scope: 0), name: query.property), [.row(row)])
        let ids = try judge.select(query.form)
        return "EXISTS (SELECT 1 FROM sample AS \(row) WHERE \(row).id IN (\(ids)) AND \(judge.compared(.equal, column, other)))"
      }
    case .text(let test, let operand, let text, let options):
      return try any(operand, scopes) { judge, column in judge.passes(test, column, text, options) }
    case .contains(let operand, let literal):
      if case .string(let text) = literal, !isWholeCollection(operand, scopes) {
        return try any(operand, scopes) { judge, column in judge.passes(.contains, column, text, []) }
      }
      return try any(operand, scopes) { judge, column in
        judge.compared(.equal, column, try judge.literal(literal, column.kind))
      }
    case .quantified(let quantifier, let collection, let condition):
      let source = try self.source(collection, scopes)
      let inner = try self.condition(condition, scopes + [source.item])
      switch quantifier {
      case .any: return source.exists(inner)
      case .all: return "(NOT \(source.exists("NOT \(inner)")))"
      case .none: return "(NOT \(source.exists(inner)))"
      }
    default: return "ifnull(\(try column(expression, scopes).sql), 0)"
    }
  }

  /// A collection of plain values: `contains` asks for one of them, and not for a part of a text.
  private func isWholeCollection(_ expression: QueryExpression, _ scopes: [JudgeItem]) -> Bool {
    guard case .property(of: .element, _) = expression else { return false }
    return isCollection(expression, scopes)
  }

  /// Of a property of a collection's elements: whether it holds for any of them.
  private mutating func any(
    _ expression: QueryExpression, _ scopes: [JudgeItem], _ body: (inout JudgeTranslation, JudgeColumn) throws -> String
  ) throws -> String {
    guard isCollection(expression, scopes) else { return try body(&self, try column(expression, scopes)) }
    let source = try self.source(expression, scopes)
    guard case .value(let column) = source.item else { throw JudgeError(reason: "structs are compared: \(expression)") }
    return source.exists(try body(&self, column))
  }

  private mutating func literal(_ value: StoredValue, _ kind: JudgeColumn.Kind) throws -> JudgeColumn {
    JudgeColumn(parameter(try stored(value, as: kind)), kind)
  }

  private func compared(_ test: QueryComparison, _ left: JudgeColumn, _ right: JudgeColumn) -> String {
    let mayBeNaN = left.kind == .double || right.kind == .double
    switch test {
    case .notEqual: return "(NOT \(compared(.equal, left, right)))"
    case .equal:
      // nil equals nil; NaN nothing.
      let isEqual = "\(left.sql) IS \(right.sql)"
      return mayBeNaN ? "(\(isEqual) AND typeof(\(left.sql)) <> 'text')" : "(\(isEqual))"
    default:
      let order = "ifnull(\(left.sql) \(test.rawValue) \(right.sql), 0)"
      return mayBeNaN ? "(\(order) AND typeof(\(left.sql)) <> 'text' AND typeof(\(right.sql)) <> 'text')" : order
    }
  }

  private mutating func passes(_ test: QueryTextTest, _ column: JudgeColumn, _ text: String, _ options: StringOptions) -> String {
    var (own, asked) = (column.sql, parameter(JudgeTable.text(text)))
    if !options.isEmpty {
      (own, asked) = ("fold(\(own), '\(options.rawValue)')", "fold(\(asked), '\(options.rawValue)')")
    }
    let condition =
      switch test {
      case .equals: "\(own) = \(asked)"
      case .contains: "instr(\(own), \(asked)) > 0"
      case .starts: "substr(\(own), 1, length(\(asked))) = \(asked)"
      case .ends: "(length(\(asked)) = 0 OR substr(\(own), -length(\(asked))) = \(asked))"
      // Its wildcards are those of `like`; none of the patterns has its classes.
      case .like: "\(own) GLOB \(asked)"
      case .matches: "matches(\(own), \(asked)) IS NOT NULL"
      }
    return "(\(column.sql) IS NOT NULL AND \(condition))"
  }
}
