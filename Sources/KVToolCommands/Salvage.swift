import MailboxLog
import StorageIO

/// Copies the good records of segments into a new mailbox, and prints what has to be left behind.
final class Salvage {
  private let writer: MailboxWriter
  private let takesAll: Bool
  private let output: Output
  private let system: SystemCalls
  private let isAlone: Bool
  private(set) var recordCount = 0
  private(set) var lossCount = 0
  /// Good records behind a committed end: no append of them has returned, so they are left where they are, and told of.
  private(set) var uncommittedCount = 0

  /// The last sequence that was looked at of each segment, so that a copy of a segment gives nothing twice.
  private var lastSequences: [MailboxSegmentID: UInt64] = [:]
  private var copiedThrough: UInt64 = 0
  private var lastSequence: UInt64 = 0
  private var copyCount = 0

  /// The records so far of the batch that is being read, and whether all of them could be opened.
  private var members: [Member] = []
  private var isBatchWhole = true
  private var batchStart: UInt64 = 0

  /// A record taken out of its segment.
  private struct Member {
    let id: String
    let schemaVersion: UInt32
    let payload: [UInt8]
    let fields: MailboxFields?
  }

  init(into writer: MailboxWriter, takesAll: Bool, _ invocation: Invocation, isAlone: Bool) {
    self.writer = writer
    self.takesAll = takesAll
    self.isAlone = isAlone
    output = invocation.output
    system = invocation.system
  }

  /// - Throws: what is wrong with the key or the output; what is wrong with the segment is printed.
  func add(_ path: String, _ key: EncryptionKey?) throws {
    let segment: SegmentInspection
    do { segment = try SegmentInspection.open(path, key: key) } catch let error as LogError {
      guard !isAlone, ToolFailure.code(error) == .badData else { throw error }
      // What is on its way out was drained.
      if (try? SegmentInspection(path: path, key: nil))?.stateName == "removed" { return }
      return try lose(path, nil, ToolFailure(error).message ?? "")
    }
    let words = SegmentWords(segment)
    for word in words.damaged {
      try output.line("\(printable(path)): the word '\(word.name)' fails its check; nothing is lost by that")
    }
    members = []
    copiedThrough = lastSequences[segment.segmentID] ?? 0
    copyCount = 0
    defer { lastSequences[segment.segmentID] = max(copiedThrough, lastSequence) }
    lastSequence = 0
    try segment.forEachItem { item in
      try ToolFailure.checkInterruption()
      try visit(item, path)
    }
    if let committed = words.committedEnd, committed > segment.fileByteCount {
      try lose(path, segment.fileByteCount..<committed, "the file was cut off")
    }
    if copyCount > 0 { try output.line("\(printable(path)): \(copyCount) records stand in an earlier copy of this segment too") }
  }

  private func visit(_ item: borrowing SegmentItem, _ path: String) throws {
    if item.isBeyondCommittedEnd {
      if item.badReason == nil { uncommittedCount += 1 }
      return
    }
    let range = item.range
    if let reason = item.badReason { return try lose(path, range, reason) }
    // The walk hands out the records of a batch only when all of them are there.
    if item.batchPosition == 0 {
      members = []
      batchStart = range.lowerBound
      isBatchWhole = true
    }
    let isWanted = takesAll || !item.isAcknowledged
    try item.withEntry { entry in
      if let failure = entry.openingFailure {
        if failure == .wrongKey || failure == .keyRequired { throw failure }
        isBatchWhole = false
        return try lose(path, range, "record \(entry.position.sequence) can't be opened: \(failure.description)")
      }
      lastSequence = entry.position.sequence
      if lastSequence <= copiedThrough {
        copyCount += 1
      } else if isWanted {
        members.append(Self.member(entry))
      }
    }
    guard item.batchPosition + 1 >= item.batchCount else { return }
    if isBatchWhole { return try appendMembers() }
    if !members.isEmpty { try lose(path, batchStart..<range.upperBound, "the rest of the batch with that record") }
    members = []
  }

  private static func member(_ entry: borrowing MailboxEntry) -> Member {
    Member(
      id: entry.id, schemaVersion: entry.schemaVersion, payload: entry.hasFields ? [] : entry.payload,
      fields: entry.hasFields ? MailboxFields(of: entry) : nil)
  }

  private func appendMembers() throws {
    defer { members = [] }
    recordCount += members.count
    if members.count == 1, let member = members.first {
      if let fields = member.fields {
        try writer.append(id: member.id, schemaVersion: member.schemaVersion) { $0 = fields }
      } else {
        try writer.append(id: member.id, payload: member.payload)
      }
    } else if !members.isEmpty {
      try writer.appendBatch { batch in
        for member in members {
          if let fields = member.fields {
            batch.append(id: member.id, schemaVersion: member.schemaVersion) { $0 = fields }
          } else {
            batch.append(id: member.id, payload: member.payload)
          }
        }
      }
    }
  }

  private func lose(_ path: String, _ range: Range<UInt64>?, _ sentence: String) throws {
    lossCount += 1
    try output.line("\(printable(path)): lost\(range.map { " " + PositionText.bytes($0) } ?? ""): \(sentence)")
  }
}
