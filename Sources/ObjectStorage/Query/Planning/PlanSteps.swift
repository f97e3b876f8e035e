/// A query's steps as the plan has them: conditions and order that decide about the walk, and what comes behind.
struct PlanSteps {
  private(set) var filters: [BoundFilter] = []
  /// The order of the walk's rows.
  private(set) var order: [BoundKey] = []
  private(set) var start: [UInt8]?
  private(set) var window = RowWindow()
  private(set) var stages: [PlanStage] = []
  /// Every criterion so far.
  private(set) var keys: [BoundKey] = []

  private let schema: TypeSchema
  /// The window that is being built: a stage of its own, or the first one.
  private var current = RowWindow()
  private var currentLimit: Int?
  private var hasStages = false

  init(_ query: BoundQuery) {
    schema = query.schema
    for step in query.steps { add(step) }
    flush()
  }

  private mutating func add(_ step: BoundStep) {
    switch step {
    case .filter(let more):
      if !hasStages, current.isAll {
        filters += more
      } else {
        flush()
        hasStages = true
        stages.append(.filter(Predicate(more), more.map(\.text)))
      }
    case .sort(let more):
      keys += more
      if !hasStages, current.isAll, start == nil {
        order = keys
      } else {
        flush()
        hasStages = true
        stages.append(.sort(sortKey))
      }
    case .distinct(let key):
      flush()
      hasStages = true
      stages.append(.distinct(key))
    case .limit(let count):
      current.limit(to: count)
      currentLimit = min(currentLimit ?? count, count)
    case .offset(let count): current.skip(count)
    case .after(let place): begin(behind: place)
    }
  }

  /// What was skipped before is behind the place, and a limit before it counts from there.
  private mutating func begin(behind place: [UInt8]) {
    current = RowWindow()
    if let currentLimit { current.limit(to: currentLimit) }
    if !hasStages {
      start = place
      return
    }
    if case .start = stages.last { stages.removeLast() }
    stages.append(.start(sortKey, place))
  }

  private mutating func flush() {
    defer {
      current = RowWindow()
      currentLimit = nil
    }
    if current.isAll { return }
    if hasStages { stages.append(.window(current)) } else { window = current }
    hasStages = true
  }

  var sortKey: SortKey { SortKey(keys: reduced(keys)) }

  /// Without what can't decide: repeated columns, and what stands behind the primary key, which ascending is the order of ties anyway.
  /// Conditions have no part in it, so that a cursor's key stays the same when some are added behind it.
  func reduced(_ keys: [BoundKey]) -> [BoundKey] {
    var reduced: [BoundKey] = []
    var seen: Set<UInt16> = []
    for key in keys {
      guard let id = key.columnID else {
        reduced.append(key)
        continue
      }
      if !seen.insert(id).inserted { continue }
      if id == schema.primaryKey, key.ascending { return reduced }
      reduced.append(key)
      if id == schema.primaryKey { return reduced }
    }
    return reduced
  }
}

extension BoundFilter {
  /// The row's own column that it holds at one value.
  var constantColumn: UInt16? {
    guard case .column(let path, let question) = condition else { return nil }
    switch question {
    case .isNull: return path.columnID
    case .compare(.equal, _): return path.columnID
    case .membership(let values): return values.count == 1 ? path.columnID : nil
    default: return nil
    }
  }
}
