import RawMemory

/// A type as the file describes it: enough to print its rows without the app's code.
package final class TypeSchema: Sendable {
  /// Names the type's trees; 0 for an embedded struct, which has none.
  package let typeID: UInt32
  package let name: String
  /// Every column there ever was, by id; `currentColumns` leaves out the removed ones.
  package let columns: [ColumnSchema]
  /// Never empty; new rows have the last one.
  package let layouts: [RowLayout]
  package let indexes: [IndexSchema]
  package let primaryKey: UInt16?
  /// Where each layout has its columns. Made once, here.
  package let geometries: [RowGeometry]
  /// By column: what a row has of its default; nil for nil.
  let defaults: [[UInt8]?]
  /// The columns of the current layout, in its order: their positions in `columns`, and where a new row has them.
  let current: [(position: Int, slot: FieldSlot)]
  let nextIndexID: UInt32
  /// Of the rows' keys and of each index's; nil for one that has a removed column.
  let rowLayout: KeyLayout
  let indexLayouts: [KeyLayout?]

  /// - Throws: ``RowError/damaged(reason:)`` when the parts contradict each other, as bytes of a file may.
  package init(
    typeID: UInt32, name: String, columns: [ColumnSchema], layouts: [RowLayout], indexes: [IndexSchema] = [],
    primaryKey: UInt16? = nil, nextIndexID: UInt32? = nil
  ) throws(RowError) {
    self.typeID = typeID
    self.name = name
    self.columns = columns
    self.layouts = layouts
    self.indexes = indexes
    self.primaryKey = primaryKey
    self.nextIndexID = nextIndexID ?? (indexes.map(\.id).max() ?? 0) + 1
    try Self.check(columns: columns, layouts: layouts, indexes: indexes, primaryKey: primaryKey)
    var geometries: [RowGeometry] = []
    for layout in layouts { geometries.append(try RowGeometry(layout, columns: columns)) }
    self.geometries = geometries
    let newest = geometries[geometries.count - 1]
    current = layouts[layouts.count - 1].columns.compactMap { column in
      Self.position(of: column.id, in: columns).map { ($0, newest.slot(at: $0)) }
    }
    var defaults: [[UInt8]?] = []
    for column in columns { defaults.append(try Self.bytes(ofDefault: column)) }
    self.defaults = defaults
    let keyColumn = primaryKey.flatMap { Self.position(of: $0, in: columns) }.map { columns[$0] }
    rowLayout = KeyLayout(columns: keyColumn.map { [KeyLayout.Column($0, isKey: true)] } ?? [], rowKeyByteCount: nil)
    let rowKeyByteCount = Self.rowKeyByteCount(keyColumn?.kind)
    indexLayouts = indexes.map { index in
      let indexed = index.columns.compactMap { Self.position(of: $0, in: columns) }.map { columns[$0] }
      if indexed.contains(where: \.isRemoved) { return nil }
      return KeyLayout(columns: indexed.map { KeyLayout.Column($0) }, rowKeyByteCount: rowKeyByteCount)
    }
  }

  /// The column of that name that isn't removed.
  package func column(named name: String) -> ColumnSchema? {
    columns.first { !$0.isRemoved && $0.name.hasSameBytes(as: name) }
  }
  /// Removed ones too.
  package func column(id: UInt16) -> ColumnSchema? { position(of: id).map { columns[$0] } }
  package var currentColumns: [ColumnSchema] { columns.filter { !$0.isRemoved } }
  package var currentLayout: RowLayout { layouts[layouts.count - 1] }
  package var primaryKeyColumn: ColumnSchema? { primaryKey.flatMap { column(id: $0) } }

  func position(of id: UInt16) -> Int? { Self.position(of: id, in: columns) }

  /// Columns are ordered by id.
  static func position(of id: UInt16, in columns: [ColumnSchema]) -> Int? {
    var low = 0
    var high = columns.count
    while low < high {
      let middle = (low + high) / 2
      if columns[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < columns.count && columns[low].id == id ? low : nil
  }
}

extension TypeSchema: Equatable {
  /// By content.
  package static func == (a: TypeSchema, b: TypeSchema) -> Bool {
    a === b
      || a.typeID == b.typeID && a.name.utf8.elementsEqual(b.name.utf8) && a.columns == b.columns && a.layouts == b.layouts
        && a.indexes == b.indexes && a.primaryKey == b.primaryKey && a.nextIndexID == b.nextIndexID
  }
}

extension String {
  /// Whether it is the same text byte by byte: canonical equality would call different names the same.
  func hasSameBytes(as other: String) -> Bool {
    let (bytes, others) = (utf8Span.span, other.utf8Span.span)
    return bytes.equals(others)
  }
}
