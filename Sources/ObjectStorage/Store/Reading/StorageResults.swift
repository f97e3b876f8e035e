import RawMemory

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
  @usableFromInline let found: ResultRows

  /// The version that these results are of.
  public var version: StorageVersion { found.version }
  /// Whether a read through these results has met damage so far. Never turns false again.
  public var isDamaged: Bool { found.isDamaged }

  init(_ runner: QueryRunner, _ body: ResultRows.Body, plan: ExecutionPlan?) throws(StorageError) {
    found = try ResultRows(runner, body, plan: plan)
  }

  init(rowsOf runner: QueryRunner, keys: [[UInt8]], plan: ExecutionPlan?) throws(StorageError) {
    var rows: [Row] = []
    rows.reserveCapacity(keys.count)
    let source = try RowSource(runner)
    for key in keys { if let row = try source.row(key.span.raw) { rows.append(row) } }
    found = try ResultRows(runner, .rows(rows), plan: plan)
  }

  /// Checks the bounds like the subscript, and every page that the row needs.
  /// - Throws: `StorageError.corrupted`.
  @inlinable public func element(at index: Int) throws(StorageError) -> Element {
    var reading = ResultReading()
    return Self.materialize(try found.row(at: index, &reading))
  }

  /// Every element.
  /// - Throws: `StorageError.corrupted`.
  @inlinable public func array() throws(StorageError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(endIndex)
    var reading = ResultReading(isInOrder: true)
    for index in 0..<endIndex { elements.append(Self.materialize(try found.row(at: index, &reading))) }
    return elements
  }

  /// Calls `body` with every element.
  func forEachElement(_ body: (Element) throws -> Void) throws {
    var reading = ResultReading(isInOrder: true)
    for index in 0..<endIndex { try body(Self.materialize(try found.row(at: index, &reading))) }
  }

  /// For `DatabaseQuery.after`, to go on behind this element later.
  /// - Throws: `StorageError.corrupted`.
  public func cursor(at index: Int) throws(StorageError) -> StorageCursor {
    var reading = ResultReading()
    let row = try found.row(at: index, &reading)
    guard let plan = found.plan else { throw .query(.foreignCursor) }
    let key = row.key
    return try row.withBytes { bytes throws(StorageError) in
      try evaluating { () throws(EvaluationError) in try plan.cursor(row: bytes, rowKey: key.span.raw) }
    }
  }

  @inlinable static func materialize(_ row: Row) -> Element {
    if let model = row.layout.model { model.materialize(Element.self, row: row) } else { Element() }
  }
}

extension StorageResults: RandomAccessCollection {
  /// 0.
  @inlinable public var startIndex: Int { 0 }
  /// How many elements there are.
  @inlinable public var endIndex: Int { found.count }
  /// An element; one of default values where its row is damaged, see `isDamaged`.
  @inlinable public subscript(position: Int) -> Element {
    var reading = ResultReading()
    guard let row = found.rowUnlessDamaged(at: position, &reading) else { return Element() }
    return Self.materialize(row)
  }
  /// The elements in their order, each found from the one before.
  @inlinable public func makeIterator() -> Iterator { Iterator(found) }

  /// Reads one element after another, as the subscript does.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let found: ResultRows
    @usableFromInline var index = 0
    @usableFromInline var reading = ResultReading(isInOrder: true)

    @inlinable init(_ found: ResultRows) { self.found = found }

    /// nil behind the last one.
    @inlinable public mutating func next() -> Element? {
      if index == found.count { return nil }
      defer { index += 1 }
      guard let row = found.rowUnlessDamaged(at: index, &reading) else { return Element() }
      return StorageResults.materialize(row)
    }
  }
}

/// The objects that share one value of a property.
public struct StorageGroup<Key: PersistableValue, Element: StorageObject>: Sendable {
  /// The value that they share.
  public let key: Key
  /// The objects, in the query's order.
  public let results: StorageResults<Element>
}
