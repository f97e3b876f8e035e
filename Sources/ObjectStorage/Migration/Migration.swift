/// The transaction of a migration. Types and properties are named by strings: the old ones are no longer in the code.
public struct Migration: ~Copyable {
  private let editor: SchemaEditor
  /// The file's version.
  public let oldSchemaVersion: UInt64
  /// The code's version.
  public let newSchemaVersion: UInt64

  init(_ editor: SchemaEditor, from old: UInt64, to new: UInt64) {
    self.editor = editor
    oldSchemaVersion = old
    newSchemaVersion = new
  }

  /// Gives a property another name. No row is touched.
  /// - Throws: `invalidSchema` when there is no such property, or one of the new name.
  public mutating func renameProperty(onType type: String, from oldName: String, to newName: String) throws(StorageError) {
    try editor.change(type) { schema throws(StorageError) in try schema.renamingColumn(oldName, to: newName) }
  }
  /// Gives a type another name. No row is touched.
  /// - Throws: `invalidSchema` when there is no such type, or one of the new name.
  public mutating func renameType(from oldName: String, to newName: String) throws(StorageError) {
    try editor.rename(oldName, to: newName)
  }
  /// Removes a type and its objects.
  /// - Throws: `invalidSchema` when there is no such type.
  public mutating func deleteType(_ type: String) throws(StorageError) { try editor.delete(type) }
}
@available(*, unavailable) extension Migration: Sendable {}
