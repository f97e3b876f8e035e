extension ObjectStore {
  /// A write that survives a loss of power whatever the store's level: mail is acknowledged once it is committed here.
  package func writeDurably<T: Sendable>(_ body: @Sendable (inout WriteTransaction) throws -> T) async throws -> T {
    try core().write(timeout: configuration.lockTimeout, durability: .powerLoss, body)
  }
}
