#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How values compare in conditions: numbers as IEEE has them, text by the bytes of its composed form, and nil or NaN with nothing.
enum ValueOrder {
  /// Below, at or above 0; nil when the two have no order.
  static func compare(_ a: StoredValue, _ b: StoredValue) -> Int? {
    switch (a, b) {
    case (.bool(let a), .bool(let b)): compare(a ? 1 : 0, b ? 1 : 0)
    case (.int(let a), .int(let b)): compare(a, b)
    case (.uint(let a), .uint(let b)): compare(a, b)
    case (.int(let a), .uint(let b)): a < 0 ? -1 : compare(UInt64(a), b)
    case (.uint(let a), .int(let b)): b < 0 ? 1 : compare(a, UInt64(b))
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): compare(a, b)
    case (.string(let a), .string(let b)): compare(bytes(a), bytes(b))
    case (.data(let a), .data(let b)): compare(a, b)
    case (.uuid(let a), .uuid(let b)): compare(bytes(a), bytes(b))
    case (.decimal(let a), .decimal(let b)): compare(a, b)
    default: numbers(a, b)
    }
  }

  /// Equality of conditions: nil equals nil.
  static func equal(_ a: StoredValue, _ b: StoredValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    default: compare(a, b) == 0
    }
  }

  static func holds(_ test: QueryComparison, _ a: StoredValue, _ b: StoredValue) -> Bool {
    switch test {
    case .equal: equal(a, b)
    case .notEqual: !equal(a, b)
    default: compare(a, b).map { holds(test, $0) } ?? false
    }
  }

  static func holds(_ test: QueryComparison, _ order: Int) -> Bool {
    switch test {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  private static func compare<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }
  private static func compare(_ a: Double, _ b: Double) -> Int? { a < b ? -1 : a == b ? 0 : a > b ? 1 : nil }
  private static func compare(_ a: Decimal, _ b: Decimal) -> Int? {
    if a.isNaN || b.isNaN { return nil }
    return a < b ? -1 : a == b ? 0 : 1
  }

  private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count - b.count
  }

  private static func bytes(_ text: String) -> [UInt8] { KeyCoding.normalizedUTF8(text) }
  private static func bytes(_ value: UUID) -> [UInt8] {
    var bytes: [UInt8] = []
    UUIDCoding.append(value, to: &bytes)
    return bytes
  }

  /// Numbers of different kinds.
  private static func numbers(_ a: StoredValue, _ b: StoredValue) -> Int? {
    if let a = decimal(a), let b = decimal(b) { return compare(a, b) }
    guard let a = double(a), let b = double(b) else { return nil }
    return compare(a, b)
  }

  private static func decimal(_ value: StoredValue) -> Decimal? {
    switch value {
    case .int(let value): Decimal(value)
    case .uint(let value): Decimal(value)
    case .decimal(let value): value
    default: nil
    }
  }

  private static func double(_ value: StoredValue) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): Double(value.description)
    default: nil
    }
  }
}
