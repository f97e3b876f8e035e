import RawMemory
import Sealing
package import StorageIO

/// What an iteration over changes needs; it is in another module, since a helper that listens to nothing shouldn't carry the concurrency
/// runtime.
extension KeyValueLog {
  /// A key that was set or removed.
  package struct ListenedChange: Sendable {
    package let key: String
    package let isRemoval: Bool
    package let sequence: UInt64
  }

  package var isClosed: Bool { handle.state.isClosed }
  package var isReadOnly: Bool { handle.isReadOnly }
  package var system: SystemCalls { handle.system }
  package var directory: String { handle.directory }

  /// Has `wake` called after a close and after a resumption, until it is removed.
  package func addWaker(_ wake: @escaping @Sendable () -> Void) -> Int { handle.wakers.add(wake) }
  package func removeWaker(_ number: Int) { handle.wakers.remove(number) }

  /// The number of the last change.
  package func lastChange() throws(LogError) -> UInt64 {
    try handle.reading { log throws(LogError) in log.lastSequenceWord }
  }

  /// Asks the next write to ring, and returns what has changed since a number: each key once, as it is now, in the order of the changes.
  ///
  /// Compactions keep what this needs for ten seconds (`LogHandle.Compaction.removalAgeMax`), so that none is missed by who looks once a second.
  /// - Returns: the changes, and the number of the last one, to go on from.
  package func listen(since sequence: UInt64) throws(LogError) -> (changes: [ListenedChange], last: UInt64) {
    try handle.reading { log throws(LogError) in
      // Registered first, looked at afterwards: a write in between is seen, one after it rings.
      if !isReadOnly { try at(path) { () throws(SystemError) in try log.segment.words.awaitRing() } }
      try log.catchUp()
      let last = log.lastSequenceWord
      guard last > sequence else { return ([], last) }
      // A file whose records all came before is a backup that was restored: everything in it is new.
      return (try log.changes(since: log.lastSequence > sequence ? sequence : 0), last)
    }
  }
}

extension OpenLog {
  fileprivate func changes(since sequence: UInt64) throws(LogError) -> [KeyValueLog.ListenedChange] {
    var changes = try clearedChanges(since: sequence)
    try forEachNewest { record, _ throws(LogError) in
      guard record.sequence > sequence else { return }
      changes.append(KeyValueLog.ListenedChange(key: record.key, isRemoval: record.kind == .remove, sequence: record.sequence))
    }
    return changes
  }

  /// Keys that had a value, or lost it, before a record that removed all, and have no newer record.
  private func clearedChanges(since sequence: UInt64) throws(LogError) -> [KeyValueLog.ListenedChange] {
    guard clearedEnd > SegmentLayout.dataStart else { return [] }
    var words = KeyWords()
    var cleared = KeyWords()
    try walk(from: SegmentLayout.dataStart, to: clearedEnd) { visit throws(LogError) in
      guard case .record(let frame, let range, isGood: true) = visit else { return }
      if frame.kind == .removeAll {
        for word in words.last() {
          // What had a value loses it here; what had none any more was told, or wasn't, by its own number.
          let lost = word.isRemoval ? word.sequence : frame.sequence
          if lost > sequence { cleared.add(word.hash, word.key, lost, isRemoval: true) }
        }
        words = KeyWords()
      } else if frame.kind == .set || frame.kind == .remove, let record = record(at: range.lowerBound) {
        let key = record.buffer.bytes(record.keyRange)
        words.add(hash(key.span), key, frame.sequence, isRemoval: frame.kind == .remove)
      }
    }
    var changes: [KeyValueLog.ListenedChange] = []
    for word in cleared.last() {
      if try find(word.key.span, word.hash, remembers: false) != nil { continue }
      changes.append(KeyValueLog.ListenedChange(key: word.key.span.decodedString(), isRemoval: true, sequence: word.sequence))
    }
    return changes.sorted { $0.sequence < $1.sequence }
  }
}

/// What records have said of keys, one after the other.
private struct KeyWords {
  struct Word {
    let hash: UInt64
    let key: [UInt8]
    let sequence: UInt64
    let isRemoval: Bool
  }
  private var words: [Word] = []

  mutating func add(_ hash: UInt64, _ key: [UInt8], _ sequence: UInt64, isRemoval: Bool) {
    words.append(Word(hash: hash, key: key, sequence: sequence, isRemoval: isRemoval))
  }

  /// Of each key the last one.
  func last() -> [Word] {
    let sorted = words.sorted { $0.hash == $1.hash ? $0.sequence < $1.sequence : $0.hash < $1.hash }
    var last: [Word] = []
    for (index, word) in sorted.enumerated() {
      var later = index + 1
      while later < sorted.count, sorted[later].hash == word.hash, sorted[later].key != word.key { later += 1 }
      if later == sorted.count || sorted[later].hash != word.hash { last.append(word) }
    }
    return last
  }
}
