/// One column of a type as the file describes it.
package struct ColumnSchema: Sendable, Equatable {
  /// Never given to another column of the type.
  package let id: UInt16
  package var name: String
  package let kind: ColumnKind
  package var isOptional: Bool
  /// Of the elements of a list or a set and of the values of a map.
  package let element: ColumnKind?
  package let isElementOptional: Bool
  package var isFullText: Bool
  package var deleteRule: StorageDeleteRule
  /// What a row has whose layout is older than the column.
  package let defaultValue: StoredValue
  /// Dropped by a migration; old rows still hold it.
  package var isRemoved: Bool
  /// Of an embedded struct, or of a collection of them: its own columns.
  package var fields: TypeSchema?

  package init(
    id: UInt16, name: String, kind: ColumnKind, isOptional: Bool = false, element: ColumnKind? = nil,
    isElementOptional: Bool = false,
    isFullText: Bool = false, deleteRule: StorageDeleteRule = .nullify, defaultValue: StoredValue = .null, isRemoved: Bool = false,
    fields: TypeSchema? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.isOptional = isOptional
    self.element = element
    self.isElementOptional = isElementOptional
    self.isFullText = isFullText
    self.deleteRule = deleteRule
    self.defaultValue = defaultValue
    self.isRemoved = isRemoved
    self.fields = fields
  }
}

extension ColumnSchema {
  /// As the code spells it: `Int?`, `List<String>`.
  package var typeName: String {
    let item = element.map { $0.swiftName + (isElementOptional ? "?" : "") }
    let name =
      switch kind {
      case .list, .set: "\(kind.swiftName)<\(item ?? "?")>"
      case .map: "Map<String, \(item ?? "?")>"
      default: kind.swiftName
      }
    return isOptional ? name + "?" : name
  }
}
