import RawMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Whether a value is one of many, found by its key's bytes.
final class MembershipTest: ValueTest {
  let shape: ValueShape?
  private let keys: Set<[UInt8]>
  private let integers: Set<Int64>
  private let kind: ColumnKind
  private let hasNull: Bool

  /// - Parameter values: of the kind, or nil. A NaN is no member.
  init(_ values: [StoredValue], kind: ColumnKind, shape: ValueShape?) {
    var keys: Set<[UInt8]> = []
    var integers: Set<Int64> = []
    for value in values {
      if case .int(let value) = value { integers.insert(value) }
      if !value.isNaN, let key = Self.key(value, kind) { keys.insert(key) }
    }
    self.keys = keys
    self.integers = integers
    self.kind = kind
    hasNull = values.contains(.null)
    self.shape = shape
  }

  var nullResult: Bool { hasNull }

  func holds(_ value: StoredValue) -> Bool {
    switch value {
    case .null: hasNull
    case .int(let value): integers.contains(value)
    default: !value.isNaN && (Self.key(value, kind).map(keys.contains) ?? false)
    }
  }

  func holds(_ bytes: RawSpan, at offset: Int) throws(RowError) -> Bool {
    if kind == .int64 { return integers.contains(bytes.load(Int64.self, at: offset)) }
    return holds(try value(.fixed(offset), in: bytes))
  }

  private static func key(_ value: StoredValue, _ kind: ColumnKind) -> [UInt8]? {
    var key: [UInt8] = []
    return KeyCoding.append(value, kind: kind, isOptional: false, to: &key) ? key : nil
  }
}

extension StoredValue {
  /// A number that equals nothing.
  var isNaN: Bool {
    switch self {
    case .double(let value), .date(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }
}
