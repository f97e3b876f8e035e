public import RawMemory

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Bool: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Bool { false }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.bool) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.bool(self)) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Bool? { if case .bool(let value) = stored.value { value } else { nil } }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(self ? 1 : 0) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Bool? {
    bytes.load(UInt8.self, at: range.lowerBound) != 0
  }
}

extension Float: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Float { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.float) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.double(widened)) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Float? {
    // A number that a Float can't hold exactly would come back as another one.
    stored.value.number.flatMap { Float(narrowing: $0) }
  }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: bitPattern) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Float? {
    Float(bitPattern: bytes.load(UInt32.self, at: range.lowerBound))
  }
}

extension Double: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Double { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.double) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.double(self)) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Double? { stored.value.number }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: bitPattern) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Double? {
    Double(bitPattern: bytes.load(UInt64.self, at: range.lowerBound))
  }
}

extension Decimal: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: Decimal { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.decimal) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.decimal(self)) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Decimal? {
    switch stored.value {
    case .decimal(let value): value
    case .int(let value): Decimal(value)
    case .uint(let value): Decimal(value)
    default: nil
    }
  }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { DecimalCoding.append(self, to: &bytes) }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Decimal? {
    bytes.withBytes { DecimalCoding.decode($0, at: range.lowerBound) }
  }
}
