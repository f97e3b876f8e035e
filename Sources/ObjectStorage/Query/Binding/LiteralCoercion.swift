#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A literal in the kind of the operand that it is compared with.
enum CoercedLiteral: Sendable, Equatable {
  case value(StoredValue)
  /// An integer that every value of the kind is above, or below.
  case below, above
  case mismatch

  init(_ literal: StoredValue, _ kind: ColumnKind) {
    switch (kind, literal) {
    case (_, .null), (.bool, .bool), (.string, .string), (.data, .data), (.uuid, .uuid), (.decimal, .decimal), (.date, .date),
      (.double, .double):
      self = .value(literal)
    case (.int8, _), (.int16, _), (.int32, _), (.int64, _): self = Self.signed(literal)
    case (.uint8, _), (.uint16, _), (.uint32, _), (.uint64, _): self = Self.unsigned(literal)
    case (.float, _): self = Self.real(literal).map { .value(.double(Self.single($0))) } ?? .mismatch
    case (.double, _): self = Self.real(literal).map { .value(.double($0)) } ?? .mismatch
    case (.decimal, _): self = Self.decimal(literal).map { .value(.decimal($0)) } ?? .mismatch
    case (.uuid, .string(let text)): self = UUID(uuidString: text).map { .value(.uuid($0)) } ?? .mismatch
    default: self = .mismatch
    }
  }

  private static func signed(_ literal: StoredValue) -> CoercedLiteral {
    switch literal {
    case .int: .value(literal)
    case .uint(let value): Int64(exactly: value).map { .value(.int($0)) } ?? .above
    case .double(let value): Int64(exactly: value).map { .value(.int($0)) } ?? .mismatch
    default: .mismatch
    }
  }

  private static func unsigned(_ literal: StoredValue) -> CoercedLiteral {
    switch literal {
    case .uint: .value(literal)
    case .int(let value): value < 0 ? .below : .value(.uint(UInt64(value)))
    case .double(let value): UInt64(exactly: value).map { .value(.uint($0)) } ?? .mismatch
    default: .mismatch
    }
  }

  private static func real(_ literal: StoredValue) -> Double? {
    switch literal {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): Double(value.description)
    default: nil
    }
  }

  /// What the literal is as a Float: `0.1` in a text means the Float nearest to it. What no Float is near stays.
  private static func single(_ value: Double) -> Double {
    let single = Double(Float(value))
    return single.isInfinite != value.isInfinite || single.isZero != value.isZero ? value : single
  }

  /// A Double by its shortest text, which is what was written.
  private static func decimal(_ literal: StoredValue) -> Decimal? {
    switch literal {
    case .int(let value): Decimal(value)
    case .uint(let value): Decimal(value)
    case .double(let value): value.isNaN ? .nan : Decimal(string: value.description)
    default: nil
    }
  }
}

extension StoredValue {
  /// For messages.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "Bool"
    case .int, .uint: "an integer"
    case .double: "a number"
    case .decimal: "Decimal"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .list, .map, .object: "a collection or a struct"
    }
  }
}
