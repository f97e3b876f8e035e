/// Reading one version of a store: a snapshot, or the inside of a write transaction (which sees its own writes).
///
/// A query that can't be run is `StorageError.query`.
public protocol StorageReading {
  /// The version that is read; in a write transaction the one that it began with.
  var version: StorageVersion { get }
  /// Not part of the API: where to read.
  func _reader() throws(StorageError) -> _StoreReader
  /// What a query gives, lazily.
  /// - Throws: `query`, `typeNotListed`, `corrupted`, `cancelled`.
  func objects<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E>) throws(StorageError) -> StorageResults<E>
}

/// Not part of the API.
public struct _StoreReader {
  package let reader: StoreReader
  package init(_ reader: StoreReader) { self.reader = reader }

  @usableFromInline func row(_ type: any StorageObject.Type, id: _Stored) throws(StorageError) -> Row? {
    try reader.row(type, id: id.value)
  }
}

extension StorageReading {
  /// What a query gives, lazily.
  public func objects<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E>) throws(StorageError) -> StorageResults<E>
  {
    try _reader().reader.results(type, query.form)
  }
  /// Every object of a type, in key order.
  public func all<E: StorageObject>(_ type: E.Type) throws(StorageError) -> StorageResults<E> {
    try objects(type, matching: DatabaseQuery())
  }
  /// The objects that a condition holds for.
  public func objects<E: StorageObject>(_ type: E.Type, where filter: @escaping DatabaseQuery<E>.Filter) throws(StorageError)
    -> StorageResults<E>
  {
    try objects(type, matching: DatabaseQuery(filter))
  }
  /// The object with a key; nil without one. O(log *n*).
  @inlinable public func object<E: IdentifiableStorage>(_ type: E.Type, id: E.ID) throws(StorageError) -> E? {
    // Only what depends on the type is here, so that it can be made for the type.
    guard let row = try _reader().row(type, id: id._stored) else { return nil }
    return row.layout.model?.materialize(type, row: row)
  }
  /// In the order of the ids; missing ones are skipped.
  public func objects<E: IdentifiableStorage>(_ type: E.Type, ids: some Sequence<E.ID>) throws(StorageError) -> StorageResults<E> {
    try _reader().reader.results(type, ids: ids)
  }
  /// The first one; reads no further.
  public func first<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init()) throws(StorageError) -> E? {
    try _reader().reader.first(type, query.form)
  }
  /// The last one within the query's limit.
  public func last<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init()) throws(StorageError) -> E? {
    try _reader().reader.last(type, query.form)
  }
  /// How many; O(log *n*) where an index or the keys answer it alone.
  public func count<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init()) throws(StorageError) -> Int {
    try _reader().reader.count(type, query.form)
  }
  /// Whether there is any; reads no further than the first.
  public func contains<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init()) throws(StorageError) -> Bool {
    try _reader().reader.count(type, query.form.appending(.limit(1))) > 0
  }
}
