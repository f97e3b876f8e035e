/// Not part of the API.
public protocol _PersistedDictionary: PersistableValue {
  /// Not part of the API.
  associatedtype _MapKey: PersistedMapKey & PersistableValue
  /// Not part of the API.
  associatedtype _MapValue: PersistableValue
}
extension PersistedMap: _PersistedDictionary where Key: PersistableValue {
  /// Not part of the API.
  public typealias _MapKey = Key
  /// Not part of the API.
  public typealias _MapValue = Value
}

extension Query where Value: _PersistedDictionary {
  /// nil where the key is absent.
  public subscript(key: Value._MapKey) -> Query<Value._MapValue?> {
    Query<Value._MapValue?>(.mapValue(of: expression, key: key._text))
  }
  /// How many keys.
  public var count: Query<Int> { Query<Int>(.measure(.count, of: expression)) }
  /// Whether there are none.
  public var isEmpty: Query<Bool> { Query<Bool>(.measure(.isEmpty, of: expression)) }
  /// As a collection, in their order.
  public var keys: Query<PersistedList<Value._MapKey>> { Query<PersistedList<Value._MapKey>>(.mapKeys(of: expression)) }
  /// As a collection, in the order of their keys.
  public var values: Query<PersistedList<Value._MapValue>> { Query<PersistedList<Value._MapValue>>(.mapValues(of: expression)) }
}
