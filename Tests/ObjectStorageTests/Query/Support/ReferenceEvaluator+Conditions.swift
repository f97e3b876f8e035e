import Foundation

@testable import ObjectStorage

extension ReferenceEvaluator {
  func holds(_ expression: QueryExpression, _ scopes: [StoredValue]) throws -> Bool {
    switch expression {
    case .and(let terms): return try terms.allSatisfy { try holds($0, scopes) }
    case .or(let terms): return try terms.contains { try holds($0, scopes) }
    case .not(let inner): return try !holds(inner, scopes)
    case .comparison(let test, let left, let right):
      let others = try values(right, scopes)
      return try values(left, scopes).contains { a in others.contains { compares(test, a, $0) } }
    case .between(let operand, let lower, let upper, let isClosed):
      return try values(operand, scopes).contains {
        compares(.greaterOrEqual, $0, lower) && compares(isClosed ? .lessOrEqual : .less, $0, upper)
      }
    case .membership(let operand, let list):
      return try values(operand, scopes).contains { value in list.contains { compares(.equal, value, $0) } }
    case .subquery(let operand, let query):
      let keys = Set(try run(query.form, over: tables[query.typeName]!))
      let found = tables[query.typeName]!.filter { keys.contains($0.key) }.map { property(query.property, of: $0.value) }
      return try values(operand, scopes).contains { value in found.contains { compares(.equal, value, $0) } }
    case .text(let test, let operand, let text, let options):
      return try values(operand, scopes).contains { passes(test, $0, text, options) }
    case .contains(let operand, let literal):
      let values = try values(operand, scopes)
      if case .string(let text) = literal, values.contains(where: { if case .string = $0 { true } else { false } }) {
        return values.contains { passes(.contains, $0, text, []) }
      }
      return values.contains { value in
        if case .list(let items) = value { items.contains { compares(.equal, $0, literal) } } else { false }
      }
    case .quantified(let quantifier, let collection, let condition):
      let items = try elements(collection, scopes)
      switch quantifier {
      case .any: return try items.contains { try holds(condition, scopes + [$0]) }
      case .all: return try items.allSatisfy { try holds(condition, scopes + [$0]) }
      case .none: return try !items.contains { try holds(condition, scopes + [$0]) }
      }
    default: return try values(expression, scopes).contains(.bool(true))
    }
  }

  func compares(_ test: QueryComparison, _ a: StoredValue, _ b: StoredValue) -> Bool {
    if test == .notEqual { return !compares(.equal, a, b) }
    if a == .null || b == .null { return test == .equal && a == b }
    if isNaN(a) || isNaN(b) { return false }
    let order = order(a, b)
    return switch test {
    case .equal: order == 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }

  /// nil first, NaN last.
  func order(_ a: StoredValue, _ b: StoredValue) -> Int {
    switch (a, b) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.string(let a), .string(let b)):
      return order(Array(a.precomposedStringWithCanonicalMapping.utf8), Array(b.precomposedStringWithCanonicalMapping.utf8))
    case (.data(let a), .data(let b)): return order(a, b)
    case (.uuid(let a), .uuid(let b)): return order(Array(a.uuidString.utf8), Array(b.uuidString.utf8))
    case (.bool(let a), .bool(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
    case (.int(let a), .int(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.uint(let a), .uint(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.uint(let a), .int(let b)): return b < 0 ? 1 : order(.uint(a), .uint(UInt64(b)))
    case (.int, .uint): return -order(b, a)
    case (.decimal(let a), .decimal(let b)): return a < b ? -1 : a == b ? 0 : 1
    default:
      if isNaN(a) || isNaN(b) { return (isNaN(a) ? 1 : 0) - (isNaN(b) ? 1 : 0) }
      let (a, b) = (double(a), double(b))
      return a < b ? -1 : a == b ? 0 : 1
    }
  }

  private func order(_ a: [UInt8], _ b: [UInt8]) -> Int { a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1 }

  func double(_ value: StoredValue) -> Double {
    switch value {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value), .date(let value): value
    case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
    default: .nan
    }
  }

  func isNaN(_ value: StoredValue) -> Bool {
    switch value {
    case .double(let value), .date(let value): value.isNaN
    default: false
    }
  }

  private func passes(_ test: QueryTextTest, _ value: StoredValue, _ text: String, _ options: StringOptions) -> Bool {
    guard case .string(let own) = value else { return false }
    let a = fold(own, options)
    let b = fold(text, options)
    switch test {
    case .equals: return a == b
    case .contains: return b.isEmpty || a.indices.contains { a[$0...].starts(with: b) }
    case .starts: return a.starts(with: b)
    case .ends: return a.reversed().starts(with: b.reversed())
    case .like: return like(a[...], b[...])
    case .matches:
      let whole = try! NSRegularExpression(pattern: "^(?:\(String(String.UnicodeScalarView(b))))\\z")
      let string = String(String.UnicodeScalarView(a))
      return whole.firstMatch(in: string, range: NSRange(location: 0, length: (string as NSString).length)) != nil
    }
  }

  private func fold(_ text: String, _ options: StringOptions) -> [Unicode.Scalar] {
    var compare: String.CompareOptions = []
    if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
    let folded = options.isEmpty ? text : text.folding(options: compare, locale: nil)
    return Array(folded.precomposedStringWithCanonicalMapping.unicodeScalars)
  }

  private func like(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*": return (text.startIndex...text.endIndex).contains { like(text[$0...], rest) }
    case "?": return !text.isEmpty && like(text.dropFirst(), rest)
    default: return text.first == first && like(text.dropFirst(), rest)
    }
  }
}
