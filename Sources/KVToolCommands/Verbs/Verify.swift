import MailboxLog

/// `verify`: says what is wrong with a mailbox, on standard output.
enum Verify {
  static let command = Command(
    name: "verify", summary: "check structure, checksums, tags, order and counts", operands: [.mailbox],
    formats: [.text, .jsonl], keyUse: .optional,
    details: """
      One line for each finding, and one for each segment that says what was looked at. Without its key an encrypted mailbox is
      checked by its checksums alone. Exit 0: clean; 1: damage; 65: not a mailbox, or newer than this build; 77: the key
      doesn't fit.
      """,
    handler: run,
    store: StoreForm(
      operands: [.store], formats: [.text, .jsonl],
      details: """
        Of a store: every page, its checksum or tag, the order and the counts of keys, that each page is used once or free, and that
        rows and indexes fit. An encrypted store can't be checked without its key.
        """,
      handler: StoreVerify.run),
    log: LogVerify.form)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let target = try invocation.target()
    let key = try KeySource(invocation.arguments)?.key(invocation.system)
    let findings = Findings(invocation)
    var seen: [MailboxSegmentID: String] = [:]
    var foreign = false
    for path in try target.segmentPaths() {
      do {
        let segment = try SegmentInspection(path: path, key: key)
        var check = SegmentCheck(segment, key: key, findings)
        try check.run()
        if let other = seen.updateValue(path, forKey: segment.segmentID) {
          try findings.add(path, nil, "has the same id as \(printable(other))")
        }
      } catch let error as LogError {
        switch (error, target) {
        case (.corrupted(let offset, let reason), _): try findings.add(path, offset..<offset, reason)
        case (.notALog, .directory) where Target.byteCount(path, invocation.system) == 0:
          try findings.add(path, nil, "empty: cut to nothing, or by a loss of power before any append was durable")
        case (.notALog, .directory): try findings.add(path, nil, "not a segment, or cut within its first blocks")
        case (.unsupportedVersion, .directory):
          foreign = true
          try findings.note(path, nil, ToolFailure(error).message ?? "")
        // Drained and removed by its reader since the directory was listed.
        case (.notFound, .directory): continue
        default: try about(path) { throw error }
        }
      }
    }
    try findings.finish(segmentCount: seen.count, isWhole: !foreign)
    return findings.damageCount > 0 ? .no : foreign ? .badData : .success
  }
}
