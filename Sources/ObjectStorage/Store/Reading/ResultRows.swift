import RawMemory
import Synchronization

/// Where the rows of results are. Not generic: one for all types, shared by the copies of results.
@usableFromInline final class ResultRows: Sendable {
  enum Body: Sendable {
    /// Rows found by the keys that the query gave.
    case keys([[UInt8]])
    case positions(ResultPositions)
    /// Copied already.
    case rows([Row])
  }
  /// Where rows are read; nil for rows that are here.
  let source: RowSource?
  private let core: StoreCore
  /// Of `body`, so that none of them is copied for each row.
  private let rows: [Row]
  private let positions: ResultPositions?
  let keys: [[UInt8]]
  let plan: ExecutionPlan?
  private let hasMetDamage = Atomic<Bool>(false)
  let version: StorageVersion
  @usableFromInline let count: Int

  init(_ runner: QueryRunner, _ body: Body, plan: ExecutionPlan?) throws(StorageError) {
    if case .rows = body { source = nil } else { source = try RowSource(runner) }
    core = runner.reader.core
    if case .rows(let found) = body { rows = found } else { rows = [] }
    if case .positions(let found) = body { positions = found } else { positions = nil }
    if case .keys(let found) = body { keys = found } else { keys = [] }
    self.plan = plan
    version = runner.reader.version
    count =
      switch body {
      case .keys(let keys): keys.count
      case .positions(let positions): positions.count
      case .rows(let rows): rows.count
      }
  }

  /// - Parameter reading: kept from row to row by who reads them in their order.
  @usableFromInline func row(at index: Int, _ reading: inout ResultReading) throws(StorageError) -> Row {
    precondition(index >= 0 && index < count, "Index out of range")
    if !keys.isEmpty { return try reading.row(at: index, of: self) }
    guard let positions, let source else { return rows[index] }
    return try positions.row(at: index, source, &reading.place)
  }

  /// As `row(at:_:)`; nil where it can't be read, which is reported.
  @usableFromInline func rowUnlessDamaged(at index: Int, _ reading: inout ResultReading) -> Row? {
    do throws(StorageError) { return try row(at: index, &reading) } catch {
      reading = ResultReading()
      hasMetDamage.store(true, ordering: .relaxed)
      core.onDamage(error)
      return nil
    }
  }

  /// Never turns false again.
  var isDamaged: Bool { hasMetDamage.load(ordering: .relaxed) }
}
