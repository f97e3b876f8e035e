extension ExecutionPlan {
  /// The plan for people. - Parameters: examined: rows looked at. - returned: rows that came out.
  package func explained(examined: Int = 0, returned: Int = 0) -> QueryPlan {
    var plan = QueryPlan()
    if case .index(let index) = access.tree { plan.indexName = index.name }
    plan.range = answered.isEmpty ? nil : answered.map(\.text).joined(separator: " && ")
    plan.filters = rest.map(\.text)
    plan.isSortedByIndex = sort == nil && !order.isRowKey
    plan.examinedRowCount = examined
    plan.returnedRowCount = returned
    plan.typeName = schema.name
    plan.isBackward = access.isBackward
    plan.isEmpty = access.ranges.isEmpty
    plan.steps = steps
    return plan
  }

  private var steps: [String] {
    var lines: [String] = []
    if let sort {
      let kept = window.end.map { ", keeping the first \($0)" } ?? ""
      lines.append("sort by \(sort.isRowKey ? "key" : sort.text)\(kept)")
    }
    if start != nil { lines.append("begin behind the cursor") }
    lines += Self.text(window)
    for stage in stages {
      switch stage {
      case .filter(_, let texts): lines += texts.map { "filter \($0)" }
      case .distinct(let key): lines.append("distinct \(key.text)")
      case .sort(let key): lines.append("sort by \(key.text)")
      case .start: lines.append("begin behind the cursor")
      case .window(let window): lines += Self.text(window)
      }
    }
    return lines
  }

  private static func text(_ window: RowWindow) -> [String] {
    var lines: [String] = []
    if window.offset > 0 { lines.append("skip \(window.offset)") }
    if let limit = window.limit { lines.append("take \(limit)") }
    return lines
  }
}
