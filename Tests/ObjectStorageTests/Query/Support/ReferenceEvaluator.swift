import Foundation

@testable import ObjectStorage

/// Queries run the plain way: every step over an array of values, with Foundation for text. Shares no code with the engine but the tree.
struct ReferenceEvaluator {
  typealias Item = (key: [UInt8], value: StoredValue)
  /// By type, for subqueries.
  var tables: [String: [Item]] = [:]

  func run(_ form: QueryForm, over items: [Item]) throws -> [[UInt8]] {
    var items = items
    var sorts: [QuerySort] = []
    for step in form.steps {
      switch step {
      case .filter(let condition): items = try items.filter { try holds(condition, [$0.value]) }
      case .sort(let more):
        sorts += more
        items = try sorted(items, sorts)
      case .distinct(let expression):
        var seen: [StoredValue] = []
        items = try items.filter { item in
          let value = try one(expression, [item.value])
          if seen.contains(where: { order($0, value) == 0 }) { return false }
          seen.append(value)
          return true
        }
      case .limit(let count): items = Array(items.prefix(count))
      case .offset(let count): items = Array(items.dropFirst(count))
      case .after: throw QueryError.foreignCursor
      }
    }
    return items.map(\.key)
  }

  private func sorted(_ items: [Item], _ sorts: [QuerySort]) throws -> [Item] {
    let keyed = try items.map { item in (item, try sorts.map { try one($0.expression, [item.value]) }) }
    return keyed.sorted { a, b in
      for (index, sort) in sorts.enumerated() {
        let found = order(a.1[index], b.1[index])
        if found != 0 { return (found < 0) == sort.ascending }
      }
      return a.0.key.lexicographicallyPrecedes(b.0.key)
    }.map(\.0)
  }

  // MARK: Values

  func values(_ expression: QueryExpression, _ scopes: [StoredValue]) throws -> [StoredValue] { try many(expression, scopes) }
  func elements(_ expression: QueryExpression, _ scopes: [StoredValue]) throws -> [StoredValue] { try items(expression, scopes) }
  func property(_ name: String, of value: StoredValue) -> StoredValue { member(name, of: value) }

  private func one(_ expression: QueryExpression, _ scopes: [StoredValue]) throws -> StoredValue {
    try many(expression, scopes).first ?? .null
  }

  private func many(_ expression: QueryExpression, _ scopes: [StoredValue]) throws -> [StoredValue] {
    switch expression {
    case .element(let scope): return [scopes[scope]]
    case .literal(let value): return [value]
    case .property(let base, let name):
      return try many(base, scopes).flatMap { value -> [StoredValue] in
        if case .list(let items) = value { return items.map { member(name, of: $0) } }
        return [member(name, of: value)]
      }
    case .mapValue(let base, let key): return try many(base, scopes).map { pairs($0).first { $0.name == key }?.value ?? .null }
    case .mapKeys(let base): return [.list(try many(base, scopes).flatMap { pairs($0).map { .string($0.name) } })]
    case .mapValues(let base): return [.list(try many(base, scopes).flatMap { pairs($0).map(\.value) })]
    case .filter(let base, let condition):
      return [.list(try items(base, scopes).filter { try holds(condition, scopes + [$0]) })]
    case .measure(let measure, let base): return [try self.measure(measure, try items(base, scopes))]
    default: return [.bool(try holds(expression, scopes))]
    }
  }

  private func items(_ expression: QueryExpression, _ scopes: [StoredValue]) throws -> [StoredValue] {
    try many(expression, scopes).flatMap { value -> [StoredValue] in
      switch value {
      case .list(let items): items
      case .map(let entries): entries.map(\.value)
      default: [value]
      }
    }
  }

  private func pairs(_ value: StoredValue) -> [StoredValue.Entry] { if case .map(let entries) = value { entries } else { [] } }
  private func member(_ name: String, of value: StoredValue) -> StoredValue {
    if case .object(let entries) = value { entries.first { $0.name == name }!.value } else { .null }
  }

  private func measure(_ measure: QueryMeasure, _ items: [StoredValue]) throws -> StoredValue {
    let values = items.filter { $0 != .null }
    switch measure {
    case .count: return .int(Int64(items.count))
    case .isEmpty: return .bool(items.isEmpty)
    case .min, .max:
      let numbers = values.filter { !isNaN($0) }
      let sorted = (numbers.isEmpty ? values : numbers).sorted { order($0, $1) < 0 }
      return (measure == .min ? sorted.first : sorted.last) ?? .null
    case .sum, .avg:
      if values.allSatisfy({ if case .double = $0 { true } else { false } }), !values.isEmpty {
        let sum = values.reduce(0.0) { $0 + double($1) }
        return .double(measure == .sum ? sum : sum / Double(values.count))
      }
      if measure == .avg { return values.isEmpty ? .null : .double(values.reduce(0.0) { $0 + double($1) } / Double(values.count)) }
      return .int(values.reduce(0) { $0 + Int64(double($1)) })
    }
  }
}
