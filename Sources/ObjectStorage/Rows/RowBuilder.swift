import RawMemory

/// Makes a row of a type's current layout, column after column in the layout's order.
struct RowBuilder {
  private let schema: TypeSchema
  private let geometry: RowGeometry
  private var fixed: [UInt8]
  private var ends: [Int] = []
  private var variable: [UInt8] = []
  /// Of one fixed-width value.
  private var scratch: [UInt8] = []

  init(_ schema: TypeSchema) {
    self.schema = schema
    geometry = schema.geometries[schema.geometries.count - 1]
    fixed = [UInt8](repeating: 0, count: geometry.fixedByteCount)
    ends.reserveCapacity(geometry.variableCount)
    scratch.reserveCapacity(DecimalCoding.byteCount)
  }

  /// A nil in a column that can't be nil is the column's default.
  /// - Parameters:
  ///   - position: of the column, the next one of the layout.
  ///   - slot: where a new row has it.
  ///   - value: appends the value's bytes; returns false for nil, when nothing is appended.
  mutating func append(_ position: Int, _ slot: FieldSlot, _ value: (inout [UInt8]) -> Bool) {
    if slot.form == .variable {
      if !value(&variable) { appendNil(position, slot) }
      ends.append(variable.count)
    } else {
      scratch.removeAll(keepingCapacity: true)
      if value(&scratch) { fixed.store(scratch, at: Int(slot.offset)) } else { appendNil(position, slot) }
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
    if slot.form == .variable {
      variable.append(copying: value)
      ends.append(variable.count)
    } else {
      fixed.store(value.copied(), at: Int(slot.offset))
    }
  }

  private mutating func appendNil(_ position: Int, _ slot: FieldSlot) {
    if slot.nullMask != 0 {
      fixed[Int(slot.nullByte)] |= slot.nullMask
    } else if let value = schema.defaults[position] {
      if slot.form == .variable { variable.append(contentsOf: value) } else { fixed.store(value, at: Int(slot.offset)) }
    }
  }

  func finish(into row: inout [UInt8]) {
    let isWide = variable.count > Int(UInt16.max)
    let start = row.count
    row.reserveCapacity(start + fixed.count + ends.count * 4 + variable.count)
    row.append(contentsOf: fixed)
    row.store(littleEndian: geometry.layoutID | (isWide ? RowGeometry.wideMask : 0), at: start)
    for end in ends {
      if isWide { row.append(littleEndian: UInt32(clamping: end)) } else { row.append(littleEndian: UInt16(end)) }
    }
    row.append(contentsOf: variable)
  }

  /// The name and the bytes of the longest value: what can be made smaller when a row is too large.
  var longest: (property: String, byteCount: Int) {
    var longest = (property: "", byteCount: 0)
    var start = 0
    for ((position, _), end) in zip(schema.current.filter({ $0.slot.form == .variable }), ends) {
      if end - start >= longest.byteCount { longest = (schema.columns[position].name, end - start) }
      start = end
    }
    return longest
  }
}
