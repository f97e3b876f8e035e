import RawMemory
import StorageIO

/// The end of a segment. Every step can be the last of a process; whoever comes next goes on.
extension LogContext {
  /// Removes a segment if nothing waits in it and nobody is appending.
  ///
  /// Sealed first, so that nothing is appended; then marked removed and synced, so that what follows isn't taken for damage;
  /// then the salt is overwritten, which makes the subkeys underivable (as far as the storage doesn't keep old blocks); then
  /// the name goes, durably.
  /// - Returns: whether it is gone.
  func removeIfConsumed(_ segment: Segment) throws(SystemError) -> Bool {
    guard try segment.file.tryLock() else { return false }
    defer { segment.file.unlock() }
    let words = segment.words
    if try segment.state() != .removed {
      // Looked at again under the lock: an append may have come in between.
      // A loss of power may have cut the file off below the committed end: nothing waits behind the file's end.
      guard let committed = try words.load(.committedEnd), let consumed = try words.load(.consumedEnd),
        consumed >= min(committed, try segment.file.status().byteCount & ~UInt64(SegmentLayout.alignment - 1))
      else { return false }
      // A new segment that nobody has appended to yet waits for its first record.
      if committed <= SegmentLayout.dataStart, segment.isTrusted, try segment.state() == .active { return false }
      try markRemoved(segment)
    }
    try erase(segment.file, segment.number)
    return true
  }

  /// Removes a segment with what waits in it. - Returns: how many entries that were; nil when somebody is using the segment.
  func removeUnread(_ segment: Segment) throws(SystemError) -> UInt64? {
    guard try segment.file.tryLock() else { return nil }
    defer { segment.file.unlock() }
    var count: UInt64 = 0
    if try segment.state() != .removed {
      let last = try segment.words.load(.lastSequence) ?? 0
      let consumed = try segment.words.load(.consumedSequence) ?? 0
      count = last - min(last, consumed)
      try markRemoved(segment)
    }
    try erase(segment.file, segment.number)
    return count
  }

  private func markRemoved(_ segment: Segment) throws(SystemError) {
    try segment.seal()
    try segment.words.store(SegmentState.removed.rawValue, .state)
    system.reach(.segmentMarkedRemoved)
  }

  /// Ends a removal that another process began. Does nothing while that process is at it.
  /// - Returns: whether the name is known to be gone.
  @discardableResult
  func finishRemoval(of number: SegmentNumber, _ file: StorageFile) -> Bool {
    guard options.access == .readWrite, (try? file.tryLock()) == true else { return false }
    defer { file.unlock() }
    return (try? erase(file, number)) != nil
  }

  /// Removes a file that never became more than a name: zeros, which no promise covers.
  func removeBlank(_ number: SegmentNumber, _ file: StorageFile) throws(SystemError) {
    guard try file.tryLock() else { return }
    defer { file.unlock() }
    guard try isZero(file), try isNamed(file, number) else { return }
    try directory.remove(number.name)
    report(.recovered, "segment \(number.name) was empty after a loss of power, and is removed")
  }

  /// Whether a file has nothing but zeros in it.
  func isZero(_ file: StorageFile) throws(SystemError) -> Bool {
    let buffer = ByteBuffer(count: 64 << 10)
    var offset: UInt64 = 0
    while true {
      let count = try file.read(buffer, 0..<buffer.count, at: offset)
      if count == 0 { return true }
      for i in 0..<count where buffer.load(UInt8.self, at: i) != 0 { return false }
      offset += UInt64(count)
    }
  }

  private func erase(_ file: StorageFile, _ number: SegmentNumber) throws(SystemError) {
    guard try isNamed(file, number) else { return }
    try file.synchronizeData()
    let zeros = ByteBuffer(count: 32)
    try file.write(zeros, 0..<32, at: UInt64(SegmentLayout.Header.salt))
    system.reach(.saltOverwritten)
    try directory.remove(number.name)
    system.reach(.segmentUnlinked)
    try directory.synchronize()
    system.reach(.directorySynced)
    report(.segmentRemoved, "segment \(number.name) removed")
  }

  /// Whether the name still is this file's: a name comes again after a removal.
  func isNamed(_ file: StorageFile, _ number: SegmentNumber) throws(SystemError) -> Bool {
    try file.isNamed(by: directory.path(of: number.name))
  }
}
