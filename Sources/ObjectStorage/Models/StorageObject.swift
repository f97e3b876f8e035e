/// A struct whose properties are `@Persisted`. Only its `init()` is asked for; it comes by itself when every property has a
/// default, else write `init() {}`.
public protocol StorageFields: PersistableValue {
  /// A value with every property at its default.
  init()
}

/// A model: rows of a type of their own.
///
/// A value made by the app holds its fields. A value read from the store is a view of one version of its row: Sendable,
/// immutable in meaning, valid for as long as it is held, read property by property as it is touched.
public protocol StorageObject: StorageFields {
  /// The name in the file. Default: the type's name without module and enclosing types.
  static var storageName: String { get }
  /// Indexes over several properties, and unique ones.
  static var indexes: [StorageIndex<Self>] { get }
}
extension StorageObject {
  /// The type's name without module and enclosing types.
  public static var storageName: String { String(describing: Self.self) }
  /// None.
  public static var indexes: [StorageIndex<Self>] { [] }
  /// The same row, tied to no snapshot: it stays readable when the store is closed.
  public func detached() throws(StorageError) -> Self { self }
}

/// A model with a primary key, whose type is that of its `id`.
///
/// Assigning its own id changes nothing. Assigning another one inside `update` moves the row, and links follow; outside,
/// `save` writes a row under the new id and leaves the old one. An id that is taken is `StorageError.duplicateKey`.
public protocol IdentifiableStorage: StorageObject, Identifiable where ID: StorageID {
  /// The primary key.
  var id: ID { get set }
}

/// A struct stored inside its owner's row, without identity; deleted with it.
public protocol EmbeddedObject: StorageFields {}
