import StorageIO

/// The words that the lock file keeps for the engine. 0 in a table that begins.
extension Engine {
  /// Not 0 while somebody swaps the file for a compacted one, or died over it: the path may lead to another file than one's own.
  static let supersedingWord = 0
  /// Not 0 from a failed sync to the next one that made up for it.
  static let failedSyncWord = 1
  /// Whether the file's name survives a loss of power, as `FileNaming`.
  static let namingWord = 2
  /// Not 0 while a compaction holds the writer's lock for long, or died with it.
  static let compactingWord = 3
}

/// What is known of the name under which the file is found.
///
/// What is made durable in a file is lost with the file's name: if a swap's rename, or the name of a new file, isn't on the disk, the
/// machine comes up with the old file or with none. So the first durable commit after any of these syncs the directory too, whoever makes
/// it: who made the name may have died before its own sync, and a sync that does nothing isn't noticed by anybody.
enum FileNaming: UInt64 {
  /// Not known: in a new table, and after a swap.
  case unconfirmed = 0
  case durable = 1
  /// A sync of the directory failed. The kernel takes what it lost for written, so no later sync says anything about this name: only a
  /// new name does, which the next compaction makes.
  case failed = 2
}

extension Engine {
  var nameState: FileNaming {
    get { FileNaming(rawValue: lockFile.extraWord(Self.namingWord)) ?? .unconfirmed }
    set { lockFile.setExtraWord(Self.namingWord, newValue.rawValue) }
  }

  /// By the writer, before a commit counts as durable.
  ///
  /// - Throws: `failedEarlier` after a sync of the directory that failed; a system call's failure. The handle takes no more writes then.
  /// - Complexity: O(1); one sync after the file got its name, nothing afterwards.
  func makeNameDurable() throws(EngineError) {
    switch nameState {
    case .durable: return
    case .failed:
      markFailed()
      throw .failedEarlier
    case .unconfirmed: break
    }
    if isInMemory { return }
    do throws(SystemError) {
      try StorageDirectory.synchronize(system, PathParts(path).directory)
    } catch {
      // A directory that this user may not read can't be synced by it.
      if error.call == .open, error.code == ErrorNumber.noPermission || error.code == ErrorNumber.notPermitted { return }
      if error.call == .synchronize {
        markFailed()
        nameState = .failed
      }
      throw EngineError(error, path: path)
    }
    nameState = .durable
  }
}
