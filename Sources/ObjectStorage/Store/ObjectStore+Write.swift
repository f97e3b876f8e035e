extension ObjectStore {
  /// Everything in `body` or, when it throws, nothing. It doesn't suspend, so `write` can't be called inside it.
  ///
  /// Guarantee: on return the changes survive what `StorageConfiguration.durability` says.
  ///
  /// A task that is cancelled before it has the writer's lock gets `cancelled`, and `body` isn't called. From then on, queries inside `body`
  /// throw `cancelled`, which undoes everything unless `body` catches it; changes don't look at the task. Once `body` has returned the commit
  /// is made, so a return means that the changes are there, whether the task was cancelled meanwhile or not. Waiting for the lock isn't cut
  /// short: it ends within `lockTimeout`.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, as it is; `cancelled`, `busy`, `noSpace`, `full`, `readOnly`, `suspended`. Nothing was changed then.
  /// - Complexity: one sync for a transaction of up to 1,024 pages.
  @discardableResult
  public func write<T: Sendable>(_ body: @Sendable (inout WriteTransaction) throws -> T) async throws -> T {
    try core().write(timeout: configuration.lockTimeout, durability: configuration.durability, body)
  }

  /// A transaction of a call that runs no code of the app.
  private func storing<T>(_ body: (inout WriteTransaction) throws(StorageError) -> T) throws(StorageError) -> T {
    var failure: StorageError?
    do {
      return try core().write(timeout: configuration.lockTimeout, durability: configuration.durability) { transaction in
        do throws(StorageError) { return try body(&transaction) } catch {
          failure = error
          throw error
        }
      }
    } catch {
      throw failure ?? (error as? StorageError) ?? .openFailed(underlying: error)
    }
  }

  /// Writes an object in a transaction of its own.
  public func save<E: StorageObject>(_ object: E, update: UpdatePolicy = .modified) async throws(StorageError) {
    try storing { transaction throws(StorageError) in try transaction.save(object, update: update) }
  }
  /// Writes objects in one transaction: all or none.
  public func save<E: StorageObject>(_ objects: some Sequence<E> & Sendable, update: UpdatePolicy = .modified)
    async throws(StorageError)
  { try storing { transaction throws(StorageError) in try transaction.save(objects, update: update) } }
  /// Builds the object inside the transaction, with what is there.
  /// - Throws: what `build` throws as well.
  public func save<E: StorageObject>(
    update: UpdatePolicy = .modified, building build: @Sendable (borrowing WriteTransaction) throws -> E
  ) async throws {
    try await write { transaction in
      let object = try build(transaction)
      try transaction.save(object, update: update)
    }
  }

  /// Changes the object with a key.
  /// - Throws: `objectNotFound`, and what `mutate` throws.
  public func update<E: IdentifiableStorage>(_ type: E.Type, id: E.ID, _ mutate: @Sendable (inout E) throws -> Void) async throws {
    try core().write(timeout: configuration.lockTimeout, durability: configuration.durability) { transaction in
      try transaction.update(type, id: id, mutate)
    }
  }
  /// Changes the objects of a query: all or none. - Returns: how many.
  @discardableResult
  public func update<E: StorageObject>(
    _ type: E.Type, matching query: DatabaseQuery<E>, _ mutate: @Sendable (inout E) throws -> Void
  ) async throws -> Int { try await write { transaction in try transaction.update(type, matching: query, mutate) } }

  /// Removes the object with a key. - Returns: whether there was one.
  @discardableResult
  public func delete<E: IdentifiableStorage>(_ type: E.Type, id: E.ID) async throws(StorageError) -> Bool {
    try storing { transaction throws(StorageError) in try transaction.delete(type, id: id) }
  }
  /// Removes the objects of a query. - Returns: how many.
  @discardableResult
  public func delete<E: StorageObject>(_ type: E.Type, matching query: DatabaseQuery<E>) async throws(StorageError) -> Int {
    try storing { transaction throws(StorageError) in try transaction.delete(type, matching: query) }
  }
  /// Removes every object of a type. - Returns: how many there were.
  @discardableResult
  public func deleteAll<E: StorageObject>(_ type: E.Type) async throws(StorageError) -> Int {
    try storing { transaction throws(StorageError) in try transaction.deleteAll(type) }
  }
  /// Removes every object of the listed types.
  public func deleteAll() async throws(StorageError) {
    try storing { transaction throws(StorageError) in try transaction.deleteAll() }
  }
}
