import RawMemory

/// Reads one column of a type's rows in place, whatever layout they have.
package final class ColumnAccess: Sendable {
  package let column: ColumnSchema
  package let shape: ValueShape
  private let schema: TypeSchema
  /// By position in `TypeSchema.layouts`.
  private let slots: [FieldSlot]
  /// Of the current layout, which most rows have.
  private let newestID: UInt16
  private let newest: FieldSlot

  /// - Parameter column: the id of one of the schema's columns.
  package init(_ schema: TypeSchema, column id: UInt16) {
    guard let position = schema.position(of: id) else { preconditionFailure("not a column of the type") }
    column = schema.columns[position]
    shape = ValueShape(schema.columns[position])
    self.schema = schema
    slots = schema.geometries.map { $0.slot(at: position) }
    newestID = schema.currentLayout.id
    newest = slots[slots.count - 1]
  }

  package var kind: ColumnKind { column.kind }

  /// Where the row has the column. - Throws: when the row is damaged.
  package func field(in row: RawSpan) throws(RowError) -> RowField {
    if row.byteCount >= 2, row.load(UInt16.self, at: 0) & ~RowGeometry.wideMask == newestID { return try newest.field(in: row) }
    return try slots[try schema.layoutPosition(of: row)].field(in: row)
  }

  /// The row's value; the column's default for `.absent`.
  package func value(in row: RawSpan) throws(RowError) -> StoredValue {
    let field = try field(in: row)
    return field == .absent ? column.defaultValue : try shape.value(field, in: row)
  }

  /// Appends the row's value in the form of keys. - Returns: whether it is nil.
  func appendKey(of row: RawSpan, to key: inout [UInt8]) throws(RowError) -> Bool {
    // Most indexed text is ASCII, which is its own key: it needn't become a String.
    if kind == .string, case .variable(let range) = try field(in: row), range.lowerBound >= 0, range.upperBound <= row.byteCount {
      let text = row.extracting(range)
      if text.isASCIIWithoutZero {
        KeyCoding.append(plain: text, isOptional: column.isOptional, to: &key)
        return false
      }
    }
    let value = try value(in: row)
    KeyCoding.append(value, kind: kind, isOptional: column.isOptional, to: &key)
    if case .null = value { return true }
    return false
  }
}
