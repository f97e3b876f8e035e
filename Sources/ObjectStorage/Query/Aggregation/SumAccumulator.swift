#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Adds values up. nil counts for nothing; of nothing the sum is 0.
package struct SumAccumulator: Sendable {
  private enum Total: Sendable { case int(Int64), uint(UInt64), double(Double), decimal(Decimal) }
  private var total: Total
  private let part: String

  /// - Parameter part: what is summed, for the error.
  package init(kind: ColumnKind, part: String) {
    self.part = part
    switch kind {
    case .int8, .int16, .int32, .int64: total = .int(0)
    case .uint8, .uint16, .uint32, .uint64: total = .uint(0)
    case .decimal: total = .decimal(0)
    default: total = .double(0)
    }
  }

  /// - Throws: ``QueryError/overflow(part:)`` when integers leave the range of 64 bits.
  package mutating func add(_ value: StoredValue) throws(QueryError) {
    switch (total, value) {
    case (.int(let a), .int(let b)): total = .int(try checked(a.addingReportingOverflow(b)))
    case (.uint(let a), .uint(let b)): total = .uint(try checked(a.addingReportingOverflow(b)))
    case (.double(let a), .double(let b)): total = .double(a + b)
    case (.decimal(let a), .decimal(let b)): total = .decimal(a + b)
    default: break
    }
  }

  private func checked<T>(_ sum: (partialValue: T, overflow: Bool)) throws(QueryError) -> T {
    if sum.overflow { throw .overflow(part: part) }
    return sum.partialValue
  }

  package var result: StoredValue {
    switch total {
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    }
  }

  /// Of the sum of such values.
  package static func resultKind(of kind: ColumnKind) -> ColumnKind {
    switch kind {
    case .int8, .int16, .int32, .int64: .int64
    case .uint8, .uint16, .uint32, .uint64: .uint64
    case .decimal: .decimal
    default: .double
    }
  }
}
