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
  private let rows: RowSource?
  private let core: StoreCore
  private let body: Body
  let plan: ExecutionPlan?
  private let hasMetDamage = Atomic<Bool>(false)
  let version: StorageVersion
  @usableFromInline let count: Int

  init(_ runner: QueryRunner, _ body: Body, plan: ExecutionPlan?) throws(StorageError) {
    if case .rows = body { rows = nil } else { rows = try RowSource(runner) }
    core = runner.reader.core
    self.body = body
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
    switch (body, rows) {
    case (.rows(let rows), _): return rows[index]
    case (.keys(let keys), let rows?): return try reading.row(at: index, keys, rows)
    case (.positions(let positions), let rows?): return try positions.row(at: index, rows, &reading.place)
    case (_, nil): throw .corrupted(page: 0, reason: "there is nowhere to read it from")
    }
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
