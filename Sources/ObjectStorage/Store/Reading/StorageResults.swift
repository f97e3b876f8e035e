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
  private let rows: RowSource?
  private let core: StoreCore
  private let body: Body
  private let plan: ExecutionPlan?
  private let damage = DamageFlag()

  /// The version that these results are of.
  public let version: StorageVersion
  /// Whether a read through these results has met damage so far. Never turns false again.
  public var isDamaged: Bool { damage.isSet }

  init(_ runner: QueryRunner, _ body: Body, plan: ExecutionPlan?) throws(StorageError) {
    rows = try RowSource(runner)
    core = runner.reader.core
    self.body = body
    self.plan = plan
    version = runner.reader.version
  }

  init(rowsOf runner: QueryRunner, keys: [[UInt8]], plan: ExecutionPlan?) throws(StorageError) {
    var found: [Row] = []
    found.reserveCapacity(keys.count)
    let source = try RowSource(runner)
    for key in keys { if let row = try source.row(key.span.raw) { found.append(row) } }
    rows = nil
    core = runner.reader.core
    body = .rows(found)
    self.plan = plan
    version = runner.reader.version
  }

  /// Checks the bounds like the subscript, and every page that the row needs.
  /// - Throws: `StorageError.corrupted`.
  public func element(at index: Int) throws(StorageError) -> Element {
    precondition(index >= 0 && index < endIndex, "Index out of range")
    var place = ResultReading()
    return materialize(try row(at: index, &place))
  }

  /// Every element.
  /// - Throws: `StorageError.corrupted`.
  public func array() throws(StorageError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(endIndex)
    var place = ResultReading(isInOrder: true)
    for index in 0..<endIndex { elements.append(materialize(try row(at: index, &place))) }
    return elements
  }

  /// Calls `body` with every element.
  func forEachElement(_ body: (Element) throws -> Void) throws {
    var place = ResultReading(isInOrder: true)
    for index in 0..<endIndex { try body(materialize(try row(at: index, &place))) }
  }

  /// For `DatabaseQuery.after`, to go on behind this element later.
  /// - Throws: `StorageError.corrupted`.
  public func cursor(at index: Int) throws(StorageError) -> StorageCursor {
    precondition(index >= 0 && index < endIndex, "Index out of range")
    var place = ResultReading()
    let row = try row(at: index, &place)
    guard let plan else { throw .query(.foreignCursor) }
    let key = row.key
    return try row.withBytes { bytes throws(StorageError) in
      try evaluating { () throws(EvaluationError) in try plan.cursor(row: bytes, rowKey: key.span.raw) }
    }
  }

  /// - Parameter place: kept from row to row by who reads them in their order.
  private func row(at index: Int, _ place: inout ResultReading) throws(StorageError) -> Row {
    switch (body, rows) {
    case (.rows(let rows), _): return rows[index]
    case (.keys(let keys), let rows?): return try place.row(at: index, keys, rows)
    case (.positions(let positions), let rows?): return try positions.row(at: index, rows, &place.place)
    case (_, nil): throw .corrupted(page: 0, reason: "there is nowhere to read \(Element.storageName) from")
    }
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
    precondition(position >= 0 && position < endIndex, "Index out of range")
    var place = ResultReading()
    return element(at: position, &place)
  }
  /// The elements in their order, each found from the one before.
  public func makeIterator() -> Iterator { Iterator(self) }

  fileprivate func element(at index: Int, _ place: inout ResultReading) -> Element {
    do throws(StorageError) {
      return materialize(try row(at: index, &place))
    } catch {
      place = ResultReading()
      damage.set()
      core.onDamage(error)
      return Element()
    }
  }

  /// Reads one element after another, as the subscript does.
  public struct Iterator: IteratorProtocol {
    private let results: StorageResults
    private let end: Int
    private var index = 0
    private var place = ResultReading(isInOrder: true)

    fileprivate init(_ results: StorageResults) {
      self.results = results
      end = results.endIndex
    }

    /// nil behind the last one.
    public mutating func next() -> Element? {
      if index == end { return nil }
      defer { index += 1 }
      return results.element(at: index, &place)
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
