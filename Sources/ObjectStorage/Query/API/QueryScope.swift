/// Knows, while a query is built, how many closures are around: an element is told from those of the closures outside by that.
enum QueryScope {
  @TaskLocal private static var depth = 0

  /// The expression of a new query, which nothing around has a part in.
  static func query<Element: StorageObject, V>(_ expression: (Query<Element>) -> Query<V>) -> QueryExpression {
    $depth.withValue(0) { expression(Query(.element(scope: 0))).expression }
  }

  /// The condition of an element, one closure further in.
  static func condition<Item: PersistableValue>(_ condition: (Query<Item>) -> Query<Bool>) -> QueryExpression {
    $depth.withValue(depth + 1) { condition(Query(.element(scope: depth))).expression }
  }
}
