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

  package func count(_ plan: ExecutionPlan) throws(StorageError) -> Int {
    if plan.countsByKeys { return plan.window.clamped(Int(try keyCount(plan.access))) }
    guard plan.isStreamed else { return try keys(plan).keys.count }
    return try stream(plan, readsRows: false)
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
