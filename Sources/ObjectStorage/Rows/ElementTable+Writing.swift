import RawMemory

extension ElementTable {
  /// Appends a table. - Parameter element: appends one element; returns false for nil, when nothing is appended.
  static func append(
    count: Int, kind: ColumnKind, isOptional: Bool, to bytes: inout [UInt8], _ element: (Int, inout [UInt8]) -> Bool
  ) {
    bytes.append(littleEndian: UInt32(clamping: count))
    let nulls = bytes.count
    if isOptional { bytes.append(contentsOf: repeatElement(0, count: (count + 7) / 8)) }
    let items = bytes.count
    let width = kind.fixedByteCount
    if width == nil { bytes.append(contentsOf: repeatElement(0, count: count * 4)) }
    let base = bytes.count
    for index in 0..<count {
      if !element(index, &bytes) {
        if isOptional { bytes[nulls + index / 8] |= 1 << UInt8(index % 8) }
        if let width { bytes.append(contentsOf: repeatElement(0, count: width)) }
      }
      if width == nil { bytes.store(littleEndian: UInt32(clamping: bytes.count - base), at: items + index * 4) }
    }
  }

  /// Appends the table of values of one type. - Parameter unknown: what a raw value is that this build doesn't know; stands behind them.
  static func append<Element: PersistableValue>(
    _ elements: some Collection<Element>, unknown: [[UInt8]] = [], to bytes: inout [UInt8], _ fields: RowMapping?
  ) {
    let column = Element._columnType
    let count = elements.count
    var rest = elements.makeIterator()
    append(count: count + unknown.count, kind: column.kind, isOptional: column.isOptional, to: &bytes) { index, bytes in
      if index >= count {
        bytes.append(contentsOf: unknown[index - count])
        return true
      }
      guard let element = rest.next(), !element._isNull else { return false }
      element._append(to: &bytes, fields)
      return true
    }
  }

  /// Appends the table of values some of which are raw values that this build doesn't know.
  static func append<Element: PersistableValue>(
    kept elements: [KeptElement<Element>], to bytes: inout [UInt8], _ fields: RowMapping?
  ) {
    let column = Element._columnType
    append(count: elements.count, kind: column.kind, isOptional: column.isOptional, to: &bytes) { index, bytes in
      if let unknown = elements[index].unknown {
        bytes.append(contentsOf: unknown)
        return true
      }
      if elements[index].value._isNull { return false }
      elements[index].value._append(to: &bytes, fields)
      return true
    }
  }
}

/// An element of a collection, and its bytes where they are a raw value that this build doesn't know: it reads as something else, and stays.
struct KeptElement<Element: Sendable>: Sendable {
  var value: Element
  var unknown: [UInt8]?
}
