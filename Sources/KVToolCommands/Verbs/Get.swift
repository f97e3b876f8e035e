import MailboxLog

/// `get`: one record by its id.
enum Get {
  static let command = Command(
    name: "get", summary: "print a pending record by its id, a value of a log by its key, or an object of a store",
    operands: [.mailbox, Operand(name: "ID", documentation: "the id, with escapes as `ls` prints them", isOptional: true)],
    options: [.id, .keyHex, .raw], formats: [.text, .json, .jsonl, .hex], keyUse: .whenEncrypted,
    details: """
      An id may be pending more than once, and then each of its records is printed, oldest first. With --raw the oldest alone
      is printed, as its exact bytes: the payload, or the fields as they are encoded; how many there are more is said on
      standard error. Exit 1: no pending record has this id.
      """,
    handler: run,
    store: StoreForm(
      operands: [
        .store, .type, Operand(name: "ID", documentation: "the primary key: text with escapes, a number, a date, a UUID or hex"),
      ],
      formats: [.text, .json, .jsonl],
      details:
        "Of a store, one line for each property. A type without a primary key numbers its objects. Exit 1: there is no such object.",
      handler: ObjectGet.run),
    log: LogGet.form)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    guard let id = try invocation.id(operand: 1) else { throw ToolFailure.usage("'get' needs an ID, --id or --key-hex") }
    if id.isEmpty { throw ToolFailure.usage("an id is never empty") }
    let isRaw = invocation.arguments.has(.raw)
    let source = try RecordSource(invocation)
    let printer = RecordPrinter(invocation, .full)
    let (output, format) = (invocation.output, invocation.format)
    if !isRaw { try printer.begin() }
    var count = 0
    try source.forEach { entry in
      if !entry.hasID(id) { return }
      count += 1
      if isRaw {
        if count == 1 { try output.write(value: entry) }
      } else if format == .hex {
        try output.write(hex: entry.encodedValue.span)
        try output.endLine()
      } else if format == .text {
        if count > 1 { try output.line("") }
        try output.write(record: entry)
      } else {
        try printer.print(entry)
      }
    }
    if !isRaw { try printer.end() }
    try output.flush()
    if isRaw, count > 1 { Diagnostics.report("\(count - 1) more with this id", path: invocation.path) }
    if count > 0 { return .success }
    // Where damage was left out, nobody knows that the record isn't there.
    let damage = try source.finish()
    if damage != .success { return damage }
    Diagnostics.report("no pending record has this id", path: invocation.path)
    return .no
  }
}

extension Output {
  /// The exact bytes of the value.
  fileprivate func write(value entry: borrowing MailboxEntry) throws {
    if entry.hasFields { return try write(entry.encodedValue) }
    try entry.withPayloadSpan { bytes in try write(bytes) }
  }

  /// A line for each part of a record.
  fileprivate func write(record entry: borrowing MailboxEntry) throws {
    try write("id: ")
    try write(escaped: entry.idBytes.span)
    try line("\nposition: \(PositionText.text(entry.position.segment)):\(entry.position.sequence)")
    try line("appended: \(TimestampText.text(entry.appendedAt))")
    try line("schema version: \(entry.schemaVersion)")
    if entry.hasFields {
      try entry.forEachField { name, type, bytes in
        let value = FieldValue(type, bytes)
        try line("\(printable(name)) (\(value?.typeName ?? "damaged")): \(value?.text ?? Hexadecimal.text(FieldValue.raw(bytes)))")
      }
    } else {
      try entry.withPayloadSpan { bytes in
        try write("payload (\(bytes.count) bytes): ")
        try write(escaped: bytes)
        try endLine()
      }
    }
  }
}
