/// A query as its tree: properties by name, nothing looked up yet.
///
/// It is the same whether a closure or a text made it, and needs no type of the app's. A scope is the depth of the closure that
/// an element belongs to: 0 is the object asked for, 1 the element of a collection inside `any { }`, and so on.
package indirect enum QueryExpression: Sendable, Equatable {
  case element(scope: Int)
  case property(of: QueryExpression, name: String)
  case mapValue(of: QueryExpression, key: String)
  case mapKeys(of: QueryExpression)
  case mapValues(of: QueryExpression)
  case literal(StoredValue)
  case measure(QueryMeasure, of: QueryExpression)
  /// The elements for which the condition holds.
  case filter(QueryExpression, QueryExpression)

  case comparison(QueryComparison, QueryExpression, QueryExpression)
  case between(QueryExpression, lower: StoredValue, upper: StoredValue, includesUpper: Bool)
  case membership(QueryExpression, [StoredValue])
  case subquery(QueryExpression, QuerySubquery)
  case text(QueryTextTest, QueryExpression, String, StringOptions)
  case contains(QueryExpression, StoredValue)
  case quantified(QueryQuantifier, QueryExpression, QueryExpression)
  case not(QueryExpression)
  /// Never nested in itself, nor shorter than two.
  case and(QueryTerms)
  case or(QueryTerms)
  /// What went wrong while the tree was made; binding throws it.
  case invalid(QueryError)
}

/// What is counted or computed of a collection.
package enum QueryMeasure: String, Sendable, CaseIterable { case count, isEmpty, min, max, avg, sum }

/// What a comparison asks.
package enum QueryComparison: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// With its sides exchanged.
  var mirrored: QueryComparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

/// What is asked of a text.
package enum QueryTextTest: String, Sendable, CaseIterable { case equals, contains, starts, ends, like, matches }

/// Of how many elements a condition has to hold.
package enum QueryQuantifier: String, Sendable, CaseIterable { case any, all, none }

/// The values that a property has in the objects of another query.
package struct QuerySubquery: Sendable, Equatable {
  package let typeName: String
  package let form: QueryForm
  package let property: String

  package init(typeName: String, form: QueryForm, property: String) {
    self.typeName = typeName
    self.form = form
    self.property = property
  }
}

extension QueryExpression {
  package static func conjunction(_ a: QueryExpression, _ b: QueryExpression) -> QueryExpression {
    .and(.joined(a.conjuncts, b.conjuncts))
  }
  package static func disjunction(_ a: QueryExpression, _ b: QueryExpression) -> QueryExpression {
    .or(.joined(a.disjuncts, b.disjuncts))
  }

  var conjuncts: QueryTerms { if case .and(let terms) = self { terms } else { QueryTerms([self]) } }
  var disjuncts: QueryTerms { if case .or(let terms) = self { terms } else { QueryTerms([self]) } }

  /// A literal in the one spelling that it has in a text: an unsigned integer that fits is a signed one, a NaN is the NaN.
  package static func scalar(_ value: StoredValue) -> QueryExpression { .literal(value.canonicalLiteral) }
}

extension StoredValue {
  var canonicalLiteral: StoredValue {
    switch self {
    case .uint(let value) where value <= UInt64(Int64.max): .int(Int64(value))
    case .double(let value) where value.isNaN: .double(.nan)
    default: self
    }
  }
}
