#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Averages values. nil counts for nothing; of nothing there is no average.
///
/// Integers are summed in 128 bits: no number of rows that fits a file overflows them.
package struct AverageAccumulator: Sendable {
  private var count: UInt64 = 0
  private var integer: Int128 = 0
  private var double = 0.0
  private var decimal: Decimal = 0
  private let isDecimal: Bool

  package init(kind: ColumnKind) { isDecimal = kind == .decimal }

  package mutating func add(_ value: StoredValue) {
    switch value {
    case .int(let value): integer += Int128(value)
    case .uint(let value): integer += Int128(value)
    case .double(let value): double += value
    case .decimal(let value): decimal += value
    default: return
    }
    count += 1
  }

  /// A Decimal of decimals, else a Double.
  package var result: StoredValue {
    if count == 0 { return .null }
    if isDecimal { return .decimal(decimal / Decimal(count)) }
    return .double((Double(integer) + double) / Double(count))
  }

  /// Of the average of such values.
  package static func resultKind(of kind: ColumnKind) -> ColumnKind { kind == .decimal ? .decimal : .double }
}
