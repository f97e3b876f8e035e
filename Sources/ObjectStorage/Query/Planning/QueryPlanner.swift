/// Chooses how a query is run.
package enum QueryPlanner {
  /// By a rule of thumb: equalities, then a range, then the order.
  /// - Parameter query: without subqueries, or resolved.
  package static func plan(_ query: BoundQuery) -> ExecutionPlan {
    let steps = PlanSteps(query)
    var best: PlanChoice?
    for candidate in candidates(query.schema, steps) { keep(PlanChoice(candidate, steps, query.schema), in: &best) }
    return plan(best, query, steps)
  }

  /// By the number of keys that each way has to walk.
  /// - Parameters:
  ///   - query: without subqueries, or resolved.
  ///   - estimate: how many keys a path has: the trees count them in O(log *n*).
  package static func plan<E: Error>(
    _ query: BoundQuery, estimate: (AccessPath) throws(E) -> UInt64
  ) throws(E) -> ExecutionPlan {
    let steps = PlanSteps(query)
    var best: PlanChoice?
    for candidate in candidates(query.schema, steps) {
      var choice = PlanChoice(candidate, steps, query.schema)
      choice.weigh(try estimate(choice.path))
      keep(choice, in: &best)
    }
    return plan(best, query, steps)
  }

  private static func keep(_ choice: PlanChoice, in best: inout PlanChoice?) {
    if best.map({ choice.isBetter(than: $0) }) ?? true { best = choice }
  }

  private static func plan(_ choice: PlanChoice?, _ query: BoundQuery, _ steps: PlanSteps) -> ExecutionPlan {
    guard let choice else { preconditionFailure("the rows are always a candidate") }
    return choice.plan(query, steps)
  }

  /// The rows by their key, and every index.
  ///
  /// An index is none when nothing is asked of its first column: it would walk all keys, in no order that is wanted.
  private static func candidates(_ schema: TypeSchema, _ steps: PlanSteps) -> [AccessCandidate] {
    let filters = steps.filters
    var candidates = [AccessCandidate(.rows, schema.rowLayout, filters, isUnique: !schema.rowLayout.columns.isEmpty)]
    for (index, layout) in zip(schema.indexes, schema.indexLayouts) {
      guard let layout, let first = index.columns.first else { continue }
      let isFiltered = filters.contains { $0.columns.contains(first) }
      if !isFiltered, !steps.order.contains(where: { $0.columnID == first }) { continue }
      candidates.append(AccessCandidate(.index(index), layout, filters, isUnique: index.isUnique))
    }
    return candidates
  }
}

/// A candidate with what it leaves to do.
struct PlanChoice {
  let candidate: AccessCandidate
  let direction: WalkDirection?
  private let rest: [BoundFilter]
  private let order: [BoundKey]
  /// How many rows are wanted; nil is all of them.
  private let wanted: Int?
  private var keyCount: UInt64?
  /// Of rows read, roughly; nil when it isn't known.
  private var cost: Double?

  init(_ candidate: AccessCandidate, _ steps: PlanSteps, _ schema: TypeSchema) {
    self.candidate = candidate
    order = steps.reduced(steps.order)
    direction = candidate.direction(for: order, primaryKey: schema.primaryKey)
    let answered = Set(candidate.answered)
    rest = steps.filters.enumerated().filter { !answered.contains($0.offset) }.map(\.element)
    wanted = steps.window.end
  }

  private var isIndex: Bool { candidate.tree != .rows }

  var path: AccessPath {
    let isBackward = direction.map { $0 != .forward } ?? false
    return AccessPath(
      tree: candidate.tree, ranges: isBackward ? candidate.ranges.reversed() : candidate.ranges, isBackward: isBackward,
      hasForwardTies: direction == .backward(hasForwardTies: true), layout: candidate.layout)
  }

  /// A row through an index is a search of its own; a row that is sorted is kept.
  mutating func weigh(_ keyCount: UInt64) {
    self.keyCount = keyCount
    var rows = Double(keyCount)
    if direction != nil, let wanted { rows = min(rows, Double(wanted) * (rest.isEmpty ? 1 : 20)) }
    cost = rows * (isIndex ? 4 : 1) + (direction == nil ? rows : 0)
  }

  /// What nothing is known about: an order is worth an index where only some of the rows are wanted, or nothing is dropped.
  private var rank: Int {
    if direction == nil || !isIndex { return candidate.rank }
    if wanted != nil || candidate.rank > 0 || rest.isEmpty && !order.isEmpty { return candidate.rank + 4 }
    return candidate.rank
  }

  func isBetter(than other: PlanChoice) -> Bool {
    if let cost, let otherCost = other.cost, cost != otherCost { return cost < otherCost }
    return rank > other.rank
  }

  func plan(_ query: BoundQuery, _ steps: PlanSteps) -> ExecutionPlan {
    var path = path
    var start = steps.start
    if let direction, let place = start {
      path.begin(behind: place, order: order, constants: candidate.constants, primaryKey: query.schema.primaryKey, direction)
      start = nil
    }
    let answers = Set(candidate.answered)
    let answered = steps.filters.enumerated().filter { answers.contains($0.offset) }.map(\.element)
    return ExecutionPlan(
      schema: query.schema, access: path, filter: rest.isEmpty ? nil : Predicate(rest),
      sort: direction == nil ? SortKey(keys: order) : nil, start: start, window: steps.window, stages: steps.stages,
      order: steps.sortKey, form: query.form, answered: answered, rest: rest, keyCount: steps.start == nil ? keyCount : nil)
  }
}
