import RawMemory

/// A column of a row, or of an embedded struct in it, however deep.
struct ColumnPath: Sendable {
  /// The embedded structs on the way, from the row inwards.
  let outer: [ColumnAccess]
  let leaf: ColumnAccess
  /// Whether it can be nil: it, or a struct on the way.
  let isOptional: Bool

  init(outer: [ColumnAccess] = [], leaf: ColumnAccess) {
    self.outer = outer
    self.leaf = leaf
    isOptional = leaf.column.isOptional || outer.contains { $0.column.isOptional }
  }

  /// The column itself, when it is one of the row's own.
  var columnID: UInt16? { outer.isEmpty ? leaf.column.id : nil }
  /// The row's own column that it is in.
  var rootColumnID: UInt16 { (outer.first ?? leaf).column.id }
  var kind: ColumnKind { leaf.kind }

  /// The value; nil on the way gives nil.
  func value(in row: RawSpan) throws(EvaluationError) -> StoredValue {
    do throws(RowError) {
      return try value(in: row, from: 0)
    } catch {
      throw .row(error)
    }
  }

  private func value(in row: RawSpan, from depth: Int) throws(RowError) -> StoredValue {
    if depth == outer.count { return try leaf.value(in: row) }
    switch try outer[depth].field(in: row) {
    case .variable(let range): return try value(in: row.extracting(range), from: depth + 1)
    case .absent: return defaultValue(from: depth)
    case .null, .fixed: return .null
    }
  }

  /// What the default of the struct at `depth` says of the column.
  func defaultValue(from depth: Int) -> StoredValue {
    if depth == outer.count { return leaf.column.defaultValue }
    var value = outer[depth].column.defaultValue
    for access in outer.dropFirst(depth + 1) { value = value.field(access.column.name) }
    return value.field(leaf.column.name)
  }
}

extension StoredValue {
  /// A property of an embedded struct; nil of what has none of that name.
  func field(_ name: String) -> StoredValue {
    guard case .object(let entries) = self else { return .null }
    return entries.first { $0.name.utf8.elementsEqual(name.utf8) }?.value ?? .null
  }

  /// The value under a key of a map.
  func mapValue(_ key: String) -> StoredValue {
    guard case .map(let entries) = self else { return .null }
    return entries.first { $0.name.utf8.elementsEqual(key.utf8) }?.value ?? .null
  }

  /// The elements of a list or a set; none of anything else.
  var elements: [StoredValue] { if case .list(let values) = self { values } else { [] } }
}
