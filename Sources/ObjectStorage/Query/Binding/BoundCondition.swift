/// A condition whose names and types have been checked, still as a tree, for the planner.
indirect enum BoundCondition: Sendable {
  case constant(Bool)
  /// A question about one column: what an index may answer.
  case column(ColumnPath, ColumnQuestion)
  /// Anything else.
  case node(any PredicateNode)
  case not(BoundCondition)
  case and([BoundCondition])
  case or([BoundCondition])
}

/// What is asked of a column, its literals in the column's kind.
enum ColumnQuestion: Sendable {
  case isNull
  case compare(QueryComparison, StoredValue)
  case between(StoredValue, StoredValue, includesUpper: Bool)
  case membership([StoredValue])
  case text(QueryTextTest, String, StringOptions)
  case pattern(TextPatternTest.Pattern, StringOptions)
}

extension ColumnQuestion {
  /// - Parameter shape: nil when only values are asked about.
  func test(_ kind: ColumnKind, shape: ValueShape?) -> any ValueTest {
    switch self {
    case .isNull: return PresenceTest(isNull: true, shape: shape)
    case .compare(let comparison, let literal): return Self.comparison(comparison, literal, kind, shape)
    case .between(let lower, let upper, let includesUpper):
      return RangeTest(lower, upper, includesUpper: includesUpper, shape: shape)
    case .membership(let values): return MembershipTest(values, kind: kind, shape: shape)
    case .text(let test, let text, let options): return TextSearchTest(test, text, options, shape: shape)
    case .pattern(let pattern, let options): return TextPatternTest(pattern, options, shape: shape)
    }
  }

  private static func comparison(
    _ comparison: QueryComparison, _ literal: StoredValue, _ kind: ColumnKind, _ shape: ValueShape?
  ) -> any ValueTest {
    switch literal {
    case .bool(let value) where comparison == .equal: return BoolTest(value, shape: shape)
    case .string(let text): return TextComparisonTest(comparison, text, shape: shape)
    case .int(let value): if let shape { return IntegerTest(comparison, value, shape: shape) }
    case .double(let value), .date(let value): if let shape { return RealTest(comparison, value, shape: shape) }
    case .data, .uuid: if let shape { return BytesTest(comparison, literal, shape: shape) }
    default: break
    }
    return ComparisonTest(comparison, literal, shape: shape)
  }
}

extension BoundCondition {
  /// The nodes that test a row.
  func compiled() -> any PredicateNode {
    switch self {
    case .constant(let value): ConstantNode(value)
    case .column(let path, let question): ColumnNode(path, question.test(path.kind, shape: path.leaf.shape))
    case .node(let node): node
    case .not(let inner): NotNode(inner.compiled())
    case .and(let terms): AndNode(terms.map { $0.compiled() })
    case .or(let terms): OrNode(terms.map { $0.compiled() })
    }
  }

  /// The opposite, as something that an index may answer where it can.
  var negated: BoundCondition {
    switch self {
    case .constant(let value): .constant(!value)
    case .not(let inner): inner
    case .column(let path, .compare(.equal, .bool(let value))) where !path.isOptional:
      .column(path, .compare(.equal, .bool(!value)))
    default: .not(self)
    }
  }
}

extension BoundCondition {
  /// How long a row takes, as a rank: fixed widths, text in place, values made, text folded or matched.
  var cost: Int {
    switch self {
    case .constant: 0
    case .column(_, .pattern): 4
    case .column(_, .text(_, _, let options)): options.isEmpty ? 1 : 3
    case .column(let path, _): path.kind.fixedByteCount == nil ? 1 : 0
    case .node: 2
    case .not(let inner): inner.cost
    case .and(let terms), .or(let terms): terms.map(\.cost).max() ?? 0
    }
  }
}
