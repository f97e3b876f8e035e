#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What opening did.
public struct OpenReport: Sendable {
  /// There was no file.
  public internal(set) var wasCreated = false
  /// Another store of this process had the file open already.
  public internal(set) var joinedOpenStore = false
  /// What a migration did; nil if none was needed.
  public internal(set) var migration: MigrationReport?
  /// Fell back to the commit before the last one, which wasn't whole: a loss of power cut it off, or a page of it is damaged, which can't be
  /// told apart without the lock file. The corruption policy isn't asked. `ObjectStore.verify()` names the page.
  public internal(set) var didDropLastCommit = false
  /// The file was plain, and is encrypted now. Always false in this version: a plain file that is opened with a key is
  /// `StorageError.keyNotExpected`.
  public internal(set) var wasEncryptedNow = false
  /// `shouldCompactOnLaunch` asked for it, and the file was compacted.
  public internal(set) var wasCompacted = false
  /// Set when the corruption policy acted: why.
  public internal(set) var reset: StorageError?
  /// Where the corruption policy moved the damaged file.
  public internal(set) var quarantinedFile: URL?
  /// What the corruption policy saved. Always nil in this version.
  public internal(set) var salvage: SalvageReport?
  /// What the file really has; nil where the system knows no such thing.
  public internal(set) var fileProtection: StorageFileProtection?
  /// The version that was current when the store was opened.
  public internal(set) var version: StorageVersion
}
