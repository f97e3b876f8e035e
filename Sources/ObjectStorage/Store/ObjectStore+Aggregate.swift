extension ObjectStore {
  /// The sum of a property's values; nil counts for nothing, of nothing it is 0.
  /// - Throws: `QueryError.overflow`, as `StorageError.query`, when integers leave their range.
  public nonisolated func sum<E: StorageObject, V: StorageNumeric>(
    _ type: E.Type, of property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) async throws(StorageError) -> V.StorageSum { try await snapshot().sum(type, of: property, matching: query) }
  /// The average of a property's values; nil counts for nothing, of nothing there is none.
  public nonisolated func average<E: StorageObject, V: StorageNumeric>(
    _ type: E.Type, of property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) async throws(StorageError) -> V.StorageAverage? { try await snapshot().average(type, of: property, matching: query) }
  /// The least of a property's values; nil counts for nothing, of nothing there is none.
  public nonisolated func min<E: StorageObject, V: StorageComparable>(
    _ type: E.Type, of property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) async throws(StorageError) -> V.StorageUnwrapped? { try await snapshot().min(type, of: property, matching: query) }
  /// The greatest of a property's values; nil counts for nothing, of nothing there is none.
  public nonisolated func max<E: StorageObject, V: StorageComparable>(
    _ type: E.Type, of property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) async throws(StorageError) -> V.StorageUnwrapped? { try await snapshot().max(type, of: property, matching: query) }
  /// The objects by a property's value, in the order of the values.
  public nonisolated func groups<E: StorageObject, V: StorageComparable>(
    _ type: E.Type, by property: any KeyPath<E, V> & Sendable, matching query: DatabaseQuery<E> = .init()
  ) async throws(StorageError) -> [StorageGroup<V, E>] { try await snapshot().groups(type, by: property, matching: query) }
}
