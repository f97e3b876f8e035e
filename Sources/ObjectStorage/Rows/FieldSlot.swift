/// Where a layout has one column.
@usableFromInline package struct FieldSlot: Sendable {
  @usableFromInline package enum Form: UInt8, Sendable { case absent, fixed, variable }

  @usableFromInline var form: Form
  /// Its bytes in the fixed-width section.
  @usableFromInline var byteCount: UInt8
  /// 0 for a column that is never nil.
  @usableFromInline var nullMask: UInt8
  @usableFromInline var nullByte: UInt16
  /// In the row; of a variable column, which of them it is.
  @usableFromInline var offset: UInt32
  /// Where the ends of the layout's variable columns begin.
  @usableFromInline var fixedByteCount: UInt32
  /// How many variable columns the layout has.
  @usableFromInline var variableCount: UInt16

  static let absent = FieldSlot(
    form: .absent, byteCount: 0, nullMask: 0, nullByte: 0, offset: 0, fixedByteCount: 0, variableCount: 0)
  package var isAbsent: Bool { form == .absent }
}
