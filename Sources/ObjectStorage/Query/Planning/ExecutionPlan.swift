/// How a query is run. The executor walks `access`, and gives each row to a `RowPipeline`, which does the rest.
///
/// In words: walk the keys; drop rows that `filter` refuses; order what is left by `sort` (nil: it comes in order); begin behind `start`;
/// take `window`; then do `stages`, one after another.
///
/// - With `countsByKeys` nothing has to be read to count: the number of keys in the ranges, clamped to the window.
/// - With `isStreamed` rows come out as they are walked: stop as soon as the pipeline says so. Without stages the row at a position is found
///   by counting keys when there is no filter.
package struct ExecutionPlan: Sendable {
  package let schema: TypeSchema
  package let access: AccessPath
  /// What the keys walked don't answer.
  package let filter: Predicate?
  /// nil when rows come in the order asked for.
  package let sort: SortKey?
  /// The place behind which to begin, a key of `sort`. nil where the ranges begin there already.
  let start: [UInt8]?
  /// Of what is left so far.
  package let window: RowWindow
  let stages: [PlanStage]

  /// The order in the end, for `cursor`.
  let order: SortKey
  let form: QueryForm
  /// The conditions that the ranges answer, and the others.
  let answered: [BoundFilter]
  let rest: [BoundFilter]

  /// How many keys there are in the ranges, in the version that the plan was made for; nil when it wasn't asked.
  let keyCount: UInt64?

  /// Whether counting keys counts rows.
  package var countsByKeys: Bool { filter == nil && stages.isEmpty && start == nil }
  /// Whether rows come out as they are walked.
  package var isStreamed: Bool { sort == nil && !stages.contains { if case .sort = $0 { true } else { false } } }

  /// The columns that are read of a row to run the query.
  package var columns: Set<UInt16> {
    var columns = filter?.columns ?? []
    if let sort { columns.formUnion(sort.columns) }
    for stage in stages { columns.formUnion(stage.columns) }
    return columns
  }

  /// The place of a row in the results.
  package func cursor(row: RawSpan, rowKey: RawSpan) throws(EvaluationError) -> StorageCursor {
    var key: [UInt8] = []
    try order.append(row, rowKey: rowKey, to: &key)
    return StorageCursor(key: key, in: form, of: schema.name)
  }
}

/// What is done with rows behind the first window.
enum PlanStage: Sendable {
  case filter(Predicate, [String])
  /// The first row of each value.
  case distinct(BoundKey)
  case sort(SortKey)
  /// Rows up to this place are left out.
  case start(SortKey, [UInt8])
  case window(RowWindow)

  var columns: Set<UInt16> {
    switch self {
    case .filter(let predicate, _): predicate.columns
    case .distinct(let key): Set(key.columns)
    case .sort(let key), .start(let key, _): key.columns
    case .window: []
    }
  }
}
