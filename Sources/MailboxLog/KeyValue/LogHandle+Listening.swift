import RawMemory
package import StorageIO

/// What an iteration over changes needs; it is in another module, since a helper that listens to nothing shouldn't carry the concurrency
/// runtime.
extension KeyValueLog {
  /// A key that was set or removed.
  package struct ListenedChange {
    package let key: String
    package let isRemoval: Bool
    package let sequence: UInt64
  }

  package var isClosed: Bool { handle.state.isClosed }
  package var isReadOnly: Bool { handle.isReadOnly }
  package var system: SystemCalls { handle.context.system }
  package var directory: String { handle.context.directory.path }

  /// Has `wake` called after a close and after a resumption, until it is removed.
  package func addWaker(_ wake: @escaping @Sendable () -> Void) -> Int { handle.wakers.add(wake) }
  package func removeWaker(_ number: Int) { handle.wakers.remove(number) }

  /// The number of the last change.
  package func lastChange() throws(LogError) -> UInt64 {
    try handle.reading { log throws(LogError) in log.lastSequence }
  }

  /// Asks the next write to ring, and returns what has changed since a number: each key once, as it is now.
  ///
  /// Compactions keep removals for ten seconds, so that none is missed by who looks once a second.
  package func listen(since sequence: UInt64) throws(LogError) -> [ListenedChange] {
    try handle.reading { log throws(LogError) in
      if !isReadOnly { try at(path) { () throws(SystemError) in try log.segment.words.awaitRing() } }
      try log.catchUp()
      guard log.lastSequence > sequence else { return [] }
      var changes: [ListenedChange] = []
      try log.forEachRecord { record, _ throws(LogError) in
        guard record.sequence > sequence, record.kind != .removeAll, try log.isNewest(record) else { return }
        changes.append(ListenedChange(key: record.key, isRemoval: record.kind == .remove, sequence: record.sequence))
      }
      return changes
    }
  }
}
