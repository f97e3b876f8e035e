/// Why a row couldn't be tested.
package enum EvaluationError: Error, Sendable, Equatable {
  /// The row is damaged.
  case row(RowError)
  /// A sum of its integers left their range.
  case query(QueryError)
}
