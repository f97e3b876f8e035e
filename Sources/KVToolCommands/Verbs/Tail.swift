import MailboxLog
import StorageIO

/// `tail`: the newest records, and those that arrive.
enum Tail {
  static let follow = CommandOption(
    name: "follow", letter: "f", documentation: "go on with records as they arrive, looking twice a second")
  static let lines = CommandOption(
    name: "lines", letter: "n", value: .count("N"), documentation: "the last N records; 10 by default")

  static let command = Command(
    name: "tail", summary: "print the last pending records, or changes of a log, and with -f those that come",
    operands: [.mailbox], options: [lines, follow, .prefix], formats: [.text, .jsonl, .csv, .hex], keyUse: .whenEncrypted,
    details: """
      As `ls`, with the value. Following ends with Ctrl-C (exit 130) or when nobody reads the output any more (exit 0). A record
      that is drained between two looks isn't seen.
      """,
    handler: run, log: LogTail.form)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let (prefix, count) = (try invocation.prefix(), invocation.arguments.count(lines) ?? 10)
    let source = try RecordSource(invocation)
    let printer = RecordPrinter(invocation, .full)
    try printer.begin()
    // Two walks instead of a window of N records: memory stays the same for any N.
    var matching = 0
    try source.again(quietly: true).forEach { entry in matching += entry.hasID(prefix: prefix) ? 1 : 0 }
    var (index, seen) = (0, SeenRecords())
    try source.forEach { entry in
      seen.add(entry.position)
      guard entry.hasID(prefix: prefix) else { return }
      if index >= matching - count { try printer.print(entry) }
      index += 1
    }
    try invocation.output.flush()
    let code = try source.finish()
    if !invocation.arguments.has(follow) { return code }
    while true {
      if invocation.system.pause(milliseconds: 500, whileRead: 1) { throw ToolFailure.closedPipe }
      try ToolFailure.checkInterruption()
      try seen.update(from: try source.again(quietly: true)) { entry in
        if entry.hasID(prefix: prefix) { try printer.print(entry) }
      }
      try invocation.output.flush()
    }
  }
}

/// What a follower has seen: the last sequence of each segment. A segment that is gone is forgotten.
struct SeenRecords {
  private var last: [MailboxSegmentID: UInt64] = [:]

  mutating func add(_ position: MailboxPosition) { last[position.segment] = max(last[position.segment] ?? 0, position.sequence) }

  /// Hands out what is newer, and counts it as seen. Reads no record when the words say that there is none.
  mutating func update(from source: RecordSource, _ body: (borrowing MailboxEntry) throws -> Void) throws {
    let now = try source.lastSequences()
    if let now {
      last = last.filter { now[$0.key] != nil }
      if now.allSatisfy({ (last[$0.key] ?? 0) >= $0.value }) { return }
    }
    let before = last
    try source.forEach { entry in
      if entry.position.sequence <= before[entry.position.segment] ?? 0 { return }
      add(entry.position)
      try body(entry)
    }
  }
}
