public import RawMemory

/// An enum stored as its raw value: `enum Status: String, PersistableEnum { case draft, sent }`.
///
/// A raw value that this build doesn't know (a newer one wrote it) reads as the property's declared default, nil for an
/// optional; the stored raw value stays until the property is assigned, and `object.$status.hasUnknownRawValue` tells.
/// Queries compare raw values, so `!= .sent` is true for it. Sorting is by raw value.
public protocol PersistableEnum: StorageComparable, RawRepresentable, CaseIterable
where RawValue: StorageComparable, StorageUnwrapped == Self {}

extension PersistableEnum {
  /// The first case: what `@Persisted var status: Status` holds without a default.
  public static var _placeholder: Self {
    guard let first = allCases.first else { preconditionFailure("a persisted enum needs a case") }
    return first
  }
  /// Not part of the API.
  public static var _columnType: _ColumnType { RawValue._columnType }
  /// Not part of the API.
  public var _isNull: Bool { rawValue._isNull }
  /// Not part of the API.
  public var _stored: _Stored { rawValue._stored }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Self? { RawValue._make(stored).flatMap { Self(rawValue: $0) } }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { rawValue._append(to: &bytes, fields) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Self? {
    RawValue._decode(bytes, range, fields).flatMap { Self(rawValue: $0) }
  }
  /// Not part of the API.
  public static func _isKnown(_ bytes: HeapBytes, _ range: Range<Int>) -> Bool { _decode(bytes, range, nil) != nil }
  /// Not part of the API.
  public static var _samples: [Self] { Array(allCases.prefix(2)) }
}
