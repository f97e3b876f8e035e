/// Where the rows of one layout have their columns.
///
/// A row: layout id (u16, its first bit: wide ends), one bit for each optional column (set: nil), the fixed-width columns one after
/// another, the ends of the variable columns (u16, or u32 if wide; counted from the first variable byte), their bytes.
package struct RowGeometry: Sendable {
  package let layoutID: UInt16
  /// Bytes before the ends.
  package let fixedByteCount: Int
  package let variableCount: Int
  /// The layout's columns, by their position in `TypeSchema.columns`, and where they are: as many as there are in the layout, however
  /// many columns and layouts a type has had.
  package let positions: [Int]
  private let slots: [FieldSlot]
  /// Embedded structs and collections: what has bounds of its own to check.
  let containers: [(position: Int, slot: FieldSlot)]

  init(_ layout: RowLayout, columns: [ColumnSchema]) throws(RowError) {
    layoutID = layout.id
    var found: [(position: Int, slot: FieldSlot)] = []
    let optionalCount = layout.columns.count { $0.isOptional }
    var offset = 2 + (optionalCount + 7) / 8
    var bit = 0
    var variable = 0
    for item in layout.columns {
      guard let position = TypeSchema.position(of: item.id, in: columns) else { throw .damaged(reason: .schema) }
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
      found.append((position, slot))
    }
    found.sort { $0.position < $1.position }
    for index in found.indices {
      if index > 0, found[index].position == found[index - 1].position { throw .damaged(reason: .schema) }
      found[index].slot.fixedByteCount = UInt32(offset)
      found[index].slot.variableCount = UInt16(variable)
    }
    fixedByteCount = offset
    variableCount = variable
    positions = found.map(\.position)
    slots = found.map(\.slot)
    containers = found.filter {
      switch columns[$0.position].kind {
      case .embedded, .list, .set, .map, .link: true
      default: false
      }
    }
  }

  /// Where the column at a position of `TypeSchema.columns` is; `.absent` when the layout hasn't got it.
  package func slot(at position: Int) -> FieldSlot {
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low < positions.count && positions[low] == position ? slots[low] : .absent
  }

  static let wideMask: UInt16 = 0x8000
}
