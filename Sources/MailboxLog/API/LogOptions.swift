/// How a log or a mailbox is opened. Each default is the safe choice; set what differs.
public struct LogOptions: Sendable {
  /// One key for writing and reading; nil means a plain file.
  public var key: EncryptionKey?
  /// Mailboxes only: the writer seals to this key and can't read. Excludes `key` and `readKey`.
  public var writeOnlyKey: MailboxPublicKey?
  /// Mailboxes only: opens what was sealed to its public half, and what it appends is sealed to that. Excludes `key` and `writeOnlyKey`.
  public var readKey: MailboxPrivateKey?
  /// Whether anything may be written.
  public var access: LogAccess = .readWrite
  /// nil means the default of the face: `.powerLoss` for `MailboxWriter`, `.processCrash` for `KeyValueLog`.
  public var durability: LogDurability?
  /// The longest wait for a file's lock. An append to a mailbox never waits for one; an acknowledgement does only where the file
  /// system copies on write.
  public var lockTimeout: Duration = .seconds(1)
  /// Bytes of an entry's id and value together; more is `recordTooLarge`. At most 1 GiB.
  public var recordByteCountMax = 16 << 20
  /// Bytes on disk, all segments together; nil means the default of the face: 256 MiB for a mailbox, none for a log.
  public var capacity: UInt64?
  /// What happens at the capacity.
  public var overflow: LogOverflowPolicy = .reject
  /// Mailboxes only: what a writer or a reader does whose key doesn't fit some of the segments that are there.
  public var keyMismatch: LogKeyMismatchPolicy = .fail
  /// What opening does about damage.
  public var recovery: LogRecoveryPolicy = .report
  /// Whether a missing directory is made; `notFound` otherwise.
  public var createIfMissing = true
  /// Modes of files and directories that are made.
  public var permissions: LogPermissions = .owner
  /// On Apple's systems, the protection class of what is made; elsewhere it only decides, with `.complete`, that nothing is mapped.
  public var fileProtection: LogFileProtection = .completeUntilFirstUserAuthentication
  /// On Apple's systems, whether backups of the device leave out what is made.
  public var excludedFromBackup = true
  /// Told of what an operator may want to know, on the caller's thread; keep it short, and call nothing of the handle that tells.
  public var logHandler: (@Sendable (LogEvent) -> Void)?
  /// Called after each operation, on the caller's thread; keep it short.
  public var metricsHandler: (@Sendable (LogMetric) -> Void)?

  /// Every other option at its default.
  public init(key: EncryptionKey? = nil) { self.key = key }
  /// For a helper that may append and not read. Every other option at its default.
  public init(writeOnlyKey: MailboxPublicKey) { self.writeOnlyKey = writeOnlyKey }
  /// For the main process of such helpers. Every other option at its default.
  public init(readKey: MailboxPrivateKey) { self.readKey = readKey }
}

/// What a write survives once its call has returned.
public enum LogDurability: Sendable {
  /// The death of the process, at any instant. No sync.
  case processCrash
  /// Loss of power as well: one sync before the call returns.
  case powerLoss
}
/// Whether a handle may write.
public enum LogAccess: Sendable {
  /// Everything.
  case readWrite
  /// Writes nothing, makes no file, takes no lock: works in a read-only directory.
  case readOnly
}
/// What happens when the capacity is used up.
public enum LogOverflowPolicy: Sendable {
  /// `LogError.full`.
  case reject
  /// Drops the oldest records, whole segments of a mailbox, and says so through `LogEvent.Kind.oldestDropped`.
  case dropOldest
}
/// What happens where two sides have different keys.
public enum LogKeyMismatchPolicy: Sendable {
  /// `LogError.wrongKey`.
  case fail
  /// A writer appends to a segment of its own; a reader passes over what others wrote for another reader.
  case ownSegment
}
/// What opening does about damage.
public enum LogRecoveryPolicy: Sendable {
  /// Keeps every good record and reports the damage.
  case report
  /// `LogError.corrupted` at opening, and nothing is rebuilt.
  case fail
}
/// Modes of what is created; what exists keeps its own.
public enum LogPermissions: Sendable {
  /// Files 0600, directories 0700.
  case owner
  /// Files 0660, directories 2770: for processes of several users that share a group.
  case group
}
