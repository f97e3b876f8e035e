import MailboxLog

/// `dump`: every pending record as JSON Lines, for `load` and for other programs.
enum Dump {
  static let command = Command(
    name: "dump", summary: "print pending records, a log or a whole store as JSON Lines that lose nothing", operands: [.mailbox],
    options: [.prefix, .limit], formats: [.jsonl], keyUse: .whenEncrypted,
    details: "See `kvtool help dump-format`. Exit 2: damage was left out, and everything else was printed.", handler: run,
    store: StoreForm(operands: [.store], formats: [.jsonl], handler: StoreDump.run), log: LogDump.form)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let (prefix, limit) = (try invocation.prefix(), invocation.arguments.count(.limit) ?? .max)
    let source = try RecordSource(invocation)
    let printer = RecordPrinter(invocation, .full)
    var count = 0
    try source.forEach { entry in
      if count == limit { throw EndOfWalk() }
      if !entry.hasID(prefix: prefix) { return }
      try printer.print(entry)
      count += 1
    }
    try invocation.output.flush()
    return try source.finish()
  }
}
