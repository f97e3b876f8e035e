import MailboxLog

/// Looks at everything in one segment, once and from front to back, in constant memory.
struct SegmentCheck {
  private let segment: SegmentInspection
  private let hasKey: Bool
  private let findings: Findings
  private let words: SegmentWords

  private var recordCount: UInt64 = 0
  private var acknowledgedCount: UInt64 = 0
  private var lastSequence: UInt64 = 0
  private var lastTime: LogTimestamp?

  init(_ segment: SegmentInspection, key: EncryptionKey?, _ findings: Findings) {
    self.segment = segment
    hasKey = key != nil
    self.findings = findings
    words = SegmentWords(segment)
  }

  mutating func run() throws {
    if segment.stateName == "removed" {
      return try findings.note(segment.path, nil, "removed: drained, and on its way out")
    }
    if let fault = segment.headerFault { return try add(0..<Page.byteCount, fault + "; nothing behind it can be read") }
    try words.check(segment, findings)
    var check = self
    try segment.forEachItem { item in
      try ToolFailure.checkInterruption()
      try check.visit(item)
    }
    self = check
    if let last = words.lastSequence, last < lastSequence {
      try add(nil, "the word for the last sequence says \(last), and record \(lastSequence) is there")
    }
    if segment.isEncrypted, !hasKey {
      try findings.note(segment.path, nil, "encrypted; checksums were checked, tags were not, for want of the key")
    }
    try findings.note(
      segment.path, nil, "\(segment.stateName), \(counted(recordCount, "record")), \(acknowledgedCount) of them acknowledged")
  }

  private mutating func visit(_ item: borrowing SegmentItem) throws {
    let range = item.range
    if let reason = item.badReason {
      // Behind the committed end nothing is promised.
      return item.isBeyondCommittedEnd ? try findings.note(segment.path, range, "free space: \(reason)") : try add(range, reason)
    }
    if item.isBeyondCommittedEnd {
      return try findings.note(segment.path, range, "a record that was written and never committed; readers don't see it")
    }
    recordCount += 1
    if item.isAcknowledged { acknowledgedCount += 1 }
    try item.withEntry { entry in try visit(entry, range) }
  }

  private mutating func visit(_ entry: borrowing MailboxEntry, _ range: Range<UInt64>) throws {
    let (sequence, time) = (entry.position.sequence, entry.appendedAt)
    if sequence <= lastSequence, recordCount > 1 { try add(range, "sequence \(sequence) comes after \(lastSequence)") }
    if let lastTime, time < lastTime { try add(range, "appended at \(TimestampText.text(time)), before the record in front of it") }
    lastSequence = max(lastSequence, sequence)
    lastTime = max(lastTime ?? time, time)
    guard let failure = entry.openingFailure else { return try checkFields(entry, range) }
    switch failure {
    case .keyRequired where !hasKey: return
    case .wrongKey, .keyRequired: throw failure
    default: try add(range, "record \(sequence) can't be opened: \(failure.description)")
    }
  }

  private func checkFields(_ entry: borrowing MailboxEntry, _ range: Range<UInt64>) throws {
    if !entry.hasFields { return }
    do {
      try entry.forEachField { name, type, bytes in
        if FieldValue(type, bytes) == nil { try add(range, "the field '\(printable(name))' holds no value of its type") }
      }
    } catch let error as LogError {
      try add(range, "its fields can't be read: \(error.description)")
    }
  }

  private func add(_ range: Range<UInt64>?, _ sentence: String) throws { try findings.add(segment.path, range, sentence) }
}
