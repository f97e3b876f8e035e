/// How a store is opened. A Sendable value; each default is the safe choice.
///
/// Nothing is looked at, made or asked for before the store is opened. All processes of one file list their own types; key,
/// location and file name must lead to the same file with the same key.
public struct StorageConfiguration: Sendable {
  /// Where the file lives.
  public var location: StorageLocation
  /// The file's name without its extension, which is `store`. Not used with `.file` and `.inMemory`.
  public var fileName: String
  /// The version of the code's schema. A file that is newer is `StorageError.schemaTooNew`; one that is older is migrated.
  public var schemaVersion: UInt64
  /// What the file is sealed with.
  public var encryption: Encryption
  /// The types that this process reads and writes; others in the file are left as they are.
  public var objectTypes: [any StorageObject.Type]

  /// Of every file and sidecar. nil leaves the system's default; elsewhere than on Apple's systems files are 0600.
  public var fileProtection: StorageFileProtection? = .completeUntilFirstUserAuthentication
  /// Whether backups of the device leave the file out.
  public var excludedFromBackup = true
  /// What opening does with a file that is damaged or isn't a store.
  public var corruptionPolicy: CorruptionPolicy = .rethrow
  /// The store isn't made, migrated or written; a write is `StorageError.readOnly`. The lock file beside it is made where there is none, so its
  /// directory must allow that.
  public var isReadOnly = false
  /// Instead of `StorageError.migrationNeeded`, the file is deleted and made anew. Everything in it is lost.
  public var deleteStoreIfMigrationNeeded = false
  /// Gets the file's bytes and those in use; true compacts while opening. Asked by the first store of the process that opens the file, if it
  /// may write it. Opening goes on without where another writer is busy or there is no room.
  public var shouldCompactOnLaunch: (@Sendable (_ totalByteCount: Int, _ usedByteCount: Int) -> Bool)?
  /// Bytes of pages that stay in memory for reading.
  public var pageCacheByteCountMax = 32 << 20
  /// Bytes of changed pages that a transaction holds in memory; past that they go to the file, unpublished.
  public var dirtyPageByteCountMax = 16 << 20
  /// Bytes that the file may have; a write past that is `StorageError.full`. nil is no limit.
  public var fileByteCountMax: UInt64?
  /// What a commit survives.
  public var durability: StorageDurability = .powerLoss
  /// How long a write waits for other writers, of this process and of others, before it is `StorageError.busy`.
  public var lockTimeout: Duration = .seconds(5)
  /// Runs in one transaction when the file's version is older than `schemaVersion`; gets the file's version.
  public var migrate: (@Sendable (inout Migration, UInt64) throws -> Void)?
  /// A copy of the file from before a change of its schema stays beside it, encrypted as the file is; `MigrationReport.copy` says where. It is
  /// the app's to delete. Without room for it the file isn't migrated.
  public var keepsCopyBeforeMigration = false
  /// Of opening: the copy before a migration, migrating (rows that new indexes were made for), compacting. Called on the thread that opens.
  public var progressHandler: (@Sendable (StorageProgress) -> Void)?
  /// Gets what an operator may want to know. Called on any thread, and mustn't call the store.
  public var logHandler: (@Sendable (StorageEvent) -> Void)?
  /// For tests of apps.
  public var testHooks: StorageTestHooks?
  /// The process opens what is there: it never creates, migrates or compacts. Set by `constrained()`.
  package private(set) var isConstrained = false
  /// When what happens is worth an event.
  package var watchLimits = StoreWatch.Limits()

  /// A configuration with every other property at its default.
  ///
  /// - Parameters:
  ///   - location: where the file lives.
  ///   - fileName: its name without extension.
  ///   - schemaVersion: the version of the code's schema.
  ///   - encryption: what the file is sealed with.
  ///   - objectTypes: the types that this process reads and writes.
  public init(
    location: StorageLocation = .applicationSupport,
    fileName: String = "default",
    schemaVersion: UInt64 = 1,
    encryption: Encryption = .none,
    objectTypes: [any StorageObject.Type]
  ) {
    self.location = location
    self.fileName = fileName
    self.schemaVersion = schemaVersion
    self.encryption = encryption
    self.objectTypes = objectTypes
  }
}

extension StorageConfiguration {
  /// A store that lives as long as a store of this identifier is open in the process.
  ///
  /// - Parameters:
  ///   - identifier: stores of one identifier share their content.
  ///   - schemaVersion: the version of the code's schema.
  ///   - objectTypes: the types that are read and written.
  public static func inMemory(
    identifier: String = "default", schemaVersion: UInt64 = 1, objectTypes: [any StorageObject.Type]
  ) -> StorageConfiguration {
    StorageConfiguration(location: .inMemory(identifier: identifier), schemaVersion: schemaVersion, objectTypes: objectTypes)
  }

  /// The same for helpers that write directly: 1 MiB of page cache, 256 KiB of dirty pages, 100 ms for a lock.
  ///
  /// A store that is opened with it never creates its file, migrates or compacts: that is left to the app.
  public func constrained() -> StorageConfiguration {
    var copy = self
    copy.pageCacheByteCountMax = 1 << 20
    copy.dirtyPageByteCountMax = 256 << 10
    copy.lockTimeout = .milliseconds(100)
    copy.isConstrained = true
    return copy
  }
}
