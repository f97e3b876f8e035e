import RawMemory
import StorageEngine

/// What is learnt of results as they come. Nothing is kept of rows that come out as they are walked, so memory doesn't grow with their
/// number; a plan that sorts keeps their keys.
extension QueryRunner {
  /// How many keys a path walks. O(log *n*) for each range.
  func keyCount(_ path: AccessPath) throws(StorageError) -> UInt64 {
    guard let tree = try tree(path) else { return 0 }
    var count: UInt64 = 0
    for range in path.ranges {
      count += try storing { () throws(EngineError) in try tree.count(from: range.lower, to: range.upper) }
    }
    return count
  }

  /// How many keys a plan walks.
  func keyCount(of plan: ExecutionPlan) throws(StorageError) -> UInt64 {
    if let known = plan.keyCount { return known }
    return try keyCount(plan.access)
  }

  package func count(_ plan: ExecutionPlan) throws(StorageError) -> Int {
    if plan.countsByKeys { return plan.window.clamped(Int(try keyCount(of: plan))) }
    if let filter = plan.filter, plan.stages.isEmpty, plan.start == nil { return try count(plan, filter) }
    guard plan.isStreamed else { return try keys(plan).keys.count }
    return try stream(plan, readsRows: false)
  }

  /// Whatever their order, as many are counted.
  private func count(_ plan: ExecutionPlan, _ filter: Predicate) throws(StorageError) -> Int {
    var count = 0
    let end = plan.window.end ?? .max
    if end > 0 {
      try walkRows(plan) { row throws(StorageError) in
        if try evaluating({ () throws(EvaluationError) in try filter.matches(row: row) }) { count += 1 }
        return count < end
      }
    }
    return plan.window.clamped(count)
  }

  /// As `walk`, without the keys.
  private func walkRows(_ plan: ExecutionPlan, _ body: (RawSpan) throws(StorageError) -> Bool) throws(StorageError) {
    guard case .rows = plan.access.tree, !plan.access.isBackward else {
      return try walk(plan) { _, row throws(StorageError) in try body(row) }
    }
    guard let tree = try tree(plan.access) else { return }
    try RangeWalk(tree, plan.access).forEachValue(body)
  }

  /// The key of the last result; nil without any.
  func lastKey(_ plan: ExecutionPlan) throws(StorageError) -> [UInt8]? {
    guard plan.isStreamed else { return try keys(plan).keys.last }
    var last: [UInt8]?
    try stream(plan, readsRows: false) { rowKey, _ in
      last?.removeAll(keepingCapacity: true)
      last = last ?? []
      last!.append(contentsOf: rowKey)
    }
    return last
  }

  /// Calls `body` with the key and the row of each result, in their order.
  func forEachRow(_ plan: ExecutionPlan, _ body: (RawSpan, RawSpan) throws(StorageError) -> Void) throws(StorageError) {
    if plan.isStreamed {
      try stream(plan, readsRows: true, body)
    } else {
      for key in try keys(plan).keys { _ = try withRow(key) { row throws(StorageError) in try body(key.span.raw, row) } }
    }
  }

  /// What `transform` makes of each result, in their order.
  /// - Throws: what `transform` throws as well.
  func map<E: StorageObject, T>(_ type: E.Type, _ plan: ExecutionPlan, _ transform: (E) throws -> T) throws -> [T] {
    guard let mapping = self.type.mapping else { throw StorageError.typeNotListed(type: E.storageName) }
    var values: [T] = []
    var failure: (any Error)?
    do throws(StorageError) {
      try forEachRow(plan) { key, bytes throws(StorageError) in
        let row = try readingRow { () throws(RowError) in try Row(copying: bytes, key: key, mapping: mapping) }
        do { values.append(try transform(mapping.model.materialize(type, row: row))) } catch {
          failure = error
          throw .cancelled
        }
      }
    } catch {
      throw failure ?? error
    }
    return values
  }

  /// - Returns: how many results came.
  @discardableResult
  private func stream(
    _ plan: ExecutionPlan, readsRows: Bool, _ body: (RawSpan, RawSpan) throws(StorageError) -> Void = { _, _ in }
  ) throws(StorageError) -> Int {
    var pipeline = RowPipeline(plan, keepsKeys: false)
    try walk(plan, readsRows: readsRows) { rowKey, row throws(StorageError) in
      let count = pipeline.resultCount
      let goesOn = try evaluating { () throws(EvaluationError) in try pipeline.add(row, rowKey: rowKey) }
      if pipeline.resultCount > count { try body(rowKey, row) }
      return goesOn
    }
    return pipeline.resultCount
  }
}
