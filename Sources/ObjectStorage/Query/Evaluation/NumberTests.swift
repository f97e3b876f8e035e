import RawMemory

/// Whether a value is there.
final class PresenceTest: ValueTest {
  let shape: ValueShape?
  private let isNull: Bool
  init(isNull: Bool, shape: ValueShape?) {
    self.isNull = isNull
    self.shape = shape
  }
  func holds(_ value: StoredValue) -> Bool { (value == .null) == isNull }
  func holds(_ bytes: RawSpan, at offset: Int) -> Bool { !isNull }
  func holds(_ bytes: RawSpan, in range: Range<Int>) -> Bool { !isNull }
}

final class BoolTest: ValueTest {
  let shape: ValueShape?
  private let expected: Bool
  init(_ expected: Bool, shape: ValueShape?) {
    self.expected = expected
    self.shape = shape
  }
  var nullResult: Bool { false }
  func holds(_ value: StoredValue) -> Bool { value == .bool(expected) }
  func holds(_ bytes: RawSpan, at offset: Int) -> Bool { (bytes.load(UInt8.self, at: offset) != 0) == expected }
}

/// A signed integer of any width against a literal.
final class IntegerTest: ValueTest {
  let shape: ValueShape?
  private let comparison: QueryComparison
  private let literal: Int64

  init(_ comparison: QueryComparison, _ literal: Int64, shape: ValueShape) {
    self.comparison = comparison
    self.literal = literal
    self.shape = shape
  }

  var nullResult: Bool { comparison == .notEqual }

  func holds(_ value: StoredValue) -> Bool {
    if case .int(let value) = value { compare(value) } else { nullResult }
  }

  func holds(_ bytes: RawSpan, at offset: Int) -> Bool {
    switch shape?.kind {
    case .int8: compare(Int64(bytes.load(Int8.self, at: offset)))
    case .int16: compare(Int64(bytes.load(Int16.self, at: offset)))
    case .int32: compare(Int64(bytes.load(Int32.self, at: offset)))
    default: compare(bytes.load(Int64.self, at: offset))
    }
  }

  private func compare(_ value: Int64) -> Bool { comparison.holds(value, literal) }
}

/// A Float, a Double or a Date against a literal: a NaN is not equal to anything, and neither below nor above.
final class RealTest: ValueTest {
  let shape: ValueShape?
  private let comparison: QueryComparison
  private let literal: Double

  init(_ comparison: QueryComparison, _ literal: Double, shape: ValueShape) {
    self.comparison = comparison
    self.literal = literal
    self.shape = shape
  }

  var nullResult: Bool { comparison == .notEqual }

  func holds(_ value: StoredValue) -> Bool {
    switch value {
    case .double(let value), .date(let value): compare(value)
    default: nullResult
    }
  }

  func holds(_ bytes: RawSpan, at offset: Int) -> Bool {
    if shape?.kind == .float { return compare(Double(Float(bitPattern: bytes.load(UInt32.self, at: offset)))) }
    return compare(Double(bitPattern: bytes.load(UInt64.self, at: offset)))
  }

  private func compare(_ value: Double) -> Bool { comparison.holds(value, literal) }
}

extension QueryComparison {
  /// Of numbers as they are.
  fileprivate func holds<Number: Comparable>(_ value: Number, _ literal: Number) -> Bool {
    switch self {
    case .equal: value == literal
    case .notEqual: value != literal
    case .less: value < literal
    case .lessOrEqual: value <= literal
    case .greater: value > literal
    case .greaterOrEqual: value >= literal
    }
  }
}

/// Any value against a literal of its kind.
final class ComparisonTest: ValueTest {
  let shape: ValueShape?
  private let comparison: QueryComparison
  private let literal: StoredValue

  init(_ comparison: QueryComparison, _ literal: StoredValue, shape: ValueShape?) {
    self.comparison = comparison
    self.literal = literal
    self.shape = shape
  }

  func holds(_ value: StoredValue) -> Bool { ValueOrder.holds(comparison, value, literal) }
}

/// Whether a value is inside a range.
final class RangeTest: ValueTest {
  let shape: ValueShape?
  private let lower: StoredValue
  private let upper: StoredValue
  private let includesUpper: Bool

  init(_ lower: StoredValue, _ upper: StoredValue, includesUpper: Bool, shape: ValueShape?) {
    self.lower = lower
    self.upper = upper
    self.includesUpper = includesUpper
    self.shape = shape
  }

  func holds(_ value: StoredValue) -> Bool {
    ValueOrder.holds(.greaterOrEqual, value, lower) && ValueOrder.holds(includesUpper ? .lessOrEqual : .less, value, upper)
  }
}
