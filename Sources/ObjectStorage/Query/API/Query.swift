/// An expression of type `Value` inside a query: the root object, a property, or (`Query<Bool>`) a condition.
///
/// Values come from the closures of `DatabaseQuery`; nothing is computed by them but the query's own tree. In a file that also
/// imports SwiftData, write `DatabaseQuery<User>.Root` and `.Condition` where a type is written; `@Query` stays SwiftData's.
@dynamicMemberLookup
public struct Query<Value: PersistableValue>: Sendable {
  let expression: QueryExpression
  /// Conditions inside each other that were built by operators; a chain of `&&`, or of `||`, is one.
  let depth: Int

  /// A tree that is too deep becomes an error, so that none is ever built that a thread's stack couldn't hold.
  init(_ expression: QueryExpression, depth: Int = 0) {
    self.expression = depth > QueryError.depthMax ? .invalid(.tooDeep) : expression
    self.depth = depth
  }
}

extension Query where Value: StorageFields {
  /// A property. A key path that isn't one stored property makes the query fail with `QueryError.notAProperty`.
  public subscript<V: PersistableValue>(dynamicMember property: KeyPath<Value, V>) -> Query<V> {
    Query<V>(.property(property, of: expression))
  }
}
extension Query where Value: _OptionalFields {
  /// A property of an optional struct; nil when the struct is.
  public subscript<V: PersistableValue>(dynamicMember property: KeyPath<Value._Target, V>) -> Query<V> {
    Query<V>(.property(property, of: expression))
  }
}
extension Query where Value: _PersistedCollection, Value._Item: StorageFields {
  /// Of any element: `$0.events.name == "Talk"`.
  public subscript<V: PersistableValue>(dynamicMember property: KeyPath<Value._Item, V>) -> Query<V> {
    Query<V>(.property(property, of: expression))
  }
}

/// Not part of the API: an optional link or an optional embedded struct.
public protocol _OptionalFields: PersistableValue {
  /// Not part of the API.
  associatedtype _Target: StorageFields
}
extension Optional: _OptionalFields where Wrapped: StorageFields {
  /// Not part of the API.
  public typealias _Target = Wrapped
}

/// Not part of the API: what can be searched element by element.
public protocol _PersistedCollection: PersistableValue {
  /// Not part of the API.
  associatedtype _Item: PersistableValue
}
extension PersistedList: _PersistedCollection {
  /// Not part of the API.
  public typealias _Item = Element
}
extension PersistedSet: _PersistedCollection {
  /// Not part of the API.
  public typealias _Item = Element
}
extension Set: _PersistedCollection where Element: PersistableValue {
  /// Not part of the API.
  public typealias _Item = Element
}
