import RawMemory

/// Where one value is in a row, or in a collection of one.
package enum RowField: Sendable, Equatable {
  case null
  /// The row's layout hasn't the column: its default counts.
  case absent
  /// At this offset, with the width of its kind.
  case fixed(Int)
  case variable(Range<Int>)
}

extension FieldSlot {
  /// Where a row of this layout has the column; bounds-checked.
  package func field(in row: RawSpan) throws(RowError) -> RowField {
    if form == .absent { return .absent }
    if nullMask != 0 {
      guard Int(nullByte) < row.byteCount else { throw .damaged(reason: .tooShort) }
      if row.load(UInt8.self, at: Int(nullByte)) & nullMask != 0 { return .null }
    }
    if form == .fixed {
      guard Int(offset) + Int(byteCount) <= row.byteCount else { throw .damaged(reason: .tooShort) }
      return .fixed(Int(offset))
    }
    return .variable(try variableRange(in: row))
  }

  private func variableRange(in row: RawSpan) throws(RowError) -> Range<Int> {
    let isWide = row.load(UInt16.self, at: 0) & RowGeometry.wideMask != 0
    let width = isWide ? 4 : 2
    let first = Int(fixedByteCount)
    let own = first + Int(offset) * width
    guard own + width <= row.byteCount else { throw .damaged(reason: .tooShort) }
    let end = isWide ? Int(row.load(UInt32.self, at: own)) : Int(row.load(UInt16.self, at: own))
    var start = 0
    if offset > 0 { start = isWide ? Int(row.load(UInt32.self, at: own - 4)) : Int(row.load(UInt16.self, at: own - 2)) }
    let base = first + Int(variableCount) * width
    guard start <= end, base + end <= row.byteCount else { throw .damaged(reason: .offsets) }
    return base + start..<base + end
  }
}
