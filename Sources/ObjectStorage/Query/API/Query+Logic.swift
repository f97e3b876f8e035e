extension Query where Value == Bool {
  /// Both hold.
  public static func && (left: Query, right: @autoclosure () -> Query) -> Query {
    Query(.conjunction(left.expression, right().expression))
  }
  /// One of them holds, or both do.
  public static func || (left: Query, right: @autoclosure () -> Query) -> Query {
    Query(.disjunction(left.expression, right().expression))
  }
  /// It doesn't hold: of a comparison with nil inside, true.
  public static prefix func ! (condition: Query) -> Query { Query(.not(condition.expression)) }
}
