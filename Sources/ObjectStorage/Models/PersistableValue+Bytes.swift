public import RawMemory

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension String: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: String { "" }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.string) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.string(self)) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> String? { if case .string(let value) = stored.value { value } else { nil } }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(contentsOf: utf8) }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> String? {
    bytes.withBytes { $0.extracting(range).decodedString() }
  }
}

extension Data: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: Data { Data() }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.data) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.data([UInt8](self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Data? { if case .data(let value) = stored.value { Data(value) } else { nil } }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(contentsOf: self) }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Data? {
    Data(bytes.withBytes { $0.extracting(range).copied() })
  }
}

extension Date: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.date) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.date(timeIntervalSinceReferenceDate)) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Date? {
    if case .date(let value) = stored.value { Date(timeIntervalSinceReferenceDate: value) } else { nil }
  }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) {
    bytes.append(littleEndian: timeIntervalSinceReferenceDate.bitPattern)
  }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Date? {
    let bits = bytes.load(UInt64.self, at: range.lowerBound)
    return Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
  }
}

extension UUID: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.uuid) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.uuid(self)) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> UUID? { if case .uuid(let value) = stored.value { value } else { nil } }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { UUIDCoding.append(self, to: &bytes) }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> UUID? {
    bytes.withBytes { UUIDCoding.decode($0, at: range.lowerBound) }
  }
}
