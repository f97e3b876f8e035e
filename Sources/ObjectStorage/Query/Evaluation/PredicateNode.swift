import RawMemory

/// A node of a bound condition.
protocol PredicateNode: Sendable {
  /// - Parameter elements: of the closures around the condition, the outermost first.
  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool
}

final class ConstantNode: PredicateNode {
  private let value: Bool
  init(_ value: Bool) { self.value = value }
  func matches(_ row: RawSpan, _ elements: [StoredValue]) -> Bool { value }
}

final class NotNode: PredicateNode {
  private let inner: any PredicateNode
  init(_ inner: any PredicateNode) { self.inner = inner }
  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool {
    !(try inner.matches(row, elements))
  }
}

final class AndNode: PredicateNode {
  private let terms: [any PredicateNode]
  init(_ terms: [any PredicateNode]) { self.terms = terms }
  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool {
    for term in terms { if !(try term.matches(row, elements)) { return false } }
    return true
  }
}

final class OrNode: PredicateNode {
  private let terms: [any PredicateNode]
  init(_ terms: [any PredicateNode]) { self.terms = terms }
  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool {
    for term in terms { if try term.matches(row, elements) { return true } }
    return false
  }
}

/// A test of one column, read in place.
final class ColumnNode: PredicateNode {
  private let path: ColumnPath
  private let test: any ValueTest

  init(_ path: ColumnPath, _ test: any ValueTest) {
    self.path = path
    self.test = test
  }

  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool {
    do throws(RowError) {
      return try matches(row, from: 0)
    } catch {
      throw .row(error)
    }
  }

  private func matches(_ row: RawSpan, from depth: Int) throws(RowError) -> Bool {
    if depth == path.outer.count {
      switch try path.leaf.field(in: row) {
      case .fixed(let offset): return try test.holds(row, at: offset)
      case .variable(let range): return try test.holds(row, in: range)
      case .null: return test.nullResult
      case .absent: return test.holds(path.defaultValue(from: depth))
      }
    }
    switch try path.outer[depth].field(in: row) {
    case .variable(let range): return try matches(row.extracting(range), from: depth + 1)
    case .absent: return test.holds(path.defaultValue(from: depth))
    case .null, .fixed: return test.nullResult
    }
  }
}
