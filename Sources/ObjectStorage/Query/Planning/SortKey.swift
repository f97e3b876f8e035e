import RawMemory

/// Rows' places in an order, as bytes: the order of the bytes is that of the rows, ties and all.
///
/// The columns as keys have them, those that descend with every bit flipped, then the row's key.
package struct SortKey: Sendable {
  let keys: [BoundKey]

  /// The columns that are read.
  package var columns: Set<UInt16> { keys.reduce(into: []) { $0.formUnion($1.columns) } }
  /// Whether only the row's key counts.
  package var isRowKey: Bool { keys.isEmpty }

  /// Appends the row's place.
  package func append(_ row: RawSpan, rowKey: RawSpan, to bytes: inout [UInt8]) throws(EvaluationError) {
    for key in keys { try key.append(row, to: &bytes) }
    bytes.append(contentsOf: rowKey)
  }

  var text: String { keys.map { ($0.ascending ? "" : "-") + $0.text }.joined(separator: ", ") }
}

extension BoundKey {
  func append(_ row: RawSpan, to bytes: inout [UInt8]) throws(EvaluationError) {
    let start = bytes.count
    guard KeyCoding.append(try value.value(row, []), kind: kind, isOptional: isOptional, to: &bytes) else {
      throw .row(.damaged(reason: .value))
    }
    if !ascending { for index in start..<bytes.count { bytes[index] = ~bytes[index] } }
  }
}
