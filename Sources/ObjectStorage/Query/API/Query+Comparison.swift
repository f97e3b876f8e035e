extension Query where Value: Equatable {
  /// Equal to the value; nil equals nil.
  public static func == (left: Query, right: Value) -> Query<Bool> { left.compared(.equal, right) }
  /// Not equal to the value: true of nil, unless the value is nil.
  public static func != (left: Query, right: Value) -> Query<Bool> { left.compared(.notEqual, right) }
  /// Equal to the other; nil equals nil.
  public static func == (left: Query, right: Query) -> Query<Bool> { left.compared(.equal, right) }
  /// Not equal to the other.
  public static func != (left: Query, right: Query) -> Query<Bool> { left.compared(.notEqual, right) }

  /// An empty sequence matches nothing, its negation everything.
  public func `in`(_ values: some Sequence<Value>) -> Query<Bool> { Query<Bool>(.membership(of: expression, values)) }

  /// Among the values that `property` has in the objects of another query.
  public func `in`<Other: StorageObject>(
    _ query: DatabaseQuery<Other>, of property: any KeyPath<Other, Value> & Sendable
  ) -> Query<Bool> {
    switch QueryExpression.property(property, of: .element(scope: 0)) {
    case .property(_, let name):
      Query<Bool>(.subquery(expression, QuerySubquery(typeName: Other.storageName, form: query.form, property: name)))
    case let invalid: Query<Bool>(invalid)
    }
  }
}

extension Query where Value: StorageComparable {
  /// Below the value. nil and NaN are not.
  public static func < (left: Query, right: Value) -> Query<Bool> { left.compared(.less, right) }
  /// Below the value, or equal to it. nil and NaN are neither.
  public static func <= (left: Query, right: Value) -> Query<Bool> { left.compared(.lessOrEqual, right) }
  /// Above the value. nil and NaN are not.
  public static func > (left: Query, right: Value) -> Query<Bool> { left.compared(.greater, right) }
  /// Above the value, or equal to it. nil and NaN are neither.
  public static func >= (left: Query, right: Value) -> Query<Bool> { left.compared(.greaterOrEqual, right) }
  /// Below the other. nil and NaN are not.
  public static func < (left: Query, right: Query) -> Query<Bool> { left.compared(.less, right) }
  /// Below the other, or equal to it. nil and NaN are neither.
  public static func <= (left: Query, right: Query) -> Query<Bool> { left.compared(.lessOrEqual, right) }
  /// Above the other. nil and NaN are not.
  public static func > (left: Query, right: Query) -> Query<Bool> { left.compared(.greater, right) }
  /// Above the other, or equal to it. nil and NaN are neither.
  public static func >= (left: Query, right: Query) -> Query<Bool> { left.compared(.greaterOrEqual, right) }
}

extension Query where Value: StorageComparable, Value.StorageUnwrapped: Comparable {
  /// Inside the range, its ends included. nil is in no range.
  public func between(_ range: ClosedRange<Value.StorageUnwrapped>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound, includesUpper: true)
  }
  /// Inside the range, without its upper end. nil is in no range.
  public func between(_ range: Range<Value.StorageUnwrapped>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound, includesUpper: false)
  }

  private func between(
    _ lower: Value.StorageUnwrapped, _ upper: Value.StorageUnwrapped, includesUpper: Bool
  ) -> Query<Bool> {
    let lower = lower.storedValue.canonicalLiteral
    let upper = upper.storedValue.canonicalLiteral
    return Query<Bool>(.between(expression, lower: lower, upper: upper, includesUpper: includesUpper))
  }
}

extension Query {
  func compared(_ comparison: QueryComparison, _ value: some PersistableValue) -> Query<Bool> {
    Query<Bool>(.comparison(comparison, expression, .literal(of: value)))
  }
  func compared(_ comparison: QueryComparison, _ other: Query) -> Query<Bool> {
    Query<Bool>(.comparison(comparison, expression, other.expression))
  }
}
