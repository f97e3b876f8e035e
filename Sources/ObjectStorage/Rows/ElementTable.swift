import RawMemory

/// Where a list or a set has its elements: count (u32), one bit for each element if they can be nil, then fixed-width elements one
/// after another, or the ends of variable ones (u32 each, counted from the first byte of the first element) and their bytes.
///
/// A map is a list of its keys, with its byte count (u32) in front, and a list of its values.
package struct ElementTable: Sendable {
  package let count: Int
  let kind: ColumnKind
  let isOptional: Bool
  /// Offsets in the bytes that the table was made from.
  let nulls: Int
  var start: Int { nulls - 4 }
  let items: Int
  let end: Int

  /// Looks at the count only; `checkOffsets` looks at every element.
  package init(_ bytes: RawSpan, _ range: Range<Int>, kind: ColumnKind, isOptional: Bool) throws(RowError) {
    guard range.lowerBound >= 0, range.upperBound <= bytes.byteCount, range.count >= 4 else { throw .damaged(reason: .tooShort) }
    count = Int(bytes.load(UInt32.self, at: range.lowerBound))
    self.kind = kind
    self.isOptional = isOptional
    nulls = range.lowerBound + 4
    items = nulls + (isOptional ? (count + 7) / 8 : 0)
    end = range.upperBound
    if let width = kind.fixedByteCount {
      guard items + count * width == end else { throw .damaged(reason: .count) }
    } else {
      guard items + count * 4 <= end else { throw .damaged(reason: .count) }
      let last = count == 0 ? 0 : Int(bytes.load(UInt32.self, at: items + count * 4 - 4))
      guard items + count * 4 + last == end else { throw .damaged(reason: .offsets) }
    }
  }

  /// - Parameter bytes: those that the table was made from.
  package func field(at index: Int, in bytes: RawSpan) throws(RowError) -> RowField {
    precondition(index >= 0 && index < count, "no such element")
    if isOptional, bytes.load(UInt8.self, at: nulls + index / 8) & 1 << UInt8(index % 8) != 0 { return .null }
    if let width = kind.fixedByteCount { return .fixed(items + index * width) }
    let base = items + count * 4
    let upper = Int(bytes.load(UInt32.self, at: items + index * 4))
    let lower = index == 0 ? 0 : Int(bytes.load(UInt32.self, at: items + index * 4 - 4))
    guard lower <= upper, base + upper <= end else { throw .damaged(reason: .offsets) }
    return .variable(base + lower..<base + upper)
  }
}

extension ElementTable {
  /// The tables of a map's keys and values.
  package static func map(
    _ bytes: RawSpan, _ range: Range<Int>, kind: ColumnKind, isOptional: Bool
  ) throws(RowError) -> (keys: ElementTable, values: ElementTable) {
    guard range.lowerBound >= 0, range.upperBound <= bytes.byteCount, range.count >= 4 else { throw .damaged(reason: .tooShort) }
    let middle = range.lowerBound + 4 + Int(bytes.load(UInt32.self, at: range.lowerBound))
    guard middle <= range.upperBound else { throw .damaged(reason: .offsets) }
    let keys = try ElementTable(bytes, range.lowerBound + 4..<middle, kind: .string, isOptional: false)
    let values = try ElementTable(bytes, middle..<range.upperBound, kind: kind, isOptional: isOptional)
    guard keys.count == values.count else { throw .damaged(reason: .count) }
    return (keys, values)
  }
}
