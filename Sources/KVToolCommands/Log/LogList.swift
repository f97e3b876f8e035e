import MailboxLog

/// `ls` on a log: its keys.
enum LogList {
  static let type = CommandOption(name: "type", value: .choice(FieldValue.typeNames), documentation: "only values of this type")

  static let form = FileForm(
    operands: [.log], options: [.keyPrefix, .limit, type], formats: [.text, .json, .jsonl, .csv, .hex],
    details: """
      Of a log, one line for each key that has a value, in the order in which they were set: sequence, time of the change, expiry or -,
      type, bytes of the value, key.
      """,
    handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode { try list(invocation, .head) }

  private static func list(_ invocation: Invocation, _ detail: LogPrinter.Detail) throws -> ExitCode {
    let source = try LogSource(invocation)
    let printer = LogPrinter(invocation, detail)
    try printer.begin()
    try source.forEachSelected(invocation) { try printer.print($0) }
    try printer.end()
    try invocation.output.flush()
    return source.finish()
  }
}

/// `dump` on a log: each entry as a line of JSON that loses nothing.
enum LogDump {
  static let form = FileForm(
    operands: [.log], options: [.keyPrefix, .limit, LogList.type], formats: [.jsonl],
    details: "Of a log, the entries that haven't expired, in the order in which they were set.", handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let source = try LogSource(invocation)
    try source.forEachSelected(invocation) { try invocation.output.write(dumpLine: $0) }
    try invocation.output.flush()
    return source.finish()
  }
}

extension LogSource {
  /// The live entries that `--prefix`, `--type` and `--limit` leave.
  fileprivate func forEachSelected(_ invocation: Invocation, _ body: (borrowing LogRecord) throws -> Void) throws {
    let (prefix, limit) = (try invocation.prefix(), invocation.arguments.count(.limit) ?? .max)
    let type = invocation.arguments.text(LogList.type)
    var count = 0
    try forEachLive { record in
      if count == limit { throw EndOfWalk() }
      guard type == nil || record.typeName == type, try record.hasKey(prefix: prefix) else { return }
      try body(record)
      count += 1
    }
  }
}

extension Operand {
  static let log = Operand(name: "LOG", documentation: "the file of a key-value log")
  static let newLog = Operand(name: "LOG", documentation: "the file of a key-value log; made when it isn't there")
  static let key = Operand(name: "KEY", documentation: "the key, with escapes as `ls` prints them", isOptional: true)
}

extension CommandOption {
  /// The same option as `prefix`, whatever the file calls what it lists.
  static let keyPrefix = CommandOption(
    name: "prefix", value: .text("TEXT"), documentation: "only keys that begin with TEXT (escapes as `ls` prints them)")
}
