import MailboxLog
import StorageIO

/// The pending records of a mailbox or of one of its segments, one at a time and without changing anything.
final class RecordSource {
  private enum Backing {
    case mailbox(MailboxReader)
    case segment(SegmentInspection)
  }
  private let target: Target
  private let key: EncryptionKey?
  private let backing: Backing
  let notes: DamageNotes
  /// Where damage was met that the reader will report once more.
  private var notedOffsets: Set<UInt64> = []

  convenience init(_ invocation: Invocation) throws {
    let target = try invocation.target()
    let (key, backing) = try invocation.withKey { key in (key, try Self.open(target, key)) }
    self.init(target, key, backing, DamageNotes(path: target.path))
  }

  private init(_ target: Target, _ key: EncryptionKey?, _ backing: Backing, _ notes: DamageNotes) {
    self.target = target
    self.key = key
    self.backing = backing
    self.notes = notes
  }

  /// For another walk over what is there by then. A segment file is opened anew, because an inspection shows it as it was.
  func again(quietly: Bool) throws -> RecordSource {
    let notes = DamageNotes(path: target.path, isQuiet: quietly)
    if case .mailbox = backing { return RecordSource(target, key, backing, notes) }
    return RecordSource(target, key, try Self.open(target, key), notes)
  }

  private static func open(_ target: Target, _ key: EncryptionKey?) throws -> Backing {
    switch target {
    case .directory(let path):
      var options = LogOptions(key: key)
      options.access = .readOnly
      options.createIfMissing = false
      return .mailbox(try MailboxReader(directory: path, options: options))
    case .file(let path): return .segment(try SegmentInspection.open(path, key: key))
    }
  }

  /// In the order in which they would be drained. What can't be read is noted and left out.
  func forEach(_ body: (borrowing MailboxEntry) throws -> Void) throws {
    try untilEndOfWalk {
      switch backing {
      case .mailbox(let reader):
        _ = try reader.forEachPendingRecord(limit: .max, byteCountMax: .max) { entry in try pass(entry, to: body) }
      case .segment(let segment):
        try segment.forEachItem { item in
          if let reason = item.badReason { return notes.add("\(PositionText.bytes(item.range)): \(reason)") }
          if item.isAcknowledged || item.isBeyondCommittedEnd { return }
          try item.withEntry { entry in try pass(entry, to: body) }
        }
      }
    }
  }

  private func pass(_ entry: borrowing MailboxEntry, to body: (borrowing MailboxEntry) throws -> Void) throws {
    try ToolFailure.checkInterruption()
    if let failure = entry.openingFailure {
      if failure == .wrongKey || failure == .keyRequired { throw failure }
      if case .corrupted(let offset, _) = failure { notedOffsets.insert(offset) }
      return notes.add("record \(PositionText.short(entry.position)) can't be opened: \(failure.description)")
    }
    try body(entry)
  }

  /// Ends a listing: adds what the reader knows of damage between records. - Returns: 0, or 2 when something was left out.
  func finish() throws -> ExitCode {
    if case .mailbox(let reader) = backing {
      for report in try reader.damage() {
        for range in report.badRanges where !notedOffsets.contains(range.lowerBound) {
          notes.add("\(PositionText.bytes(range)): no good record", path: report.path.nonEmpty)
        }
      }
    }
    for path in try target.segmentPaths() { try noteCutEnd(path) }
    return notes.finish()
  }

  /// A file that ends before its committed end was cut, be it between two records.
  private func noteCutEnd(_ path: String) throws {
    guard let segment = try? SegmentInspection(path: path, key: nil) else { return }
    if let committed = SegmentWords(segment).committedEnd, committed > segment.fileByteCount {
      notes.add("cut off at byte \(segment.fileByteCount); records were committed up to byte \(committed)", path: path)
    }
  }

  /// The last sequence of each segment, from the words alone; nil where the whole has to be read to know.
  func lastSequences() throws -> [MailboxSegmentID: UInt64]? {
    guard case .mailbox(let reader) = backing else { return nil }
    var last: [MailboxSegmentID: UInt64] = [:]
    for segment in try reader.segmentIDs() { last[segment] = try reader.lastSequence(of: segment) }
    return last
  }

  /// Entries and bytes that wait, and the age of the oldest.
  func backlog() throws -> (count: Int, byteCount: UInt64, oldest: LogTimestamp?) {
    var (count, byteCount, oldest): (Int, UInt64, LogTimestamp?) = (0, 0, nil)
    try forEach { entry in
      count += 1
      byteCount += UInt64(entry.byteCount)
      oldest = min(oldest ?? entry.appendedAt, entry.appendedAt)
    }
    return (count, byteCount, oldest)
  }
}

extension SegmentInspection {
  /// Opens one segment for its records: with a whole header, and with the key where it has one.
  static func open(_ path: String, key: EncryptionKey?) throws -> SegmentInspection {
    let segment = try SegmentInspection(path: path, key: key)
    if let fault = segment.headerFault { throw LogError.corrupted(offset: 0, reason: fault) }
    if segment.isEncrypted, key == nil { throw LogError.keyRequired }
    return segment
  }
}
