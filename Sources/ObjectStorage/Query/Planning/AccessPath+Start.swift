import RawMemory

extension AccessPath {
  /// Leaves out what stands up to a place in the walk.
  ///
  /// - Parameters:
  ///   - place: a key of `order`. One that can't be read leaves nothing.
  ///   - constants: the bytes of columns that all of the keys share.
  mutating func begin(
    behind place: [UInt8], order: [BoundKey], constants: [UInt16: [UInt8]], primaryKey: UInt16?, _ direction: WalkDirection
  ) {
    guard let parsed = Self.parse(place, order) else {
      ranges = []
      return
    }
    let rowKey = parsed.rowKey
    var values = parsed.values
    if let primaryKey { values[primaryKey] = rowKey }
    var group: [UInt8] = []
    if tree != .rows {
      for column in layout.columns {
        guard let bytes = constants[column.id] ?? values[column.id] else {
          ranges = []
          return
        }
        group += bytes
      }
    }
    switch direction {
    case .forward: ranges = ranges.compactMap { Self.clipped($0, KeyRange(lower: group + rowKey + [0])) }
    case .backward(hasForwardTies: false): ranges = ranges.compactMap { Self.clipped($0, KeyRange(upper: group + rowKey)) }
    case .backward(hasForwardTies: true):
      let ties = KeyRange(lower: group + rowKey + [0], upper: KeyRange.successor(of: group))
      let others = KeyRange(upper: group)
      ranges = ranges.flatMap { [Self.clipped($0, ties), Self.clipped($0, others)].compactMap { $0 } }
    }
  }

  private static func clipped(_ range: KeyRange, _ bounds: KeyRange) -> KeyRange? {
    var range = range
    range.raiseLower(to: bounds.lower)
    range.dropUpper(to: bounds.upper)
    return range.isEmpty ? nil : range
  }

  /// The columns' bytes as indexes have them, and the row's key. Of the primary key in the order, its bytes are the row's key.
  private static func parse(_ place: [UInt8], _ order: [BoundKey]) -> (values: [UInt16: [UInt8]], rowKey: [UInt8])? {
    var rest = place[...]
    var values: [UInt16: [UInt8]] = [:]
    for key in order {
      guard let id = key.columnID else { return nil }
      var bytes = Array(rest)
      if !key.ascending { for index in bytes.indices { bytes[index] = ~bytes[index] } }
      var count = 0
      let column = KeyLayout.Column(id: id, kind: key.kind, isOptional: key.isOptional)
      do throws(RowError) {
        try column.skip(bytes.span.raw, &count)
      } catch {
        return nil
      }
      values[id] = Array(bytes[..<count])
      rest = rest.dropFirst(count)
    }
    return rest.isEmpty ? nil : (values, Array(rest))
  }
}
