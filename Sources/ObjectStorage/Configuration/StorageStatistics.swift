/// What a store holds and what that costs, at one moment.
public struct StorageStatistics: Sendable {
  /// Bytes of the file.
  public internal(set) var fileByteCount: UInt64 = 0
  /// Bytes of the file that aren't free.
  public internal(set) var usedByteCount: UInt64 = 0
  /// Bytes of pages in memory.
  public internal(set) var pageCacheByteCount = 0
  /// Objects by the type's name in the file.
  public internal(set) var objectCounts: [String: Int] = [:]
  /// The version that this is about.
  public internal(set) var version: StorageVersion
  /// Versions that readers hold, of all processes.
  public internal(set) var pinnedVersions: [PinnedVersion] = []
}

/// A version that some reader holds, and what that costs.
public struct PinnedVersion: Sendable {
  /// The version.
  public let version: StorageVersion
  /// Whose reader it is.
  public let processID: Int32
  /// How long it has been held.
  public let age: Duration
  /// Bytes of the file that can't be reused meanwhile.
  public let heldByteCount: UInt64
}

/// What `verify` found.
public struct VerificationReport: Sendable {
  /// Pages that were read and checked.
  public internal(set) var checkedPageCount: UInt64 = 0
  /// One sentence for each thing that is wrong.
  public internal(set) var problems: [String] = []
  /// One sentence for each thing that isn't wrong with the version and that is worth knowing: a newer commit that opening passed over.
  public internal(set) var notes: [String] = []
  /// Whether nothing is wrong.
  public var isClean: Bool { problems.isEmpty }
}

/// What `salvage` saved and what it could not.
public struct SalvageReport: Sendable {
  /// Objects by the type's name in the file.
  public internal(set) var savedObjectCounts: [String: Int] = [:]
  /// One sentence for each stretch of a tree that couldn't be read.
  public internal(set) var lostRanges: [String] = []
}
