#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a migration did, or (from `dryRunMigration`) would do.
public struct MigrationReport: Sendable {
  /// The file's version before.
  public internal(set) var fromVersion: UInt64 = 0
  /// The file's version afterwards.
  public internal(set) var toVersion: UInt64 = 0
  /// How the schemas differed.
  public internal(set) var differences: [SchemaDifference] = []
  /// Rows written or deleted.
  public internal(set) var changedObjectCount = 0
  /// The file as it was, if a copy was asked for.
  public internal(set) var copy: URL?
}
