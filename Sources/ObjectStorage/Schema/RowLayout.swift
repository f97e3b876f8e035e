/// The columns of the rows that name this layout, in their order. Layouts are only ever added, so old rows stay readable.
package struct RowLayout: Sendable, Equatable {
  package let id: UInt16
  package let columns: [Column]

  /// A column, and whether its values could be nil when the layout was made.
  package struct Column: Sendable, Equatable {
    package let id: UInt16
    package let isOptional: Bool

    package init(id: UInt16, isOptional: Bool) {
      self.id = id
      self.isOptional = isOptional
    }
  }

  package init(id: UInt16, columns: [Column]) {
    self.id = id
    self.columns = columns
  }

  /// The first bit of a row's layout id says that its ends have 32 bits.
  package static let idMax: UInt16 = 0x7FFF
}
