/// Where the rows of one layout have their columns.
///
/// A row: layout id (u16, its first bit: wide ends), one bit for each optional column (set: nil), the fixed-width columns one after
/// another, the ends of the variable columns (u16, or u32 if wide; counted from the first variable byte), their bytes.
package struct RowGeometry: Sendable {
  package let layoutID: UInt16
  /// Bytes before the ends.
  package let fixedByteCount: Int
  package let variableCount: Int
  /// By position in `TypeSchema.columns`; `.absent` for what the layout hasn't.
  package let slots: [FieldSlot]

  init(_ layout: RowLayout, columns: [ColumnSchema]) throws(RowError) {
    layoutID = layout.id
    var slots = [FieldSlot](repeating: .absent, count: columns.count)
    let optionalCount = layout.columns.count { $0.isOptional }
    var offset = 2 + (optionalCount + 7) / 8
    var bit = 0
    var variable = 0
    for item in layout.columns {
      guard let position = TypeSchema.position(of: item.id, in: columns), slots[position].isAbsent else {
        throw .damaged(reason: .schema)
      }
      var slot = FieldSlot.absent
      if item.isOptional {
        slot.nullByte = UInt16(2 + bit / 8)
        slot.nullMask = 1 << UInt8(bit % 8)
        bit += 1
      }
      if let byteCount = columns[position].kind.fixedByteCount {
        slot.form = .fixed
        slot.offset = UInt32(offset)
        slot.byteCount = UInt8(byteCount)
        offset += byteCount
      } else {
        slot.form = .variable
        slot.offset = UInt32(variable)
        variable += 1
      }
      slots[position] = slot
    }
    for position in slots.indices {
      slots[position].fixedByteCount = UInt32(offset)
      slots[position].variableCount = UInt16(variable)
    }
    fixedByteCount = offset
    variableCount = variable
    self.slots = slots
  }

  static let wideMask: UInt16 = 0x8000
}
