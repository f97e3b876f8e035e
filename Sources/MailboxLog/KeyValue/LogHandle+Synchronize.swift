import RawMemory
import StorageIO

/// Durability.
extension LogHandle {
  /// On return everything appended before the call survives a loss of power. Without a lock, as for a mailbox.
  func synchronize(_ log: OpenLog, to end: UInt64, from syncedEnd: UInt64) throws(LogError) {
    do throws(SystemError) {
      try log.segment.file.synchronizeData()
      context.system.reach(.recordSynced)
      if syncedEnd == 0 { try context.synchronizeNames() }
      try log.segment.words.noteSynced(to: end, from: syncedEnd)
    } catch {
      // The kernel may have dropped what it couldn't write and show it as clean.
      state.fail()
      throw LogError(error, path: path)
    }
  }

  func synchronize() throws(LogError) {
    try state.checkWritable()
    if isReadOnly { throw .readOnly }
    try acquire()
    let log: OpenLog
    let syncedEnd: UInt64
    do throws(LogError) {
      try state.checkWritable()
      log = try current()
      try log.catchUp()
      let segment = log.segment
      syncedEnd = try at(path) { () throws(SystemError) in try segment.words.load(.syncedEnd) } ?? 0
    } catch {
      release()
      throw error
    }
    let end = log.knownEnd
    release()
    try synchronize(log, to: end, from: syncedEnd)
  }
}
