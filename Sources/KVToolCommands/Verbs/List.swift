import MailboxLog

/// `ls`: what is pending, without its values.
enum List {
  static let command = Command(
    name: "ls", summary: "list pending records, the keys of a log, or the types of a store with their counts", operands: [.mailbox],
    options: [.prefix, .limit],
    formats: [.text, .json, .jsonl, .csv, .hex], keyUse: .whenEncrypted,
    details: """
      One line for each record, in the order in which they would be drained: position, time of the append, bytes, id. Tabs
      stand between them, and the id is escaped, so that a line is a record whatever the id holds.
      """,
    handler: run,
    store: StoreForm(
      operands: [.store], formats: [.text, .json, .jsonl, .csv],
      details: "Of a store, one line for each type, by name: how many objects there are, a tab, the type.", handler: TypeList.run),
    log: LogList.form)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let (prefix, limit) = (try invocation.prefix(), invocation.arguments.count(.limit) ?? .max)
    let source = try RecordSource(invocation)
    let printer = RecordPrinter(invocation, .head)
    try printer.begin()
    var count = 0
    try source.forEach { entry in
      if count == limit { throw EndOfWalk() }
      if !entry.hasID(prefix: prefix) { return }
      try printer.print(entry)
      count += 1
      if count == limit { throw EndOfWalk() }
    }
    try printer.end()
    try invocation.output.flush()
    return try source.finish()
  }
}

extension MailboxEntry {
  func hasID(_ bytes: [UInt8]) -> Bool { idBytes == bytes }
  func hasID(prefix bytes: [UInt8]) -> Bool { bytes.isEmpty || idBytes.starts(with: bytes) }
}

extension Operand {
  static let mailbox = Operand(name: "MAILBOX", documentation: "the directory of a mailbox, or one segment file")
  static let directory = Operand(name: "DIR", documentation: "the directory of a mailbox; made when it isn't there")
}
