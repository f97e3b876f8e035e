import RawMemory

/// A test of an operand's value, or of any of its values.
final class OperandNode: PredicateNode {
  private let operand: BoundValue
  private let isMultiple: Bool
  private let test: any ValueTest

  init(_ operand: BoundValue, isMultiple: Bool, _ test: any ValueTest) {
    self.operand = operand
    self.isMultiple = isMultiple
    self.test = test
  }

  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool {
    if !isMultiple { return test.holds(try operand.value(row, elements)) }
    for value in try operand.values(row, elements) { if test.holds(value) { return true } }
    return false
  }
}

/// Two operands against each other; of several values any pair will do.
final class ComparisonNode: PredicateNode {
  private let comparison: QueryComparison
  private let left: BoundValue
  private let right: BoundValue

  init(_ comparison: QueryComparison, _ left: BoundValue, _ right: BoundValue) {
    self.comparison = comparison
    self.left = left
    self.right = right
  }

  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool {
    let others = try right.values(row, elements)
    for value in try left.values(row, elements) {
      if others.contains(where: { ValueOrder.holds(comparison, value, $0) }) { return true }
    }
    return false
  }
}

/// Whether an element of a collection passes a test.
final class ElementNode: PredicateNode {
  private let collection: BoundValue
  private let test: any ValueTest

  init(_ collection: BoundValue, _ test: any ValueTest) {
    self.collection = collection
    self.test = test
  }

  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool {
    try collection.items(row, elements).contains { test.holds($0) }
  }
}

/// Whether a condition holds for any, all or none of a collection's elements.
final class QuantifiedNode: PredicateNode {
  private let quantifier: QueryQuantifier
  private let collection: BoundValue
  private let condition: any PredicateNode

  init(_ quantifier: QueryQuantifier, _ collection: BoundValue, _ condition: any PredicateNode) {
    self.quantifier = quantifier
    self.collection = collection
    self.condition = condition
  }

  func matches(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> Bool {
    let ends = quantifier != .all
    for item in try collection.items(row, elements) {
      if try condition.matches(row, elements + [item]) == ends { return quantifier == .any }
    }
    return quantifier != .any
  }
}
