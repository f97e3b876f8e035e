import RawMemory
import Synchronization

/// The results of a query: a lazy, Sendable, random-access collection over one snapshot.
///
/// An element holds a copy of its row's bytes: it pins nothing and outlives these results, which pin their version: `statistics()`
/// lists it with its age. Inside a write transaction the rows are copied when the query runs, and later changes don't show.
///
/// **Damage.** A collection's subscript can't throw. Where a row can't be read, it gives an object of default values, sets
/// `isDamaged` and reports a `StorageEvent`; nothing traps. `element(at:)` and `array()` throw instead.
///
/// - Complexity: an element is found in O(log *n*) and read when it is asked for.
public struct StorageResults<Element: StorageObject>: Sendable {
  enum Body: Sendable {
    /// Rows found by the keys that the query gave.
    case keys([[UInt8]])
    case positions(ResultPositions)
    /// Copied already.
    case rows([Row])
  }
  /// Where rows are read; nil for rows that are here.
  private let runner: QueryRunner?
  private let body: Body
  private let plan: ExecutionPlan?
  private let damage = DamageFlag()

  /// The version that these results are of.
  public let version: StorageVersion
  /// Whether a read through these results has met damage so far. Never turns false again.
  public var isDamaged: Bool { damage.isSet }

  init(_ runner: QueryRunner, _ body: Body, plan: ExecutionPlan?) {
    self.runner = runner
    self.body = body
    self.plan = plan
    version = runner.reader.version
  }

  init(rowsOf runner: QueryRunner, keys: [[UInt8]], plan: ExecutionPlan?) throws(StorageError) {
    var rows: [Row] = []
    rows.reserveCapacity(keys.count)
    for key in keys { if let row = try runner.row(key) { rows.append(row) } }
    self.runner = nil
    body = .rows(rows)
    self.plan = plan
    version = runner.reader.version
  }

  /// Checks the bounds like the subscript, and every page that the row needs.
  /// - Throws: `StorageError.corrupted`.
  public func element(at index: Int) throws(StorageError) -> Element {
    precondition(index >= 0 && index < count, "Index out of range")
    return materialize(try row(at: index))
  }

  /// Every element.
  /// - Throws: `StorageError.corrupted`.
  public func array() throws(StorageError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for index in 0..<count { elements.append(materialize(try row(at: index))) }
    return elements
  }

  /// For `DatabaseQuery.after`, to go on behind this element later.
  /// - Throws: `StorageError.corrupted`.
  public func cursor(at index: Int) throws(StorageError) -> StorageCursor {
    precondition(index >= 0 && index < count, "Index out of range")
    let row = try row(at: index)
    guard let plan else { throw .query(.foreignCursor) }
    let key = row.key
    return try row.withBytes { bytes throws(StorageError) in
      try evaluating { () throws(EvaluationError) in try plan.cursor(row: bytes, rowKey: key.span.raw) }
    }
  }

  private func key(at index: Int) throws(StorageError) -> [UInt8] {
    switch body {
    case .keys(let keys): keys[index]
    case .positions(let positions): try positions.key(at: index)
    case .rows(let rows): rows[index].key
    }
  }

  private func row(at index: Int) throws(StorageError) -> Row {
    if case .rows(let rows) = body { return rows[index] }
    guard let runner, let row = try runner.row(try key(at: index)) else {
      throw .corrupted(page: 0, reason: "a row of \(Element.storageName) isn't where its index says")
    }
    return row
  }

  private func materialize(_ row: Row) -> Element { row.layout.model?.materialize(Element.self, row: row) ?? Element() }
}

extension StorageResults: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// How many elements there are.
  public var endIndex: Int {
    switch body {
    case .keys(let keys): keys.count
    case .positions(let positions): positions.count
    case .rows(let rows): rows.count
    }
  }
  /// An element; one of default values where its row is damaged, see `isDamaged`.
  public subscript(position: Int) -> Element {
    do throws(StorageError) {
      return try element(at: position)
    } catch {
      damage.set()
      runner?.reader.core.onDamage(error)
      return Element()
    }
  }
}

/// Set once, by any thread.
final class DamageFlag: Sendable {
  private let flag = Atomic<Bool>(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

/// The objects that share one value of a property.
public struct StorageGroup<Key: PersistableValue, Element: StorageObject>: Sendable {
  /// The value that they share.
  public let key: Key
  /// The objects, in the query's order.
  public let results: StorageResults<Element>
}
