package import StorageIO

/// Looking after a log. Writes go on meanwhile, but for the moment in which one file takes another's place.
extension KeyValueLog {
  /// Writes the file anew with what is live. It happens by itself when the file has grown over four times that and 256 KiB.
  ///
  /// Killed at any instant, the path leads to the old file or to the new one, whole. When another process is compacting the log, this does nothing.
  /// - Complexity: O(live bytes); a megabyte or two of memory.
  public func compact() throws(LogError) {
    try handle.context.measured(.compact, 0) { () throws(LogError) in _ = try handle.compact() }
  }

  /// What was written before, by any process, survives a loss of power from here on.
  public func synchronize() throws(LogError) {
    try handle.context.measured(.synchronize, 0) { () throws(LogError) in try handle.synchronize() }
  }

  /// Writes the file anew under another key; nil makes it plain. Killed at any point, one of the two keys opens everything.
  ///
  /// Other handles throw ``LogError/keyChanged`` from then on.
  /// - Throws: ``LogError/busy(waited:)`` when another process is compacting the log: the key is as it was.
  public func rekey(to key: EncryptionKey?) throws(LogError) { try handle.rekey(to: key) }

  /// Copies the log, as it is at one moment, to a file of its own, in place of one that is there. Nobody waits meanwhile.
  public func backup(to path: String) throws(LogError) { try handle.backup(to: path) }

  /// Puts a copy in the place of the log at `path`, which needn't be there.
  ///
  /// Handles that are open on it, in any process, see the restored contents. The backup stays as it is; it may be of another key.
  /// - Throws: ``LogError/notFound(path:)`` or ``LogError/notALog(path:)`` for the backup; ``LogError/busy(waited:)`` after a second of waiting
  ///   for the log's lock. The log is as it was then.
  public static func restore(from backup: String, to path: String) throws(LogError) {
    try restore(from: backup, to: path, system: .live)
  }
  package static func restore(from backup: String, to path: String, system: SystemCalls) throws(LogError) {
    try LogHandle.restore(from: backup, to: path, system: system)
  }

  /// Counts and sizes. - Complexity: O(records).
  public func statistics() throws(LogError) -> LogStatistics { try handle.statistics() }

  /// Looks at every record. - Complexity: O(bytes).
  public func verify() throws(LogError) -> DamageReport { try handle.verify() }
}
