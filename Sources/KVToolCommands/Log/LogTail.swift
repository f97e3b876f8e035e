import MailboxLog
import StorageIO

/// `tail` on a log: its last changes, and those that come.
enum LogTail {
  static let form = FileForm(
    operands: [.log], options: [Tail.lines, Tail.follow, .keyPrefix], formats: [.text, .jsonl, .csv, .hex],
    details: """
      Of a log, changes in their order: sequence, time, set, rm or rm-all, expiry, type, bytes, key, value. What compaction has dropped is
      gone. Following goes on with the file that takes the log's place.
      """,
    handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let (prefix, count) = (try invocation.prefix(), invocation.arguments.count(Tail.lines) ?? 10)
    let source = try LogSource(invocation)
    let printer = LogPrinter(invocation, .change)
    try printer.begin()
    // Two walks instead of a window of N changes: memory stays the same for any N.
    var (matching, last): (Int, UInt64) = (0, 0)
    try source.forEachRecord { record in
      last = record.sequence
      if try record.isChange(prefix) { matching += 1 }
    }
    var index = 0
    try untilEndOfWalk {
      try source.forEachRecord(isQuiet: true) { record in
        if record.sequence > last { throw EndOfWalk() }
        guard try record.isChange(prefix) else { return }
        if index >= matching - count { try printer.print(record) }
        index += 1
      }
    }
    try invocation.output.flush()
    let code = source.finish()
    if !invocation.arguments.has(Tail.follow) { return code }
    var follower = Follower(source, last)
    while true {
      if invocation.system.pause(milliseconds: 500, whileRead: 1) { throw ToolFailure.closedPipe }
      try ToolFailure.checkInterruption()
      try follower.update(invocation) { record in
        if try record.isChange(prefix) { try printer.print(record) }
      }
      try invocation.output.flush()
    }
  }

  /// What a follower has seen: numbers of changes only grow, through compaction too.
  private struct Follower {
    private let key: EncryptionKey?
    private var segment: MailboxSegmentID
    private var last: UInt64

    init(_ source: LogSource, _ last: UInt64) {
      key = source.key
      segment = source.inspection.segmentID
      self.last = last
    }

    mutating func update(_ invocation: Invocation, _ body: (borrowing LogRecord) throws -> Void) throws {
      let inspection = try LogSource.open(invocation.path, key)
      let now = SegmentWords(inspection).lastSequence
      if let now, now < last, inspection.segmentID != segment {
        Diagnostics.report("an older copy of the log has taken its place; following that", path: invocation.path)
        last = now
      }
      segment = inspection.segmentID
      if let now, now <= last { return }
      let source = LogSource(inspection, key, DamageNotes(path: invocation.path, isQuiet: true), invocation.system)
      let before = last
      var seen = last
      try source.forEachRecord(isQuiet: true) { record in
        if record.sequence <= before { return }
        seen = max(seen, record.sequence)
        try body(record)
      }
      last = seen
    }
  }
}

extension LogRecord {
  /// Whether it changes keys of a prefix.
  fileprivate func isChange(_ prefix: [UInt8]) throws -> Bool {
    switch kind {
    case .index: false
    case .removeAll: true
    case .set, .remove: try hasKey(prefix: prefix)
    }
  }
}
