extension Query where Value == Bool {
  public static func && (left: Query, right: @autoclosure () -> Query) -> Query {
    Query(.conjunction(left.expression, right().expression))
  }
  public static func || (left: Query, right: @autoclosure () -> Query) -> Query {
    Query(.disjunction(left.expression, right().expression))
  }
  public static prefix func ! (condition: Query) -> Query { Query(.not(condition.expression)) }
}
