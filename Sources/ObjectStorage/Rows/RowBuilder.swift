import RawMemory

/// Makes a row of a type's current layout, column after column in the layout's order, in one array.
///
/// Until it is finished the ends have 4 bytes each; they are made narrow when the variable part turns out to be small, as nearly always.
struct RowBuilder {
  private let schema: TypeSchema
  private let geometry: RowGeometry
  private var row: [UInt8]
  private var endCount = 0

  init(_ schema: TypeSchema) {
    self.schema = schema
    geometry = schema.geometries[schema.geometries.count - 1]
    let start = geometry.fixedByteCount + geometry.variableCount * 4
    row = []
    row.reserveCapacity(start + 192)
    row.append(contentsOf: repeatElement(0, count: start))
  }

  private var variableStart: Int { geometry.fixedByteCount + geometry.variableCount * 4 }

  /// A nil in a column that can't be nil is the column's default.
  /// - Parameters:
  ///   - position: of the column, the next one of the layout.
  ///   - slot: where a new row has it.
  ///   - value: appends the value's bytes; returns false for nil, when nothing is appended.
  mutating func append(_ position: Int, _ slot: FieldSlot, _ value: (inout [UInt8]) -> Bool) {
    let start = row.count
    if value(&row) {
      place(slot, from: start)
    } else {
      appendNil(position, slot)
    }
  }

  /// The column's default.
  mutating func append(_ position: Int, _ slot: FieldSlot, default schema: TypeSchema) {
    append(position, slot) { bytes in
      guard let value = schema.defaults[position] else { return false }
      bytes.append(contentsOf: value)
      return true
    }
  }

  /// Bytes of another row of the type.
  mutating func append(_ slot: FieldSlot, copying value: RawSpan) {
    let start = row.count
    row.append(copying: value)
    place(slot, from: start)
  }

  /// A value's bytes stand at the end of the row: where those of a variable column belong.
  private mutating func place(_ slot: FieldSlot, from start: Int) {
    if slot.form == .variable { return endVariable() }
    let offset = Int(slot.offset)
    for index in start..<row.count { row[offset + index - start] = row[index] }
    row.removeLast(row.count - start)
  }

  private mutating func endVariable() {
    row.store(littleEndian: UInt32(clamping: row.count - variableStart), at: geometry.fixedByteCount + endCount * 4)
    endCount += 1
  }

  private mutating func appendNil(_ position: Int, _ slot: FieldSlot) {
    if slot.nullMask != 0 {
      row[Int(slot.nullByte)] |= slot.nullMask
    } else if let value = schema.defaults[position] {
      if slot.form == .variable { row.append(contentsOf: value) } else { row.store(value, at: Int(slot.offset)) }
    }
    if slot.form == .variable { endVariable() }
  }

  private var isWide: Bool { row.count - variableStart > Int(UInt16.max) }

  /// Of the finished row.
  var byteCount: Int { isWide ? row.count : row.count - geometry.variableCount * 2 }

  /// The row. Nothing is appended after it.
  mutating func finish() -> [UInt8] {
    row.store(littleEndian: geometry.layoutID | (isWide ? RowGeometry.wideMask : 0), at: 0)
    if isWide { return row }
    let (start, count) = (geometry.fixedByteCount, geometry.variableCount)
    for index in 0..<count {
      row[start + index * 2] = row[start + index * 4]
      row[start + index * 2 + 1] = row[start + index * 4 + 1]
    }
    row.removeSubrange(start + count * 2..<start + count * 4)
    return row
  }

  /// The name and the bytes of the longest value: what can be made smaller when a row is too large. Of a row that isn't finished.
  var longest: (property: String, byteCount: Int) {
    var longest = (property: "", byteCount: 0)
    var start = 0
    for (index, column) in schema.current.filter({ $0.slot.form == .variable }).prefix(endCount).enumerated() {
      let end = Int(row.span.raw.load(UInt32.self, at: geometry.fixedByteCount + index * 4))
      if end - start >= longest.byteCount { longest = (schema.columns[column.position].name, end - start) }
      start = end
    }
    return longest
  }
}
