extension Query where Value == Bool {
  /// Both hold.
  public static func && (left: Query, right: @autoclosure () -> Query) -> Query {
    let right = right()
    return Query(.conjunction(left.expression, right.expression), depth: Swift.max(left.depthAsConjunct, right.depthAsConjunct))
  }
  /// One of them holds, or both do.
  public static func || (left: Query, right: @autoclosure () -> Query) -> Query {
    let right = right()
    return Query(.disjunction(left.expression, right.expression), depth: Swift.max(left.depthAsDisjunct, right.depthAsDisjunct))
  }
  /// It doesn't hold: of a comparison with nil inside, true.
  public static prefix func ! (condition: Query) -> Query { Query(.not(condition.expression), depth: condition.depth + 1) }

  private var depthAsConjunct: Int { if case .and = expression { depth } else { depth + 1 } }
  private var depthAsDisjunct: Int { if case .or = expression { depth } else { depth + 1 } }
}
