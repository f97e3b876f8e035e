import RawMemory

/// Proves that a row's bytes fit its layout, embedded structs and collections included, so that reading it later can't fail.
package enum RowCheck {
  /// - Returns: the position of the row's layout in the schema.
  /// - Complexity: O(columns), and O(elements) for collections of what has no fixed width.
  @discardableResult
  package static func check(_ row: RawSpan, schema: TypeSchema) throws(RowError) -> Int {
    let layout = try schema.layoutPosition(of: row)
    let geometry = schema.geometries[layout]
    let width = row.load(UInt16.self, at: 0) & RowGeometry.wideMask != 0 ? 4 : 2
    let base = geometry.fixedByteCount + geometry.variableCount * width
    guard row.byteCount >= base else { throw .damaged(reason: .tooShort) }
    var end = 0
    for index in 0..<geometry.variableCount {
      let at = geometry.fixedByteCount + index * width
      let next = width == 4 ? Int(row.load(UInt32.self, at: at)) : Int(row.load(UInt16.self, at: at))
      guard next >= end else { throw .damaged(reason: .offsets) }
      end = next
    }
    guard base + end == row.byteCount else { throw .damaged(reason: .offsets) }
    for (position, slot) in geometry.containers {
      guard case .variable(let range) = try slot.field(in: row) else { continue }
      try check(row, range, ValueShape(schema.columns[position]))
    }
    return layout
  }

  private static func check(_ bytes: RawSpan, _ range: Range<Int>, _ shape: ValueShape) throws(RowError) {
    switch shape.kind {
    case .embedded:
      guard let fields = shape.fields else { throw .damaged(reason: .schema) }
      try check(bytes.extracting(range), schema: fields)
    case .list, .set:
      let table = try ElementTable(bytes, range, kind: shape.element ?? shape.kind, isOptional: shape.isElementOptional)
      try check(bytes, table, shape.elementShape)
    case .map:
      let tables = try ElementTable.map(bytes, range, kind: shape.element ?? shape.kind, isOptional: shape.isElementOptional)
      try check(bytes, tables.keys, ValueShape(kind: .string))
      try check(bytes, tables.values, shape.elementShape)
    case .link: throw .damaged(reason: .value)
    default: break
    }
  }

  private static func check(_ bytes: RawSpan, _ table: ElementTable, _ shape: ValueShape) throws(RowError) {
    if shape.kind.fixedByteCount != nil { return }
    for index in 0..<table.count {
      if case .variable(let range) = try table.field(at: index, in: bytes) { try check(bytes, range, shape) }
    }
  }
}
