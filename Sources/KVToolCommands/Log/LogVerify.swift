import MailboxLog

/// `verify` on a log.
enum LogVerify {
  static let form = FileForm(
    operands: [.log], formats: [.text, .jsonl], keyUse: .optional,
    details: """
      Of a log: the header, the words, each record's checksum and, with the key, its tag, the order of numbers and times, that keys are keys
      and values are of their types.
      """,
    handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let findings = Findings(invocation)
    let key = try KeySource(invocation.arguments)?.key(invocation.system)
    let inspection = try SegmentInspection(path: invocation.path, key: key, isLog: true)
    if let fault = inspection.headerFault {
      try findings.add(invocation.path, 0..<Page.byteCount, fault + "; nothing behind it can be read")
    } else {
      var check = LogCheck(inspection, hasKey: key != nil, findings)
      try check.run()
    }
    try findings.finish(summary: "1 log")
    return findings.damageCount > 0 ? .no : .success
  }
}

/// Looks at everything in one log, once and from front to back, in constant memory.
struct LogCheck {
  private let inspection: SegmentInspection
  private let hasKey: Bool
  private let findings: Findings
  private let words: SegmentWords

  private var recordCount: UInt64 = 0
  private var lastSequence: UInt64 = 0
  private var lastTime: Int64 = 0
  private var hasIndex = false

  init(_ inspection: SegmentInspection, hasKey: Bool, _ findings: Findings) {
    self.inspection = inspection
    self.hasKey = hasKey
    self.findings = findings
    words = SegmentWords(inspection)
  }

  mutating func run() throws {
    try words.check(inspection, findings)
    var check = self
    try inspection.forEachItem { item in
      try ToolFailure.checkInterruption()
      try check.visit(item)
    }
    self = check
    if let last = words.lastSequence, last < lastSequence {
      try add(nil, "the word for the last sequence says \(last), and record \(lastSequence) is there")
    }
    if let index = words.indexBlock, index != 0, !hasIndex {
      try add(index..<index, "the word for the index leads here, where none begins; keys are found by reading the whole log")
    }
    if inspection.isEncrypted, !hasKey {
      try note(nil, "encrypted; checksums were checked, tags were not, for want of the key")
    }
    try note(nil, "\(inspection.stateName), \(counted(recordCount, "record"))")
  }

  private mutating func visit(_ item: borrowing SegmentItem) throws {
    let range = item.range
    if let reason = item.badReason {
      // Behind the committed end nothing is promised.
      return item.isBeyondCommittedEnd ? try note(range, "free space: \(reason)") : try add(range, reason)
    }
    if item.isBeyondCommittedEnd { return try note(range, "a record that was written and never committed; readers don't see it") }
    recordCount += 1
    try item.withRecord { record in try visit(record) }
  }

  private mutating func visit(_ record: borrowing LogRecord) throws {
    let range = record.range
    if record.kind == .index {
      if range.lowerBound == words.indexBlock { hasIndex = true }
      return
    }
    if record.sequence <= lastSequence, recordCount > 1 {
      try add(range, "sequence \(record.sequence) comes after \(lastSequence)")
    }
    if record.appendedAt < lastTime {
      try add(range, "set at \(TimestampText.text(microseconds: record.appendedAt)), before the record in front of it")
    }
    lastSequence = max(lastSequence, record.sequence)
    lastTime = max(lastTime, record.appendedAt)
    guard let failure = record.openingFailure else { return try checkContents(record) }
    switch failure {
    case .keyRequired where !hasKey: return
    case .wrongKey, .keyRequired: throw failure
    default: try add(range, "record \(record.sequence) can't be opened: \(failure.description)")
    }
  }

  private func checkContents(_ record: borrowing LogRecord) throws {
    if record.kind == .removeAll { return }
    let isKey = try record.withKey { (1...1024).contains($0.count) && UTF8Scalars.isValid($0) }
    if !isKey { try add(record.range, "its key is no key: 1 to 1,024 bytes of UTF-8") }
    if record.kind == .set, try record.fieldValue() == nil { try add(record.range, "its value is none of its type") }
  }

  private func add(_ range: Range<UInt64>?, _ sentence: String) throws { try findings.add(inspection.path, range, sentence) }
  private func note(_ range: Range<UInt64>?, _ sentence: String) throws { try findings.note(inspection.path, range, sentence) }
}
