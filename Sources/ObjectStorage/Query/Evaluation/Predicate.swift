/// A bound condition, ready to test rows where they are.
package struct Predicate: Sendable {
  private let node: any PredicateNode
  /// The row's own columns that are read.
  package let columns: Set<UInt16>

  /// All of the filters hold; the cheap ones are asked first.
  init(_ filters: [BoundFilter]) {
    let ordered = filters.enumerated().sorted { ($0.element.condition.cost, $0.offset) < ($1.element.condition.cost, $1.offset) }
    let nodes = ordered.map { $0.element.condition.compiled() }
    node = nodes.count == 1 ? nodes[0] : AndNode(nodes)
    columns = filters.reduce(into: []) { $0.formUnion($1.columns) }
  }

  /// - Throws: when the row is damaged, or a sum in it overflows.
  package func matches(row: RawSpan) throws(EvaluationError) -> Bool { try node.matches(row, []) }
}
