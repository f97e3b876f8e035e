public import RawMemory

// The fixed-width integers, little-endian in a row. Int and UInt are 64 bits wide there on every platform.

extension Int: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Int { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.int64) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.int(Int64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Int? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: Int64(self)) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Int? {
    Int(truncatingIfNeeded: bytes.load(Int64.self, at: range.lowerBound))
  }
}

extension Int8: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Int8 { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.int8) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.int(Int64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Int8? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: self) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Int8? {
    bytes.load(Int8.self, at: range.lowerBound)
  }
}

extension Int16: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Int16 { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.int16) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.int(Int64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Int16? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: self) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Int16? {
    bytes.load(Int16.self, at: range.lowerBound)
  }
}

extension Int32: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Int32 { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.int32) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.int(Int64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Int32? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: self) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Int32? {
    bytes.load(Int32.self, at: range.lowerBound)
  }
}

extension Int64: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: Int64 { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.int64) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.int(Int64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Int64? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: self) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Int64? {
    bytes.load(Int64.self, at: range.lowerBound)
  }
}

extension UInt: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: UInt { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.uint64) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.uint(UInt64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> UInt? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: UInt64(self)) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> UInt? {
    UInt(truncatingIfNeeded: bytes.load(UInt64.self, at: range.lowerBound))
  }
}

extension UInt8: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: UInt8 { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.uint8) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.uint(UInt64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> UInt8? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: self) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> UInt8? {
    bytes.load(UInt8.self, at: range.lowerBound)
  }
}

extension UInt16: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: UInt16 { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.uint16) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.uint(UInt64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> UInt16? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: self) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> UInt16? {
    bytes.load(UInt16.self, at: range.lowerBound)
  }
}

extension UInt32: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: UInt32 { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.uint32) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.uint(UInt64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> UInt32? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: self) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> UInt32? {
    bytes.load(UInt32.self, at: range.lowerBound)
  }
}

extension UInt64: PersistableValue {
  /// Not part of the API.
  @inlinable public static var _placeholder: UInt64 { 0 }
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.uint64) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.uint(UInt64(self))) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> UInt64? { stored.value.integer() }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { bytes.append(littleEndian: self) }
  /// Not part of the API.
  @inlinable public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> UInt64? {
    bytes.load(UInt64.self, at: range.lowerBound)
  }
}
