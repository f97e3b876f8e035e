import MailboxLog

/// `recover` on a log: the newest good record of each key, into a new log.
enum LogRecover {
  static let form = FileForm(
    operands: [.log], options: [.output], formats: [.text], writes: true,
    details: """
      Of a log, OUT is a file that doesn't exist yet. Each key gets the value of its newest good record: where a lost range held a newer one,
      or a removal, that is an older value, and the report says so.
      """,
    handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    guard let path = invocation.arguments.text(.output) else { throw ToolFailure.usage("'recover' needs -o OUT") }
    let output = try NewFile(path, invocation.system)
    let source = try LogSource(invocation, DamageNotes(path: invocation.path, isQuiet: true))
    let report = Report(invocation)
    let count = try output.fill { file in
      let writer = try about(path, creating: true) { try EntryWriter(file, source.key) }
      let count = try copy(source, to: writer, report)
      try about(path) { try writer.finish() }
      return count
    }
    try report.addDamage(of: source)
    let places = report.lossCount > 0 ? ", lost what stood in \(counted(report.lossCount, "place"))" : ""
    try invocation.output.line("recovered \(counted(count, "key"))" + places)
    if report.lossCount > 0 {
      try invocation.output.line("a key whose newest record stood there has an older value, or one that had been removed")
    }
    return report.lossCount == 0 ? .success : .damageSkipped
  }

  private static func copy(_ source: LogSource, to writer: EntryWriter, _ report: Report) throws -> Int {
    var count = 0
    try source.forEachLive { record in
      let key = record.keyBytes
      guard let value = try record.fieldValue() else { return try report.lose(record.range, "its value is none of its type") }
      guard (1...1024).contains(key.count), UTF8Scalars.isValid(key.span) else {
        return try report.lose(record.range, "its key is no key: 1 to 1,024 bytes of UTF-8")
      }
      if try writer.set(value, forKey: key, expiresAt: record.expiresAt) { count += 1 }
    }
    return count
  }

  /// What had to be left behind, printed.
  private final class Report {
    private let output: Output
    private let path: String
    private(set) var lossCount = 0

    init(_ invocation: Invocation) {
      output = invocation.output
      path = invocation.path
    }

    func lose(_ range: Range<UInt64>, _ sentence: String) throws {
      lossCount += 1
      try output.line("\(printable(path)): lost \(PositionText.bytes(range)): \(sentence)")
    }

    func addDamage(of source: LogSource) throws {
      let words = SegmentWords(source.inspection)
      for word in words.damaged {
        try output.line("\(printable(path)): the word '\(word.name)' fails its check; nothing is lost by that")
      }
      try source.forEachDamage { try lose($0, $1) }
      if let committed = words.committedEnd, committed > source.inspection.fileByteCount {
        try lose(source.inspection.fileByteCount..<committed, "the file was cut off")
      }
    }
  }
}
