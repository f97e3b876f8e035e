import MailboxLog

/// `append`: one record from arguments or standard input, or a batch of them.
enum Append {
  static let payload = CommandOption(
    name: "payload", value: .text("TEXT"),
    documentation: "the payload: TEXT itself, @FILE for the bytes of a file, - for standard input")
  static let field = CommandOption(
    name: "field", value: .text("NAME=TYPE:VALUE"), isRepeatable: true,
    documentation: "a field: string:TEXT, bytes:HEX, int:5, uint:5, double:1.5, bool:true, date:2026-01-31T09:30:00Z")
  static let schemaVersion = CommandOption(
    name: "schema-version", value: .count("N"), documentation: "what the reader is told about the form of the fields")
  static let batch = CommandOption(
    name: "batch", documentation: "append the lines of standard input (as `dump` prints them) all together or not at all")

  static let command = Command(
    name: "append", summary: "append a record, or a batch of them",
    operands: [.directory], options: [.id, .keyHex, payload, field, schemaVersion, batch], formats: [.text, .jsonl],
    keyUse: .whenEncrypted, writes: true,
    details: """
      Without --payload and --field the payload is read from standard input. On return the record survives a loss of power.
      Prints the position. An @ or - at the start of a payload: pass it through standard input.
      """,
    handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let records = try invocation.arguments.has(batch) ? readBatch(invocation) : [readRecord(invocation)]
    let positions = try about(creating: true) {
      try invocation.withKey { key in
        let writer = try MailboxWriter(directory: invocation.path, options: LogOptions(key: key))
        defer { writer.close() }
        if !invocation.arguments.has(batch) { return [try records[0].append(to: writer)] }
        return try writer.appendBatch { batch in for record in records { record.append(to: &batch) } }
      }
    }
    for position in positions {
      try print(position, invocation)
    }
    return .success
  }

  private static func print(_ position: MailboxPosition, _ invocation: Invocation) throws {
    let (output, segment) = (invocation.output, PositionText.text(position.segment))
    if invocation.format == .text { return try output.line("\(segment):\(position.sequence)") }
    try output.write("{\"segment\":\"\(segment)\",\"sequence\":")
    try output.write(json: position.sequence)
    try output.line("}")
  }

  private static func readRecord(_ invocation: Invocation) throws -> RecordLine {
    let arguments = invocation.arguments
    guard let bytes = try invocation.id(operand: nil), !bytes.isEmpty else {
      throw ToolFailure.usage("'append' needs --id, and it can't be empty")
    }
    guard UTF8Scalars.isValid(bytes.span) else { throw ToolFailure.usage("the id isn't UTF-8") }
    let id = String(decoding: bytes, as: UTF8.self)
    let fields = try arguments.texts(field).map { try FieldValue.named($0, invocation.system) }
    if fields.isEmpty {
      if arguments.has(schemaVersion) { throw ToolFailure.usage("--schema-version goes with --field") }
      return RecordLine(id: id, value: .payload(try readPayload(invocation)))
    }
    if arguments.has(payload) { throw ToolFailure.usage("a record has a payload or fields, not both") }
    guard let version = UInt32(exactly: arguments.count(schemaVersion) ?? 0) else {
      throw ToolFailure.usage("--schema-version goes up to \(UInt32.max)")
    }
    return RecordLine(id: id, value: .fields(fields), schemaVersion: version)
  }

  private static func readPayload(_ invocation: Invocation) throws -> [UInt8] {
    let text = invocation.arguments.text(payload) ?? "-"
    if text == "-" { return try InputReader(invocation.system).all(byteCountMax: ByteArgument.byteCountMax) }
    if text.hasPrefix("@") { return try ByteArgument.file(String(text.dropFirst()), invocation.system) }
    return Array(text.utf8)
  }

  private static func readBatch(_ invocation: Invocation) throws -> [RecordLine] {
    if let other = [CommandOption.id, .keyHex, payload, field, schemaVersion].first(where: { invocation.arguments.has($0) }) {
      throw ToolFailure.usage("--batch takes everything from standard input; --\(other.name) has no place in it")
    }
    var (records, byteCount): ([RecordLine], Int) = ([], 0)
    try Load.forEachRecord(InputReader(invocation.system)) { number, result in
      func refusal(_ reason: String) -> ToolFailure {
        ToolFailure(.badData, "line \(number): \(reason); nothing was appended", path: "standard input")
      }
      switch result {
      case .failure(let error): throw refusal(error.reason)
      case .success(let record):
        byteCount += record.byteCount
        if byteCount > ByteArgument.byteCountMax { throw refusal("a batch of more than \(ByteArgument.byteCountMax) bytes") }
        records.append(record)
      }
    }
    if records.isEmpty { throw ToolFailure(.badData, "no record", path: "standard input") }
    return records
  }
}
