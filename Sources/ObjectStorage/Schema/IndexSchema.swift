/// One index of a type as the file describes it.
package struct IndexSchema: Sendable, Equatable {
  /// Never given to another index of the type.
  package let id: UInt32
  /// The columns' ids, in the order of the key.
  package let columns: [UInt16]
  package let isUnique: Bool
  /// Printed by `explain`: `Message.conversationID+sentAt`.
  package var name: String

  package init(id: UInt32, columns: [UInt16], isUnique: Bool, name: String) {
    self.id = id
    self.columns = columns
    self.isUnique = isUnique
    self.name = name
  }
}
