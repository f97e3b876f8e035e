/// One criterion of an order.
public struct Sort<Element: StorageObject>: Sendable {
  /// Whether the least comes first.
  public let ascending: Bool
  let expression: QueryExpression

  /// By a property. - Parameters: property: one stored property. - ascending: whether the least comes first.
  public init<V: StorageComparable>(_ property: any KeyPath<Element, V> & Sendable, ascending: Bool = true) {
    self.ascending = ascending
    expression = .property(property, of: .element(scope: 0))
  }
  /// The least first: nil before anything, NaN behind.
  public static func ascending<V: StorageComparable>(_ property: any KeyPath<Element, V> & Sendable) -> Sort { Sort(property) }
  /// The greatest first: the other way round, but for ties, which stay in key order.
  public static func descending<V: StorageComparable>(_ property: any KeyPath<Element, V> & Sendable) -> Sort {
    Sort(property, ascending: false)
  }
}
