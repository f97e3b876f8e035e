#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the conditions of a query say of one column, as bytes of its keys.
struct ColumnBounds {
  /// The values that it may have, each encoded; and the condition that says so.
  private(set) var points: (values: [[UInt8]], filter: Int)?
  /// Of all its ranges together.
  private(set) var range = KeyRange.all
  private(set) var rangeFilters: [Int] = []

  private let column: KeyLayout.Column

  /// Looks at every condition about the column.
  init(_ column: KeyLayout.Column, _ filters: [BoundFilter]) {
    self.column = column
    for (index, filter) in filters.enumerated() { look(at: filter.condition, index) }
  }

  private mutating func look(at condition: BoundCondition, _ index: Int) {
    switch condition {
    case .column(let path, let question) where path.columnID == column.id: look(at: question, index)
    case .not(.column(let path, .isNull)) where path.columnID == column.id: narrow(.all, index)
    default: break
    }
  }

  private mutating func look(at question: ColumnQuestion, _ index: Int) {
    switch question {
    case .isNull: choose([.null], index)
    case .compare(.equal, let value): choose([value], index)
    case .membership(let values): choose(values, index)
    case .compare(.less, let value): narrow(upTo(value, isIncluded: false), index)
    case .compare(.lessOrEqual, let value): narrow(upTo(value, isIncluded: true), index)
    case .compare(.greater, let value): narrow(from(value, isIncluded: false), index)
    case .compare(.greaterOrEqual, let value): narrow(from(value, isIncluded: true), index)
    case .compare(.notEqual, _): break
    case .between(let lower, let upper, let includesUpper):
      narrow(from(lower, isIncluded: true), index)
      narrow(upTo(upper, isIncluded: includesUpper), index)
    case .text(.starts, let text, let options) where options.isEmpty:
      var prefix: [UInt8] = column.isOptional ? [1] : []
      KeyCoding.appendEscaped(normalized: text, to: &prefix)
      narrow(KeyRange(lower: prefix, upper: KeyRange.successor(of: prefix)), index)
    case .text, .pattern: break
    }
  }

  /// Of several conditions the one with the fewest values counts; the others stay conditions. What no key has falls out.
  private mutating func choose(_ values: [StoredValue], _ index: Int) {
    var encoded = values.filter { !$0.isNaN }.compactMap { column.encoded($0) }
    if encoded.count > 1 { encoded = Set(encoded).sorted { KeyRange.precedes($0, $1) } }
    if let points, points.values.count <= encoded.count { return }
    points = (encoded, index)
  }

  /// nil and NaN are in no range.
  private mutating func narrow(_ part: KeyRange?, _ index: Int) {
    if rangeFilters.last != index { rangeFilters.append(index) }
    guard let part else {
      range = KeyRange(lower: [], upper: [])
      return
    }
    if column.isOptional { range.raiseLower(to: [1]) }
    range.raiseLower(to: part.lower)
    range.dropUpper(to: part.upper)
  }

  private func from(_ value: StoredValue, isIncluded: Bool) -> KeyRange? {
    guard !value.isNaN, let key = column.encoded(value) else { return nil }
    if isIncluded { return KeyRange(lower: key, upper: notANumber) }
    guard let next = KeyRange.successor(of: key) else { return nil }
    return KeyRange(lower: next, upper: notANumber)
  }

  private func upTo(_ value: StoredValue, isIncluded: Bool) -> KeyRange? {
    guard !value.isNaN, let key = column.encoded(value) else { return nil }
    return KeyRange(lower: [], upper: isIncluded ? KeyRange.successor(of: key) : key)
  }

  /// Where the numbers end.
  private var notANumber: [UInt8]? {
    switch column.kind {
    case .float, .double: column.encoded(.double(.nan))
    case .date: column.encoded(.date(.nan))
    case .decimal: column.encoded(.decimal(.nan))
    default: nil
    }
  }
}
