import RawMemory
import Sealing
import StorageIO

/// Finding keys, and records by their place.
extension OpenLog {
  /// Where a key's newest record is, which may be a removal; nil when there is none that counts.
  /// - Parameters:
  ///   - remembers: whether a key that only a run knows is kept in memory from here on.
  @inline(__always)
  func find(_ key: Span<UInt8>, _ hash: UInt64, remembers: Bool = true) throws(LogError) -> UInt64? {
    if let slot = slot(key, KeyTable.tag(hash)) { return table.offset(slot) }
    return runs.isEmpty ? nil : try findInRuns(key, hash, remembers: remembers)
  }

  /// A key's value, where the table has it and nothing is unusual; nil says nothing, and `newest` is asked.
  @inline(__always)
  func known(_ key: Span<UInt8>) -> StoredRecord? {
    let tag = KeyTable.tag(hash(key))
    guard let slot = table.first(tag) else { return nil }
    let offset = table.offset(slot)
    if isSealed { return knownOpened(offset, key) }
    guard hasPlainKey(offset, key), let record = stored(offset), record.isSet, record.expiresAt == 0 else { return nil }
    return record
  }

  private func knownOpened(_ offset: UInt64, _ key: Span<UInt8>) -> StoredRecord? {
    guard let stored = stored(offset), stored.isSet, stored.keyByteCount == key.count, let record = open(stored),
      record.hasKey(key),
      record.expiresAt == 0
    else { return nil }
    return record
  }

  /// A key's newest record, opened where it is sealed; nil when there is none that counts.
  func newest(_ key: Span<UInt8>, _ hash: UInt64) throws(LogError) -> StoredRecord? {
    let tag = KeyTable.tag(hash)
    var slot = table.first(tag)
    while let found = slot {
      let offset = table.offset(found)
      if isSealed {
        if let record = try openedRecord(offset, key) { return record }
      } else if hasPlainKey(offset, key) {
        guard let record = stored(offset) else { throw Self.damaged(offset) }
        return record
      }
      slot = table.next(found, tag)
    }
    return runs.isEmpty ? nil : try newestInRuns(key, hash)
  }

  private func newestInRuns(_ key: Span<UInt8>, _ hash: UInt64) throws(LogError) -> StoredRecord? {
    guard let offset = try findInRuns(key, hash, remembers: true) else { return nil }
    guard let record = record(at: offset) else { throw Self.damaged(offset) }
    return record
  }

  static func damaged(_ offset: UInt64) -> LogError {
    .corrupted(offset: offset, reason: "the record doesn't match its checksum or tag any more")
  }

  /// The slot of a key that is in memory.
  @inline(__always) func slot(_ key: Span<UInt8>, _ tag: UInt64) -> Int? {
    var slot = table.first(tag)
    while let found = slot {
      let offset = table.offset(found)
      if isSealed ? hasSealedKey(offset, key) : hasPlainKey(offset, key) { return found }
      slot = table.next(found, tag)
    }
    return nil
  }

  /// Whether a record that was checked is of a key.
  @inline(__always) private func hasPlainKey(_ offset: UInt64, _ key: Span<UInt8>) -> Bool {
    guard offset < UInt64(view.count), view.count - Int(offset) >= SegmentLayout.Frame.body else { return false }
    let start = Int(offset)
    let byteCount = Int(view.load(UInt32.self, at: start + SegmentLayout.Frame.idByteCount))
    guard byteCount == key.count, view.count - start - SegmentLayout.Frame.body >= byteCount else { return false }
    return view.equals(start + SegmentLayout.Frame.body..<start + SegmentLayout.Frame.body + byteCount, key)
  }

  /// The record at an offset, opened; nil when it is another key's.
  private func openedRecord(_ offset: UInt64, _ key: Span<UInt8>) throws(LogError) -> StoredRecord? {
    guard let stored = stored(offset), stored.keyByteCount == key.count else { return nil }
    guard let record = open(stored) else {
      if hasSealedKey(offset, key) { throw Self.damaged(offset) }
      return nil
    }
    return record.hasKey(key) ? record : nil
  }

  /// The same of a sealed one. Only the key is deciphered, since the tag was looked at before.
  private func hasSealedKey(_ offset: UInt64, _ key: Span<UInt8>) -> Bool {
    guard let stored = stored(offset), stored.keyByteCount == key.count else { return false }
    if let buffer = opened.buffer(at: offset, byteCount: stored.totalByteCount) {
      return buffer.equals(SegmentLayout.Frame.body..<SegmentLayout.Frame.body + key.count, key)
    }
    guard let keyScratch, reveal(stored) else { return false }
    return keyScratch.equals(0..<key.count, key)
  }

  /// Deciphers the key of a record into `keyScratch`.
  private func reveal(_ stored: StoredRecord) -> Bool {
    guard let keyScratch, stored.keyRange.count <= keyScratch.count, let keys = segment.keys else { return false }
    return keys.cipher(for: stored.writer).reveal(view, stored.keyRange, counter: stored.counter, to: keyScratch)
  }

  /// Whether a record is its key's last word. Of its body nothing is believed: one that is damaged isn't, or is met as damage when it is opened.
  /// - Complexity: a look-up, which leaves nothing in memory.
  func isNewest(_ stored: StoredRecord) throws(LogError) -> Bool {
    guard stored.offset >= clearedEnd else { return false }
    if !segment.isSealedFile { return try isNewest(stored.offset, stored.buffer, stored.keyRange) }
    guard let keyScratch, reveal(stored) else { return false }
    return try isNewest(stored.offset, keyScratch, 0..<stored.keyRange.count)
  }

  private func isNewest(_ offset: UInt64, _ buffer: ByteBuffer, _ keyRange: Range<Int>) throws(LogError) -> Bool {
    let hash = buffer.withSpan(keyRange) { self.hash($0) }
    if table.has(KeyTable.tag(hash), offset) { return true }
    // What is looked for is looked at meanwhile: sealed keys go through the same memory.
    let key = ByteBuffer(count: max(keyRange.count, 1), isWiped: segment.isSealedFile)
    key.copy(from: buffer, keyRange, at: 0)
    var found: UInt64?
    var failure: LogError?
    key.withSpan(0..<keyRange.count) { key in
      do throws(LogError) { found = try find(key, hash, remembers: false) } catch { failure = error }
    }
    if let failure { throw failure }
    return found == offset
  }

  private func findInRuns(_ key: Span<UInt8>, _ hash: UInt64, remembers: Bool) throws(LogError) -> UInt64? {
    for run in runs where run.coveredEnd > clearedEnd {
      var newest: UInt64?
      let isFound = try blocks.find(hash, in: run, view) { offset throws(LogError) in
        guard offset >= clearedEnd, let record = checkedRecord(at: offset), record.hasKey(key) else { return false }
        newest = offset
        return true
      }
      guard let isFound else {
        // An index is a help and nothing that anybody entrusted: without it the log is read.
        context.report(.damageFound, "the index of \(segment.file.path) is damaged: all of the log is read")
        try abandonRuns()
        return try find(key, hash)
      }
      if isFound, let newest {
        if remembers { table.insert(KeyTable.tag(hash), newest) }
        return newest
      }
    }
    return nil
  }

  // MARK: Records by their place

  /// What the mapping has at an offset, sealed as it may be; nil when it isn't all there.
  @inline(__always) func stored(_ offset: UInt64) -> StoredRecord? {
    guard offset < UInt64(view.count) else { return nil }
    return StoredRecord(view, at: Int(offset), fileOffset: offset, isSealed: isSealed)
  }

  /// A record whose checksums were found good before, opened; nil when its tag doesn't fit.
  @inline(__always) func record(at offset: UInt64) -> StoredRecord? {
    guard let stored = stored(offset) else { return nil }
    return isSealed ? open(stored) : stored
  }

  /// A record that may be anything; nil when it is damaged.
  private func checkedRecord(at offset: UInt64) -> StoredRecord? {
    guard offset >= SegmentLayout.dataStart, offset % 8 == 0, offset + UInt64(SegmentLayout.Frame.body) <= knownEnd else {
      return nil
    }
    let start = Int(offset)
    let frame = RecordFrame(
      view, at: start, fileOffset: offset, byteCountMax: knownEnd - offset, isSealed: segment.isSealedFile,
      coding: segment.checksum)
    guard let frame,
      segment.checksum.bodyChecksum(view, at: start, totalByteCount: frame.totalByteCount) == frame.bodyChecksum
    else { return nil }
    return record(at: offset)
  }

  private func open(_ stored: StoredRecord) -> StoredRecord? {
    let byteCount = stored.totalByteCount
    if let buffer = opened.buffer(at: stored.offset, byteCount: byteCount) {
      return StoredRecord(buffer, at: 0, fileOffset: stored.offset, isSealed: true)
    }
    guard let keys = segment.keys else { return nil }
    let buffer = opened.makeBuffer(at: stored.offset, byteCount: byteCount)
    buffer.copy(from: view, stored.start..<stored.start + byteCount, at: 0)
    FrameAssociatedData.fill(associatedData, from: buffer, at: 0, fileOffset: stored.offset)
    // From here on the copy counts, whoever changes the file.
    guard let copy = StoredRecord(buffer, at: 0, fileOffset: stored.offset, isSealed: true), copy.totalByteCount == byteCount else {
      opened.forget(stored.offset, byteCount: byteCount)
      return nil
    }
    let body = SegmentLayout.Frame.body..<SegmentLayout.Frame.body + copy.bodyByteCount
    let isOpen = keys.cipher(for: copy.writer).open(
      buffer, body, tagAt: body.upperBound, associatedData: associatedData, 0..<associatedData.count, counter: copy.counter)
    if isOpen { return copy }
    opened.forget(stored.offset, byteCount: byteCount)
    return nil
  }
}
