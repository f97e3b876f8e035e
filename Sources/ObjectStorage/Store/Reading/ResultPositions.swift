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
  private let path: AccessPath
  private let tree: Tree?
  private let stretches: [Stretch]
  private let offset: Int
  let count: Int

  /// - Returns: nil when the plan's results are no such stretch.
  init?(_ runner: QueryRunner, _ plan: ExecutionPlan) throws(StorageError) {
    guard plan.countsByKeys, plan.isStreamed, !(plan.access.isBackward && plan.access.hasForwardTies) else { return nil }
    path = plan.access
    tree = try runner.tree(plan.access)
    offset = plan.window.offset
    var stretches: [Stretch] = []
    var total: UInt64 = 0
    if let tree {
      for range in plan.access.ranges {
        let first = try storing { () throws(EngineError) in try tree.position(of: range.lower.span.raw) }
        let count =
          if let known = plan.keyCount, plan.access.ranges.count == 1 {
            known
          } else {
            try storing { () throws(EngineError) in try tree.count(from: range.lower, to: range.upper) }
          }
        stretches.append(Stretch(first: first, count: count))
        total += count
      }
    }
    self.stretches = stretches
    count = plan.window.clamped(Int(total))
  }

  /// Where a result was found, to go on from there.
  struct Place {
    fileprivate var cursor: TreeCursor
    fileprivate var index: Int
    /// The first result of the next stretch.
    fileprivate var end: Int
  }

  /// A row.
  /// - Parameter place: of a result found before, or nil; afterwards of this one. The next one from there costs no search.
  func row(at index: Int, _ rows: RowSource, _ place: inout Place?) throws(StorageError) -> Row {
    if place?.index == index - 1, index < place?.end ?? 0 {
      let isThere = try storing { () throws(EngineError) in try place?.move(backward: path.isBackward) ?? false }
      if !isThere { throw miscounted(rows) }
    } else {
      place = try find(index, rows)
    }
    guard let row = try place?.row(path, rows) else { throw miscounted(rows) }
    return row
  }

  private func find(_ index: Int, _ rows: RowSource) throws(StorageError) -> Place {
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
      return Place(cursor: cursor, index: index, end: index + Int(stretch.count - rest))
    }
    throw miscounted(rows)
  }

  private func miscounted(_ rows: RowSource) -> StorageError {
    .corrupted(page: 0, reason: "the entries of \(rows.typeName) don't add up")
  }
}

extension ResultPositions.Place {
  fileprivate mutating func move(backward: Bool) throws(EngineError) -> Bool {
    index += 1
    return backward ? try cursor.previous() : try cursor.next()
  }

  fileprivate mutating func row(_ path: AccessPath, _ rows: RowSource) throws(StorageError) -> Row {
    if case .rows = path.tree {
      let value = try storing { () throws(EngineError) in try cursor.valueView() }
      return try cursor.withKey { key throws(StorageError) in try rows.row(value.bytes(0..<value.count), key) }
    }
    return try cursor.withKey { key throws(StorageError) in
      let start = try readingRow { () throws(RowError) in try path.layout.rowKeyOffset(in: key) }
      return try rows.knownRow(key.extracting(droppingFirst: start))
    }
  }
}
