import RawMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ValueShape {
  /// Appends what a row has of a value that isn't nil.
  /// - Returns: false when the value isn't of this shape; what was appended is then of no use.
  package func append(_ value: StoredValue, to bytes: inout [UInt8]) -> Bool {
    return switch (kind, value) {
    case (.bool, _): append(value, as: Bool.self, to: &bytes)
    case (.int8, _): append(value, as: Int8.self, to: &bytes)
    case (.int16, _): append(value, as: Int16.self, to: &bytes)
    case (.int32, _): append(value, as: Int32.self, to: &bytes)
    case (.int64, _): append(value, as: Int64.self, to: &bytes)
    case (.uint8, _): append(value, as: UInt8.self, to: &bytes)
    case (.uint16, _): append(value, as: UInt16.self, to: &bytes)
    case (.uint32, _): append(value, as: UInt32.self, to: &bytes)
    case (.uint64, _): append(value, as: UInt64.self, to: &bytes)
    case (.float, _): append(value, as: Float.self, to: &bytes)
    case (.double, _): append(value, as: Double.self, to: &bytes)
    case (.decimal, _): append(value, as: Decimal.self, to: &bytes)
    case (.string, _): append(value, as: String.self, to: &bytes)
    case (.data, .data(let data)): append(data, to: &bytes)
    case (.date, _): append(value, as: Date.self, to: &bytes)
    case (.uuid, _): append(value, as: UUID.self, to: &bytes)
    case (.embedded, .object(let entries)): fields?.append(entries, to: &bytes) ?? false
    case (.list, .list(let values)), (.set, .list(let values)): append(values, to: &bytes)
    case (.map, .map(let entries)): append(entries, to: &bytes)
    default: false
    }
  }

  private func append<Value: PersistableValue>(_ value: StoredValue, as type: Value.Type, to bytes: inout [UInt8]) -> Bool {
    guard let value = Value(stored: value) else { return false }
    value._append(to: &bytes, nil)
    return true
  }

  private func append(_ data: [UInt8], to bytes: inout [UInt8]) -> Bool {
    bytes.append(contentsOf: data)
    return true
  }

  private func append(_ values: [StoredValue], to bytes: inout [UInt8]) -> Bool {
    let shape = elementShape
    var fits = true
    ElementTable.append(count: values.count, kind: shape.kind, isOptional: isElementOptional, to: &bytes) { index, bytes in
      if values[index] == .null {
        fits = fits && isElementOptional
        return false
      }
      fits = shape.append(values[index], to: &bytes) && fits
      return true
    }
    return fits
  }

  private func append(_ entries: [StoredValue.Entry], to bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    bytes.append(littleEndian: UInt32(0))
    let keyed = entries.map { (entry: $0, order: KeyCoding.normalizedUTF8($0.name)) }
    let sorted = keyed.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.entry)
    ElementTable.append(sorted.map(\.name), to: &bytes, nil)
    bytes.store(littleEndian: UInt32(clamping: bytes.count - start - 4), at: start)
    return append(sorted.map(\.value), to: &bytes)
  }
}

extension TypeSchema {
  /// Appends a row of the current layout; columns without an entry have their defaults.
  /// - Returns: false when an entry names no column, or its value isn't of the column's type.
  package func append(_ entries: [StoredValue.Entry], to bytes: inout [UInt8]) -> Bool {
    var builder = RowBuilder(self)
    var fits = entries.allSatisfy { column(named: $0.name) != nil }
    for (position, slot) in current {
      let column = columns[position]
      guard let entry = entries.last(where: { $0.name.utf8.elementsEqual(column.name.utf8) }) else {
        builder.append(position, slot, default: self)
        continue
      }
      if entry.value == .null, !column.isOptional { fits = false }
      let shape = ValueShape(column)
      builder.append(position, slot) { bytes in
        if entry.value == .null { return false }
        fits = shape.append(entry.value, to: &bytes) && fits
        return true
      }
    }
    bytes.append(contentsOf: builder.finish())
    return fits
  }
}
