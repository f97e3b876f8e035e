public import RawMemory

/// A row that a value holds: its bytes, checked, and where they have the value's properties.
@usableFromInline package final class Row: Sendable {
  /// The row's own bytes, or those of the row that it is embedded in.
  @usableFromInline package let bytes: HeapBytes
  @usableFromInline package let range: Range<Int>
  @usableFromInline package let layout: LayoutMapping
  /// Where the row's key ends, which stands behind the row.
  private let keyEnd: Int

  /// The key under which the row was read; empty for an embedded one.
  package var key: [UInt8] { bytes.withBytes { $0.extracting(range.upperBound..<keyEnd).copied() } }

  /// Copies a row.
  /// - Throws: when the bytes don't fit their layout. Afterwards nothing that reads the row can fail.
  package convenience init(copying row: RawSpan, key: RawSpan, mapping: RowMapping) throws(RowError) {
    let layout = try RowCheck.check(row, schema: mapping.schema)
    self.init(HeapBytes(copying: row, key), 0..<row.byteCount, mapping.layouts[layout], keyByteCount: key.byteCount)
  }

  init(_ bytes: HeapBytes, _ range: Range<Int>, _ layout: LayoutMapping, keyByteCount: Int = 0) {
    self.bytes = bytes
    self.range = range
    self.layout = layout
    keyEnd = range.upperBound + keyByteCount
  }

  /// The row of an embedded struct, in the bytes of one that was checked.
  convenience init?(embedded bytes: HeapBytes, _ range: Range<Int>, mapping: RowMapping) {
    let layout = bytes.withBytes { try? mapping.schema.layoutPosition(of: $0.extracting(range)) }
    guard let layout else { return nil }
    self.init(bytes, range, mapping.layouts[layout])
  }

  /// A row that is never read: its layout has a probe.
  convenience init(probing layout: LayoutMapping) {
    let none: [UInt8] = []
    self.init(none.withRawSpan { HeapBytes(copying: $0) }, 0..<0, layout)
  }

  /// Reads a property. What the row has no value for, or none of the type, is the default.
  @inlinable @inline(__always) func value<Value: PersistableValue>(at property: Int, as type: Value.Type) -> Value {
    let slot = layout.slots[property]
    if slot.form == .fixed, !isNull(slot) {
      let at = base + Int(slot.offset)
      if let value = Value._decode(bytes, at..<at + Int(slot.byteCount), nil) { return value }
    }
    return variableValue(at: property, as: type)
  }

  @inlinable @inline(never) func variableValue<Value: PersistableValue>(at property: Int, as type: Value.Type) -> Value {
    let slot = layout.slots[property]
    if slot.form == .variable, !isNull(slot) {
      if let value = Value._decode(bytes, variableRange(slot), layout.fields[property]) { return value }
    }
    return otherValue(at: property, as: type)
  }

  @inlinable @inline(__always) var base: Int { range.lowerBound }

  @inlinable @inline(__always) func isNull(_ slot: FieldSlot) -> Bool {
    slot.nullMask != 0 && bytes.load(UInt8.self, at: base + Int(slot.nullByte)) & slot.nullMask != 0
  }
}
