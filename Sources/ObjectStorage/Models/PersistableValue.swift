public import RawMemory

/// What a property can hold. Conform through `PersistableEnum`, `EmbeddedObject` or `StorageObject`, not directly.
public protocol PersistableValue: Sendable {
  /// Not part of the API: the value of a property without a default.
  static var _placeholder: Self { get }
  /// Not part of the API: what the column of such a property is.
  static var _columnType: _ColumnType { get }
  /// Not part of the API: what a nil in the row is read as, if it can be.
  static var _null: Self? { get }
  /// Not part of the API: whether it is stored as nil.
  var _isNull: Bool { get }
  /// Not part of the API: the value without its Swift type.
  var _stored: _Stored { get }
  /// Not part of the API: the inverse of `_stored`; nil when the value isn't one of this type.
  static func _make(_ stored: _Stored) -> Self?
  /// Not part of the API: appends the bytes that a row has. `_isNull` is false.
  func _append(to bytes: inout [UInt8], _ fields: _RowMapping?)
  /// Not part of the API: appends a value that was changed in place, with the unknown raw values of what it was made from, where it can't
  /// hold them itself.
  func _append(to bytes: inout [UInt8], _ fields: _RowMapping?, keepingUnknownOf old: HeapBytes, _ range: Range<Int>)
  /// Not part of the API: the value that these bytes of a checked row are; nil for an enum's unknown raw value.
  static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Self?
  /// Not part of the API: false for an enum's unknown raw value.
  static func _isKnown(_ bytes: HeapBytes, _ range: Range<Int>) -> Bool
  /// Not part of the API: a few different values, to tell which property a key path reads.
  static var _samples: [Self] { get }
}

extension PersistableValue {
  /// Not part of the API.
  @inlinable public static var _null: Self? { nil }
  /// Not part of the API.
  @inlinable public var _isNull: Bool { false }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?, keepingUnknownOf old: HeapBytes, _ range: Range<Int>) {
    _append(to: &bytes, fields)
  }
  /// Not part of the API.
  public static func _isKnown(_ bytes: HeapBytes, _ range: Range<Int>) -> Bool { true }
  /// Not part of the API.
  public static var _samples: [Self] { _columnType.kind.samples.compactMap { _make(_Stored($0)) } }

  /// The value without its Swift type.
  package var storedValue: StoredValue { _stored.value }
  /// nil when the value isn't one of this type: an integer out of range, say.
  package init?(stored: StoredValue) {
    guard let value = Self._make(_Stored(stored)) else { return nil }
    self = value
  }
  package static var columnKind: ColumnKind { _columnType.kind }
}

/// Not part of the API: what a column is for a type of the code.
public struct _ColumnType: Sendable {
  package let kind: ColumnKind
  package let isOptional: Bool
  package let element: ColumnKind?
  package let isElementOptional: Bool
  /// Of an embedded struct or a link, or of a collection of them.
  package let fields: (any StorageFields.Type)?

  package init(
    _ kind: ColumnKind, isOptional: Bool = false, element: ColumnKind? = nil, isElementOptional: Bool = false,
    fields: (any StorageFields.Type)? = nil
  ) {
    self.kind = kind
    self.isOptional = isOptional
    self.element = element
    self.isElementOptional = isElementOptional
    self.fields = fields
  }
}

/// Not part of the API: a value without its Swift type.
public struct _Stored: Sendable {
  package let value: StoredValue

  package init(_ value: StoredValue) { self.value = value }
}
