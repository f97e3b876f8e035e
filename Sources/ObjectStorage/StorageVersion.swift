/// A committed state of one store. Can be remembered across launches.
public struct StorageVersion: Sendable, Hashable, Comparable, Codable {
  package let transactionID: UInt64
  /// An earlier commit is less than a later one of the same store.
  public static func < (a: StorageVersion, b: StorageVersion) -> Bool { a.transactionID < b.transactionID }
}
