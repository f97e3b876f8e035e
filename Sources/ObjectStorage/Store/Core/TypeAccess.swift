#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import RawMemory

/// A type of the file with what reading and writing its rows needs, worked out once a schema.
package final class TypeAccess: Sendable {
  package let schema: TypeSchema
  package let rowsName: String
  package let indexes: [IndexAccess]
  /// nil for a type that the code doesn't list.
  let mapping: RowMapping?

  package init(_ schema: TypeSchema, model: ModelDescription?) {
    self.schema = schema
    rowsName = TreeName.rows(schema.typeID)
    indexes = schema.indexes.filter { index in index.columns.allSatisfy { schema.column(id: $0).map { !$0.isRemoved } ?? false } }
      .map { IndexAccess($0, schema) }
    mapping = model.map { RowMapping(model: $0, schema: schema) }
  }

  package var name: String { schema.name }

  /// The key of a row with a primary key's value. - Returns: nil when it isn't of the key's type.
  package func key(_ id: StoredValue) -> [UInt8]? {
    guard let kind = schema.rowLayout.columns.first?.kind else { return nil }
    var key: [UInt8] = []
    return KeyCoding.append(id, kind: kind, isOptional: false, to: &key) ? key : nil
  }
}

extension TypeAccess {
  /// The tree of an index of the type.
  func treeName(_ index: IndexSchema) -> String {
    for access in indexes where access.schema.id == index.id { return access.treeName }
    return TreeName.index(schema.typeID, index.id)
  }
}

/// An index of a type.
package final class IndexAccess: Sendable {
  package let schema: IndexSchema
  package let treeName: String
  package let layout: KeyLayout
  private let columns: [ColumnAccess]
  /// Of most entries without the row's key: what to reserve.
  var byteCountUsual: Int { columns.count * 32 }

  init(_ index: IndexSchema, _ type: TypeSchema) {
    schema = index
    treeName = TreeName.index(type.typeID, index.id)
    columns = index.columns.map { ColumnAccess(type, column: $0) }
    layout = KeyLayout(columns: columns.map { KeyLayout.Column($0.column) }, rowKeyByteCount: type.rowKeyByteCount)
  }

  /// Appends what a row has in the index's columns. - Returns: whether any of it is nil.
  func appendColumns(of row: RawSpan, to key: inout [UInt8]) throws(RowError) -> Bool {
    var hasNil = false
    for column in columns { if try column.appendKey(of: row, to: &key) { hasNil = true } }
    return hasNil
  }

  /// What each property takes of an entry.
  func parts(of row: RawSpan) throws(RowError) -> [(property: String, byteCount: Int)] {
    var parts: [(property: String, byteCount: Int)] = []
    for column in columns {
      var key: [UInt8] = []
      _ = try column.appendKey(of: row, to: &key)
      parts.append((column.column.name, key.count))
    }
    return parts
  }

  /// The columns' values of a row, for people.
  func values(of row: RawSpan) throws(RowError) -> [String] {
    var values: [String] = []
    for column in columns { values.append(try column.value(in: row).text) }
    return values
  }

  var properties: String { columns.map(\.column.name).joined(separator: ", ") }
}

extension StoredValue {
  /// For messages.
  package var text: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): value
    case .data(let value): "\(value.count) bytes"
    case .date(let value): "\(value)"
    case .uuid(let value): value.uuidString
    case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .map(let entries), .object(let entries): "{" + entries.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ") + "}"
    }
  }
}
