/// The engine's trees that hold a store.
package enum TreeName {
  /// Keys: `version`, `type/` and a type's name, `nextType`.
  package static let schema = "schema"
  /// The next number of a row, for types without a primary key: apart from the schema, which changes seldom and is kept in memory.
  package static let rowNumbers = "rowNumbers"
  /// Bytes to bytes, for promotion; commits with the objects.
  package static let ledger = "ledger"
  /// The rows of a type by their keys.
  package static func rows(_ type: UInt32) -> String { "rows/\(type)" }
  /// An index: its columns and the row's key; no values.
  package static func index(_ type: UInt32, _ index: UInt32) -> String { "index/\(type)/\(index)" }

  static let version = Array("version".utf8)
  static let nextType = Array("nextType".utf8)
  static let typePrefix = Array("type/".utf8)
  static func type(_ name: String) -> [UInt8] { typePrefix + Array(name.utf8) }
  static func nextRow(_ type: UInt32) -> [UInt8] { bytes(UInt64(type)) }
}
