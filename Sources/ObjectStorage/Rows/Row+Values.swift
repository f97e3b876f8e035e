import RawMemory

extension Row {
  /// Of a nil, a column that the row hasn't, and an unknown raw value.
  @usableFromInline func otherValue<Value: PersistableValue>(at property: Int, as type: Value.Type) -> Value {
    if let probe = layout.probe { return probe.touch(property, as: type) }
    let slot = layout.slots[property]
    if slot.isAbsent { return layout.absentValue(of: property, as: type) }
    if isNull(slot) { return Value._null ?? layout.declaredDefault(of: property, as: type) }
    return layout.declaredDefault(of: property, as: type)
  }

  func isKnown<Value: PersistableValue>(at property: Int, as type: Value.Type) -> Bool {
    guard let range = storedRange(of: property) else { return true }
    return Value._isKnown(bytes, range)
  }

  /// The bytes of a property's value; nil when the row has a nil or hasn't the column.
  package func storedRange(of property: Int) -> Range<Int>? {
    let slot = layout.slots[property]
    return slot.isAbsent || isNull(slot) ? nil : fieldRange(slot)
  }

  /// - Parameter slot: not absent. The row was checked, so nothing here is out of bounds.
  private func fieldRange(_ slot: FieldSlot) -> Range<Int> {
    if slot.form == .variable { return variableRange(slot) }
    let at = base + Int(slot.offset)
    return at..<at + Int(slot.byteCount)
  }

  @usableFromInline func variableRange(_ slot: FieldSlot) -> Range<Int> {
    let isWide = bytes.load(UInt16.self, at: base) & RowGeometry.wideMask != 0
    let width = isWide ? 4 : 2
    let first = base + Int(slot.fixedByteCount)
    let own = first + Int(slot.offset) * width
    let end = isWide ? Int(bytes.load(UInt32.self, at: own)) : Int(bytes.load(UInt16.self, at: own))
    var start = 0
    if slot.offset > 0 { start = isWide ? Int(bytes.load(UInt32.self, at: own - 4)) : Int(bytes.load(UInt16.self, at: own - 2)) }
    let base = first + Int(slot.variableCount) * width
    return base + start..<base + end
  }

  /// Lends the row's bytes.
  package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try bytes.withBytes { (all) throws(E) in try body(all.extracting(range)) }
  }
}
