/// Which of the rows, counted from 0, are wanted.
package struct RowWindow: Sendable, Equatable {
  package private(set) var offset = 0
  /// nil is no limit.
  package private(set) var limit: Int?

  package init() {}

  package var isAll: Bool { offset == 0 && limit == nil }
  /// How many rows have to be found; nil is all of them.
  package var end: Int? {
    guard let limit else { return nil }
    let (end, overflows) = offset.addingReportingOverflow(limit)
    return overflows ? nil : end
  }

  mutating func limit(to count: Int) { limit = min(limit ?? count, count) }

  mutating func skip(_ count: Int) {
    let (sum, overflows) = offset.addingReportingOverflow(count)
    offset = overflows ? .max : sum
    if let limit { self.limit = max(0, limit - count) }
  }

  /// How many of so many rows are inside.
  package func clamped(_ count: Int) -> Int { min(max(0, count - offset), limit ?? .max) }
}
