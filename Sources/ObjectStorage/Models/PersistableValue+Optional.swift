public import RawMemory

extension Optional: PersistableValue where Wrapped: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Self { nil }
  /// Not part of the API.
  public static var _columnType: _ColumnType {
    let type = Wrapped._columnType
    return _ColumnType(
      type.kind, isOptional: true, element: type.element, isElementOptional: type.isElementOptional, fields: type.fields)
  }
  /// Not part of the API.
  @inlinable public static var _null: Self? { .some(nil) }
  /// Not part of the API.
  @inlinable public var _isNull: Bool { if let self { self._isNull } else { true } }
  /// Not part of the API.
  public var _stored: _Stored { self?._stored ?? _Stored(.null) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Self? {
    if stored.value == .null { return .some(nil) }
    guard let value = Wrapped._make(stored) else { return nil }
    return .some(value)
  }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { self?._append(to: &bytes, fields) }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?, keepingUnknownOf old: HeapBytes, _ range: Range<Int>) {
    self?._append(to: &bytes, fields, keepingUnknownOf: old, range)
  }
  /// Not part of the API: an enum's unknown raw value is nil here.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Self? {
    .some(Wrapped._decode(bytes, range, fields))
  }
  /// Not part of the API.
  public static func _isKnown(_ bytes: HeapBytes, _ range: Range<Int>) -> Bool { Wrapped._isKnown(bytes, range) }
  /// Not part of the API.
  public static var _samples: [Self] { [nil] + Wrapped._samples.map { $0 } }
}
