import RawMemory
import Sealing
import StorageIO

/// Leaving an index behind, so that nobody reads a long tail.
extension LogHandle {
  /// Records without an index that a newcomer may have to read: sealed ones have to be opened for their keys.
  private func unindexedCountMax(_ log: OpenLog) -> Int { log.segment.isSealedFile ? 1024 : 4096 }

  func isIndexDue(_ log: OpenLog) -> Bool { log.unindexedCount >= unindexedCountMax(log) }

  /// Under the file's lock, after a write. Runs of about one size are merged, as carrying does it in a binary number.
  func index(_ log: OpenLog) throws(LogError) {
    var entries = try log.unindexedEntries()
    var merged = 0
    for run in log.runs {
      guard run.entryCount <= UInt64(entries.count) * 2, Int(run.entryCount) + entries.count <= IndexLayout.entryCountMax,
        let older = log.blocks.entries(of: run, in: log.view)
      else { break }
      entries += older
      merged += 1
    }
    let previous = log.runs.dropFirst(merged).first?.offset ?? 0
    let offset = log.knownEnd
    let addition = addition(isSealed: log.segment.isSealedFile)
    IndexWriter(segment: log.segment, writer: writer, observer: context.nonceObserver).add(
      entries, to: addition.frames, at: offset, clearedEnd: log.clearedEnd, previous: previous, counter: &counter)
    _ = try place(addition, in: log)
    let segment = log.segment
    try at(path) { () throws(SystemError) in try segment.words.store(offset, .indexBlock) }
  }
}

extension OpenLog {
  /// Each key's newest record behind the newest run.
  func unindexedEntries() throws(LogError) -> [IndexEntry] {
    let start = runs.first?.coveredEnd ?? SegmentLayout.dataStart
    var offsets: [UInt64] = []
    table.forEachOffset { offset in if offset >= start { offsets.append(offset) } }
    var entries: [IndexEntry] = []
    entries.reserveCapacity(offsets.count)
    for offset in offsets {
      guard let record = record(at: offset) else { continue }
      entries.append(IndexEntry(hash: record.buffer.withSpan(record.keyRange) { hash($0) }, offset: offset))
    }
    return entries
  }
}
