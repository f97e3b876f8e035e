import MailboxLog

/// `get` on a log: the value of a key.
enum LogGet {
  static let form = FileForm(
    operands: [.log, .key], options: [.keyHex, .raw], formats: [.text, .json, .jsonl, .hex],
    details: """
      Of a log, a line for each part of the entry; with --raw the exact bytes of the value, numbers as their 8 bytes. Exit 1: the key has no
      value, or it has expired.
      """,
    handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    guard let key = try invocation.id(operand: 1, "key") else { throw ToolFailure.usage("'get' of a log needs a KEY or --key-hex") }
    if key.isEmpty { throw ToolFailure.usage("a key is never empty") }
    let source = try LogSource(invocation)
    let output = invocation.output
    let isFound = try source.withRecord(key) { record in
      if invocation.arguments.has(.raw) { return try record.withValue { try output.write($0) } }
      switch invocation.format {
      case .hex:
        try record.withValue { try output.write(hex: $0) }
        try output.endLine()
      case .text: try output.write(entry: record)
      default:
        let printer = LogPrinter(invocation, .full)
        try printer.begin()
        try printer.print(record)
        try printer.end()
      }
    }
    try output.flush()
    // Where damage was left out, nobody knows that there is no newer value.
    let damage = source.finish()
    if isFound || damage != .success { return damage }
    Diagnostics.report("no value under this key", path: invocation.path)
    return .no
  }
}

extension Output {
  /// A line for each part of an entry.
  fileprivate func write(entry record: borrowing LogRecord) throws {
    try write("key: ")
    try record.withKey { try write(escaped: $0) }
    try line("\nsequence: \(record.sequence)")
    try line("set: \(TimestampText.text(microseconds: record.appendedAt))")
    try line("expires: \(record.expiryText ?? "never")")
    try line("\(record.typeName) (\(counted(record.byteCount, "byte"))): \(try record.valueText())")
  }
}
