/// Not part of the API.
public protocol _OptionalValue: PersistableValue {
  /// Not part of the API.
  associatedtype _Some: PersistableValue
}
extension Optional: _OptionalValue where Wrapped: PersistableValue {
  /// Not part of the API.
  public typealias _Some = Wrapped
}

extension Query where Value: _OptionalValue, Value._Some: Equatable {
  /// An empty sequence matches nothing, its negation everything.
  public func `in`(_ values: some Sequence<Value._Some>) -> Query<Bool> { Query<Bool>(.membership(of: expression, values)) }
}
extension Query where Value: _OptionalFields {
  /// There is none.
  public static func == (left: Query, right: _OptionalNilComparisonType) -> Query<Bool> {
    Query<Bool>(.comparison(.equal, left.expression, .literal(.null)))
  }
  /// There is one.
  public static func != (left: Query, right: _OptionalNilComparisonType) -> Query<Bool> {
    Query<Bool>(.comparison(.notEqual, left.expression, .literal(.null)))
  }
}
