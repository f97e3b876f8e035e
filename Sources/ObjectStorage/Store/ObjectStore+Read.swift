extension ObjectStore {
  /// Every object of a type, in key order.
  public nonisolated func all<E: StorageObject>(_ type: E.Type) async throws(StorageError) -> StorageResults<E> {
    try await snapshot().all(type)
  }
  /// What a query gives, lazily: the results pin the version that they are of.
  public nonisolated func objects<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init())
    async throws(StorageError)
    -> StorageResults<E>
  { try await snapshot().objects(type, matching: query) }
  /// The objects that a condition holds for.
  public nonisolated func objects<E: StorageObject>(_ type: E.Type, where filter: @escaping DatabaseQuery<E>.Filter)
    async throws(StorageError)
    -> StorageResults<E>
  { try await snapshot().objects(type, where: filter) }
  /// Maps inside the store, so that nothing but the results is kept. A closure that can be a condition is one: name `transform` then.
  /// - Throws: what `transform` throws as well.
  @_disfavoredOverload
  public nonisolated func objects<E: StorageObject, T: Sendable>(
    _ type: E.Type, matching query: DatabaseQuery<E> = .init(), transform: @Sendable (E) throws -> T
  ) async throws -> [T] {
    let runner = try reader().runner(type)
    return try runner.map(type, try runner.plan(query.form), transform)
  }

  /// The object with a key; nil without one. O(log *n*). Doesn't compile for a type without a primary key.
  public nonisolated func object<E: IdentifiableStorage>(_ type: E.Type, id: E.ID) async throws(StorageError) -> E? {
    try reader().object(type, id: id)
  }
  /// In the order of the ids; missing ones are skipped.
  public nonisolated func objects<E: IdentifiableStorage>(_ type: E.Type, ids: some Sequence<E.ID> & Sendable)
    async throws(StorageError)
    -> StorageResults<E>
  { try await snapshot().objects(type, ids: ids) }
  /// The first one; reads no further.
  public nonisolated func first<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init())
    async throws(StorageError) -> E?
  {
    try await snapshot().first(type, matching: query)
  }
  /// The last one within the query's limit.
  public nonisolated func last<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init())
    async throws(StorageError) -> E?
  {
    try await snapshot().last(type, matching: query)
  }
  /// How many; O(log *n*) where an index or the keys answer it alone.
  public nonisolated func count<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init())
    async throws(StorageError) -> Int
  {
    try await snapshot().count(type, matching: query)
  }
  /// Whether there is any; reads no further than the first.
  public nonisolated func contains<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E> = .init())
    async throws(StorageError)
    -> Bool
  { try await snapshot().contains(type, matching: query) }

  /// A version to read as long as wanted, without `await`.
  public nonisolated func snapshot() async throws(StorageError) -> StorageSnapshot { StorageSnapshot(reader: try reader()) }
  /// Several reads of one version.
  /// - Throws: what `body` throws as well.
  public nonisolated func snapshot<T: Sendable>(_ body: @Sendable (StorageSnapshot) throws -> T) async throws -> T {
    try body(await snapshot())
  }
  /// Runs a query and tells how: which index, which range, what was filtered, how many rows were looked at.
  public nonisolated func explain<E: StorageObject>(_ query: DatabaseQuery<E>) async throws(StorageError) -> QueryPlan {
    let runner = try reader().runner(E.self)
    return try runner.explain(try runner.plan(query.form))
  }
  /// The newest committed version, of whatever process.
  public nonisolated func currentVersion() async throws(StorageError) -> StorageVersion { try reader().version }
}

extension QueryRunner {
  /// Runs a plan and says how that went.
  package func explain(_ plan: ExecutionPlan) throws(StorageError) -> QueryPlan {
    let (keys, examinedCount) = try keys(plan)
    return plan.explained(examined: examinedCount, returned: keys.count)
  }
}
