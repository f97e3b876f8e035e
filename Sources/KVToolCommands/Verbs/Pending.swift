import MailboxLog

/// `pending`: how much waits.
enum Pending {
  static let command = Command(
    name: "pending", summary: "say how much waits: records, bytes, the time of the oldest", operands: [.mailbox],
    formats: [.text, .json], keyUse: .whenEncrypted, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let source = try RecordSource(invocation)
    let backlog = try source.backlog()
    let oldest = backlog.oldest.map { TimestampText.text($0) }
    let output = invocation.output
    if invocation.format == .json {
      let time = oldest.map { "\"\($0)\"" } ?? "null"
      try output.line("{\"entryCount\":\(backlog.count),\"byteCount\":\(backlog.byteCount),\"oldest\":\(time)}")
    } else {
      try output.line("entries: \(backlog.count)")
      try output.line("bytes: \(backlog.byteCount)")
      try output.line("oldest: \(oldest ?? "none")")
    }
    try output.flush()
    return try source.finish()
  }
}
