import RawMemory

/// Takes the rows of a plan's walk, in their order, and gives the keys of those that the query is for.
///
/// What later steps ask of a row is asked when it comes, so that none is read twice. It keeps the keys of the results, and of a sort
/// all rows' places, or about twice as many as the limit where there is one.
package struct RowPipeline {
  /// A row on its way: where its key begins in `place`, and what the stages will ask.
  struct Item {
    var place: [UInt8]
    let rowKeyByteCount: Int
    var answers: [Answer]

    var rowKey: [UInt8] { Array(place.suffix(rowKeyByteCount)) }
  }

  /// Of a row, for one stage.
  enum Answer {
    case passes(Bool)
    case key([UInt8])
  }

  let plan: ExecutionPlan
  /// Keys of the results: where the plan is streamed they come while rows are added, else with `finish`. Empty without `keepsKeys`.
  package private(set) var results: [[UInt8]] = []
  /// How many results there are so far.
  package private(set) var resultCount = 0
  private let keepsKeys: Bool
  /// How many rows were added.
  package private(set) var examinedCount = 0

  private var sorted: SortBuffer?
  private var position = 0
  private var stages: [StageState]
  private var isDone: Bool
  private let end: Int?
  /// Of the row that is looked at: most are dropped, so it isn't made anew for each.
  private var place: [UInt8] = []

  /// - Parameter keepsKeys: false only counts; for plans whose rows come out as they are added.
  package init(_ plan: ExecutionPlan, keepsKeys: Bool = true) {
    self.plan = plan
    self.keepsKeys = keepsKeys
    if plan.sort != nil { sorted = SortBuffer(countMax: plan.window.end) }
    stages = plan.stages.map { _ in StageState() }
    end = plan.window.end
    isDone = end == 0
  }

  /// Looks at a row.
  /// - Returns: false when no later row can be among the results.
  /// - Throws: when the row is damaged, or a sum in it overflows.
  package mutating func add(_ row: RawSpan, rowKey: RawSpan) throws(EvaluationError) -> Bool {
    if isDone { return false }
    examinedCount += 1
    if let filter = plan.filter, !(try filter.matches(row: row)) { return true }
    guard let sort = plan.sort else {
      if stages.isEmpty {
        defer { position += 1 }
        if let end, position + 1 >= end { isDone = true }
        if position >= plan.window.offset {
          resultCount += 1
          if keepsKeys { results.append(rowKey.copied()) }
        }
        return !isDone
      }
      let place = keepsKeys ? rowKey.copied() : []
      let item = Item(place: place, rowKeyByteCount: rowKey.byteCount, answers: try answers(row, rowKey))
      pass(item, window: plan.window)
      return !isDone
    }
    place.removeAll(keepingCapacity: true)
    try sort.append(row, rowKey: rowKey, to: &place)
    if let start = plan.start, !KeyRange.precedes(start, place) { return true }
    guard let sorted, sorted.takes(place) else { return true }
    let item = Item(place: place, rowKeyByteCount: rowKey.byteCount, answers: try answers(row, rowKey))
    self.sorted?.add(item)
    return true
  }

  /// Whether a row isn't among the first of a sort, whatever its key is; if so, it counts as looked at.
  mutating func drops(_ row: RawSpan) throws(EvaluationError) -> Bool {
    guard !isDone, let sort = plan.sort, let bound = sorted?.bound else { return false }
    place.removeAll(keepingCapacity: true)
    for key in sort.keys { try key.append(row, to: &place) }
    if bound.count < place.count { return false }
    let columns = bound.span.raw.extracting(first: place.count)
    if place.span.raw.compare(columns) <= 0 { return false }
    examinedCount += 1
    return true
  }

  /// Ends the walk. - Returns: the keys of the results, in their order.
  package mutating func finish() -> [[UInt8]] {
    if let items = sorted?.finish() {
      sorted = nil
      for item in items where !isDone { pass(item, window: plan.window) }
    }
    for index in stages.indices {
      guard case .sort = plan.stages[index] else { continue }
      let items = stages[index].items.sorted { KeyRange.precedes($0.key, $1.key) }
      stages[index].items = []
      for item in items { pass(item.item, from: index + 1) }
    }
    return results
  }

  private func answers(_ row: RawSpan, _ rowKey: RawSpan) throws(EvaluationError) -> [Answer] {
    var answers: [Answer] = []
    for stage in plan.stages {
      var key: [UInt8] = []
      switch stage {
      case .filter(let predicate, _): answers.append(.passes(try predicate.matches(row: row)))
      case .distinct(let value):
        try value.append(row, to: &key)
        answers.append(.key(key))
      case .sort(let sort), .start(let sort, _):
        try sort.append(row, rowKey: rowKey, to: &key)
        answers.append(.key(key))
      case .window: answers.append(.passes(true))
      }
    }
    return answers
  }

  private mutating func pass(_ item: Item, window: RowWindow) {
    defer { position += 1 }
    if let end = window.end, position + 1 >= end { isDone = true }
    if position >= window.offset { pass(item, from: 0) }
  }

  private mutating func pass(_ item: Item, from first: Int) {
    for index in plan.stages.indices.dropFirst(first) {
      switch (plan.stages[index], item.answers[index]) {
      case (.filter, .passes(let passes)): if !passes { return }
      case (.distinct, .key(let key)): if !stages[index].seen.insert(key).inserted { return }
      case (.start(_, let start), .key(let key)): if !KeyRange.precedes(start, key) { return }
      case (.sort, .key(let key)):
        stages[index].items.append((key, item))
        return
      case (.window(let window), _):
        let position = stages[index].position
        stages[index].position += 1
        if let end = window.end {
          if position + 1 >= end, isLast(index) { isDone = true }
          if position >= end { return }
        }
        if position < window.offset { return }
      default: preconditionFailure("an answer of another stage")
      }
    }
    resultCount += 1
    if keepsKeys { results.append(item.rowKey) }
  }

  /// Whether what comes through the stage comes out at once.
  private func isLast(_ index: Int) -> Bool { index == plan.stages.count - 1 }
}

/// What a stage remembers.
private struct StageState {
  var seen: Set<[UInt8]> = []
  var items: [(key: [UInt8], item: RowPipeline.Item)] = []
  var position = 0
}
