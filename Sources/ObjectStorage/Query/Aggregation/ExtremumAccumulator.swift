/// Finds the least or the greatest value. nil counts for nothing; of nothing there is none.
///
/// A NaN counts only where there is nothing else: it has no order. Of equal values the first one stays.
package struct ExtremumAccumulator: Sendable {
  private let isMaximum: Bool
  package private(set) var result: StoredValue = .null

  package init(isMaximum: Bool) { self.isMaximum = isMaximum }

  package mutating func add(_ value: StoredValue) {
    if value == .null { return }
    if result == .null || result.isNaN {
      result = value
    } else if let order = ValueOrder.compare(value, result), isMaximum ? order > 0 : order < 0 {
      result = value
    }
  }
}
