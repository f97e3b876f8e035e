import RawMemory
import StorageEngine

/// Results that are a stretch of a tree's keys: found by their positions, which the tree counts, so that only what is looked at is read.
///
/// Always of a snapshot, which several threads may read.
struct ResultPositions: @unchecked Sendable {
  private struct Stretch {
    var first: UInt64
    var count: UInt64
  }
  private let runner: QueryRunner
  private let path: AccessPath
  private let tree: Tree?
  private let stretches: [Stretch]
  private let offset: Int
  let count: Int

  /// - Returns: nil when the plan's results are no such stretch.
  init?(_ runner: QueryRunner, _ plan: ExecutionPlan) throws(StorageError) {
    guard plan.countsByKeys, plan.isStreamed, !(plan.access.isBackward && plan.access.hasForwardTies) else { return nil }
    self.runner = runner
    path = plan.access
    tree = try runner.tree(plan.access)
    offset = plan.window.offset
    var stretches: [Stretch] = []
    var total: UInt64 = 0
    if let tree {
      for range in plan.access.ranges {
        let first = try storing { () throws(EngineError) in try tree.position(of: range.lower.span.raw) }
        let count = try storing { () throws(EngineError) in try tree.count(from: range.lower, to: range.upper) }
        stretches.append(Stretch(first: first, count: count))
        total += count
      }
    }
    self.stretches = stretches
    count = plan.window.clamped(Int(total))
  }

  /// The key of a row.
  func key(at index: Int) throws(StorageError) -> [UInt8] {
    var rest = UInt64(offset + index)
    for stretch in stretches {
      if rest >= stretch.count {
        rest -= stretch.count
        continue
      }
      let position = path.isBackward ? stretch.first + stretch.count - 1 - rest : stretch.first + rest
      guard let tree else { break }
      var cursor = tree.cursor()
      let isThere = try storing { () throws(EngineError) in try cursor.seek(toPosition: position) }
      guard isThere else { break }
      let key = cursor.key
      guard case .index = path.tree else { return key }
      let start = try readingRow { () throws(RowError) in try path.layout.rowKeyOffset(in: key.span.raw) }
      return Array(key[start...])
    }
    throw .corrupted(page: 0, reason: "the entries of \(runner.type.name) don't add up")
  }
}
