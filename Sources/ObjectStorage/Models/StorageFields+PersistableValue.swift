public import RawMemory

extension StorageFields {
  /// Not part of the API.
  public static var _placeholder: Self { Self() }
  /// Not part of the API: of another model, a link.
  public static var _columnType: _ColumnType { _ColumnType(.link, fields: Self.self) }
  /// Not part of the API: the properties by name; nil for a type that discovery refuses.
  public var _stored: _Stored {
    guard let model = try? ModelDescription.of(Self.self) else { return _Stored(.null) }
    let values = model.storedValues(of: self)
    return _Stored(.object(zip(model.properties, values).map { StoredValue.Entry($0.name, $1) }))
  }
  /// Not part of the API: properties that aren't named have their defaults.
  public static func _make(_ stored: _Stored) -> Self? {
    guard case .object(let entries) = stored.value, let model = try? ModelDescription.of(Self.self) else { return nil }
    var object = Self()
    for entry in entries {
      guard let property = model.propertyIndex(named: entry.name), model.assign(entry.value, to: property, of: &object) else {
        return nil
      }
    }
    return object
  }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) {
    guard let fields else { return }
    RowWriter(fields).appendEmbedded(self, to: &bytes)
  }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Self? {
    guard let fields, let row = Row(embedded: bytes, range, mapping: fields) else { return nil }
    return fields.model.materialize(Self.self, row: row)
  }
  /// Not part of the API.
  public static var _samples: [Self] { [Self()] }
}

extension EmbeddedObject {
  /// Not part of the API.
  public static var _columnType: _ColumnType { _ColumnType(.embedded, fields: Self.self) }
}
