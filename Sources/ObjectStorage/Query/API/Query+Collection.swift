extension Query where Value: _PersistedCollection {
  /// How many elements.
  public var count: Query<Int> { Query<Int>(.measure(.count, of: expression)) }
  /// Whether there are none.
  public var isEmpty: Query<Bool> { Query<Bool>(.measure(.isEmpty, of: expression)) }
  /// Whether an element meets the condition.
  public func any(_ condition: (Query<Value._Item>) -> Query<Bool>) -> Query<Bool> { quantified(.any, condition) }
  /// Whether every element does. True when there are none.
  public func all(_ condition: (Query<Value._Item>) -> Query<Bool>) -> Query<Bool> { quantified(.all, condition) }
  /// Whether no element does.
  public func none(_ condition: (Query<Value._Item>) -> Query<Bool>) -> Query<Bool> { quantified(.none, condition) }
  /// The elements that meet the condition: for `.count`, `.isEmpty` and the aggregates.
  public func filter(_ condition: (Query<Value._Item>) -> Query<Bool>) -> Query {
    Query(.filter(expression, QueryScope.condition(condition)), depth: depth + 1)
  }

  private func quantified(_ quantifier: QueryQuantifier, _ condition: (Query<Value._Item>) -> Query<Bool>) -> Query<Bool> {
    Query<Bool>(.quantified(quantifier, expression, QueryScope.condition(condition)))
  }
}
extension Query where Value: _PersistedCollection, Value._Item: Equatable {
  /// Whether an element equals this one.
  public func contains(_ element: Value._Item) -> Query<Bool> {
    switch QueryExpression.literal(of: element) {
    case .literal(let value): Query<Bool>(.contains(expression, value))
    case let invalid: Query<Bool>(invalid)
    }
  }
}
// Of nothing: the sum is 0, the others are nil.
extension Query where Value: _PersistedCollection, Value._Item: StorageComparable {
  /// The least element; of none, nil. nil and NaN are left out where there are others.
  public var min: Query<Value._Item.StorageUnwrapped?> { Query<Value._Item.StorageUnwrapped?>(.measure(.min, of: expression)) }
  /// The greatest element; of none, nil. nil and NaN are left out where there are others.
  public var max: Query<Value._Item.StorageUnwrapped?> { Query<Value._Item.StorageUnwrapped?>(.measure(.max, of: expression)) }
}
extension Query where Value: _PersistedCollection, Value._Item: StorageNumeric {
  /// The sum of the elements; of none, 0. One of integers that leaves their range fails with `QueryError.overflow`.
  public var sum: Query<Value._Item.StorageSum> { Query<Value._Item.StorageSum>(.measure(.sum, of: expression)) }
  /// The average of the elements that aren't nil; of none, nil.
  public var avg: Query<Value._Item.StorageAverage?> { Query<Value._Item.StorageAverage?>(.measure(.avg, of: expression)) }
}
extension Query where Value: _PersistedCollection, Value._Item: StorageFields {
  /// The least value of a property; of none, nil.
  public func min<V: StorageComparable>(of property: KeyPath<Value._Item, V>) -> Query<V.StorageUnwrapped?> {
    Query<V.StorageUnwrapped?>(.measure(.min, of: .property(property, of: expression)))
  }
  /// The greatest value of a property; of none, nil.
  public func max<V: StorageComparable>(of property: KeyPath<Value._Item, V>) -> Query<V.StorageUnwrapped?> {
    Query<V.StorageUnwrapped?>(.measure(.max, of: .property(property, of: expression)))
  }
  /// The sum of a property; of none, 0. One of integers that leaves their range fails with `QueryError.overflow`.
  public func sum<V: StorageNumeric>(of property: KeyPath<Value._Item, V>) -> Query<V.StorageSum> {
    Query<V.StorageSum>(.measure(.sum, of: .property(property, of: expression)))
  }
  /// The average of a property; of none, nil.
  public func avg<V: StorageNumeric>(of property: KeyPath<Value._Item, V>) -> Query<V.StorageAverage?> {
    Query<V.StorageAverage?>(.measure(.avg, of: .property(property, of: expression)))
  }
}
