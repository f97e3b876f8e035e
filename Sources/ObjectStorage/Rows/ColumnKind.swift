/// What a column holds. The raw values are part of the format.
///
/// Int is `int64`, UInt is `uint64`.
package enum ColumnKind: UInt8, Sendable, CaseIterable {
  case bool = 1
  case int8, int16, int32, int64
  case uint8, uint16, uint32, uint64
  case float, double, decimal
  case string, data
  case date, uuid
  case embedded, list, set, map, link
}

extension ColumnKind {
  /// Bytes in a row's fixed-width section; nil for what is stored behind it.
  package var fixedByteCount: Int? {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16, .uint16: 2
    case .int32, .uint32, .float: 4
    case .int64, .uint64, .double, .date: 8
    case .uuid: 16
    case .decimal: DecimalCoding.byteCount
    case .string, .data, .embedded, .list, .set, .map, .link: nil
    }
  }

  /// Whether it is one value with an order, so that it can be a key or part of one.
  package var isOrdered: Bool {
    switch self {
    case .embedded, .list, .set, .map, .link: false
    default: true
    }
  }

  /// The name of the type in Swift, for people.
  package var swiftName: String {
    switch self {
    case .bool: "Bool"
    case .int8: "Int8"
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int"
    case .uint8: "UInt8"
    case .uint16: "UInt16"
    case .uint32: "UInt32"
    case .uint64: "UInt"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .embedded: "EmbeddedObject"
    case .list: "List"
    case .set: "Set"
    case .map: "Map"
    case .link: "StorageObject"
    }
  }
}
