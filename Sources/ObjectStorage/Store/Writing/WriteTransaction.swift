import RawMemory
import StorageEngine

/// The inside of `write`: reads see its own writes. Good until the closure returns; a copy used later throws `transactionEnded`.
///
/// Copyable only because an associated type (`PromotionTarget.Transaction`) can't be otherwise yet; not Sendable.
public struct WriteTransaction: StorageReading {
  package let box: TransactionBox

  package init(_ box: TransactionBox) { self.box = box }

  /// The version that the transaction began with.
  public var version: StorageVersion { box.reader.version }

  /// Not part of the API.
  public func _reader() throws(StorageError) -> _StoreReader {
    try box.checkOpen()
    return _StoreReader(box.reader)
  }

  func editor<E: StorageObject>(_ type: E.Type) throws(StorageError) -> RowEditor {
    try box.checkOpen()
    return RowEditor(box, try box.view.access(type))
  }
}
@available(*, unavailable) extension WriteTransaction: Sendable {}

// `update: nil` is `.modified`, and within a promotion what its options say.
extension WriteTransaction {
  /// Writes an object.
  ///
  /// - Parameters:
  ///   - object: the object; what of it is written over a row with its key depends on the policy, see ``Persisted``.
  ///   - update: nil is `.modified`, and within a promotion what its options say.
  /// - Throws: `duplicateKey`, `keyTooLarge`, `valueTooLarge`, `typeNotListed`: nothing of the object was written then.
  public mutating func save<E: StorageObject>(_ object: E, update: UpdatePolicy? = nil) throws(StorageError) {
    try editor(E.self).save(object, update ?? box.defaultPolicy)
  }
  /// Writes objects, one after another.
  ///
  /// - Parameters:
  ///   - objects: the objects.
  ///   - update: nil is `.modified`, and within a promotion what its options say.
  /// - Throws: as for one; those before it are written.
  public mutating func save<E: StorageObject>(_ objects: some Sequence<E>, update: UpdatePolicy? = nil) throws(StorageError) {
    let editor = try editor(E.self)
    for object in objects { try editor.save(object, update ?? box.defaultPolicy) }
  }

  /// Changes the object with a key.
  ///
  /// - Throws: `objectNotFound`, and what `mutate` throws (then the object is as it was).
  public mutating func update<E: IdentifiableStorage>(_ type: E.Type, id: E.ID, _ mutate: (inout E) throws -> Void) throws {
    let editor = try editor(type)
    guard let key = editor.type.key(id.storedValue), let row = try editor.existing(key) else {
      throw StorageError.objectNotFound(type: E.storageName, id: id.storedValue.text)
    }
    try editor.update(type, row, key: key, mutate)
  }

  /// Changes the objects of a query. The matches are those from before the first change.
  ///
  /// - Returns: how many.
  /// - Throws: what `mutate` throws; objects before that one are changed.
  @discardableResult
  public mutating func update<E: StorageObject>(
    _ type: E.Type, matching query: DatabaseQuery<E>, _ mutate: (inout E) throws -> Void
  ) throws -> Int {
    let editor = try editor(type)
    let keys = try editor.keys(query.form)
    for key in keys { if let row = try editor.existing(key) { try editor.update(type, row, key: key, mutate) } }
    return keys.count
  }

  /// Removes the object with a key. - Returns: whether there was one.
  @discardableResult
  public mutating func delete<E: IdentifiableStorage>(_ type: E.Type, id: E.ID) throws(StorageError) -> Bool {
    let editor = try editor(type)
    guard let key = editor.type.key(id.storedValue) else { return false }
    return try editor.delete(key)
  }
  /// Removes the row that the value was read from, or the one with its key. - Returns: whether there was one.
  @discardableResult
  public mutating func delete<E: StorageObject>(_ object: E) throws(StorageError) -> Bool {
    let editor = try editor(E.self)
    guard let key = try editor.keyOfRow(object) else { return false }
    return try editor.delete(key)
  }
  /// Removes the objects of a query. - Returns: how many.
  @discardableResult
  public mutating func delete<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E>) throws(StorageError) -> Int {
    let editor = try editor(type)
    let keys = try editor.keys(query.form)
    for key in keys { _ = try editor.delete(key) }
    return keys.count
  }
  /// Removes every object of a type. - Complexity: O(pages), not O(rows). - Returns: how many there were.
  @discardableResult
  public mutating func deleteAll<E: StorageObject>(_ type: E.Type) throws(StorageError) -> Int { try editor(type).deleteAll() }
  /// Removes every object of the listed types.
  public mutating func deleteAll() throws(StorageError) {
    try box.checkOpen()
    for model in box.core.models { _ = try RowEditor(box, try box.view.access(model.type)).deleteAll() }
  }
}
