/// Something that an operator may want to know and that isn't an error of the call. Never carries values.
public struct StorageEvent: Sendable {
  /// What happened. Raw values never change their meaning.
  public enum Kind: UInt8, Sendable {
    /// A store was opened.
    case opened
    /// Opening passed over a commit that wasn't whole, or finished what a killed process had begun.
    case recovered
    /// A page isn't what its checksum or its tag says.
    case damageFound
    /// The file was rewritten without free pages.
    case compacted
    /// The file has another key. Not told of in this version, which can't change a key.
    case rekeyed
    /// The schema of the file was changed.
    case migrated
    /// A writer waited for the lock for a tenth of a second or longer, whether it got it or not.
    case lockWaited
    /// A reader has held a version for a minute or longer, and a mebibyte or more of the file can't be used again for it. Looked for once a
    /// minute, after a commit; told once of each reader and version.
    case longPinnedVersion
    /// The corruption policy acted.
    case resetByPolicy
  }
  /// What happened.
  public let kind: Kind
  /// One sentence for people.
  public let message: String
}

/// How far a long operation has come.
public struct StorageProgress: Sendable {
  /// What is being done. Raw values never change their meaning.
  public enum Operation: UInt8, Sendable {
    /// A migration's steps.
    case migrating
    /// Sealing a plain file.
    case encrypting
    /// Rewriting the file without free pages.
    case compacting
    /// A copy or a backup.
    case copying
    /// Sealing with another key.
    case rekeying
    /// Checking every page.
    case verifying
    /// Saving what is readable.
    case salvaging
  }
  /// What is being done.
  public let operation: Operation
  /// Units done: objects of a migration, else pages.
  public let completedUnitCount: Int
  /// Units in all, as far as known; never less than those done.
  public let totalUnitCount: Int
}
