import MailboxLog

/// `set`: gives a key of a log a value.
enum SetEntry {
  static let type = CommandOption(
    name: "type", value: .choice(FieldValue.typeNames), documentation: "what the value is stored as; string by default")
  static let expiresAfter = CommandOption(
    name: "expires-after", value: .text("TIME"), documentation: "from now: seconds, or a number with s, m, h, d or w")

  static let command = Command(
    name: "set", summary: "give a key of a log a value",
    operands: [
      .newLog, .key,
      Operand(
        name: "VALUE", documentation: "the value: text, @FILE for the bytes of a file; - or none for standard input",
        isOptional: true),
    ],
    options: [.keyHex, type, expiresAfter], keyUse: .whenEncrypted, writes: true,
    details: """
      A string is UTF-8 as it is given, to its last byte; bytes are raw from a file or standard input, and hex digits or base64:TEXT as an
      argument; a date is 2026-01-31T09:30:00Z. With --key-hex the operand after LOG is the value. On return the value survives a loss of
      power. Another writer's lock is waited for a second (75).
      """,
    subject: .log, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let arguments = invocation.arguments
    let hasHex = arguments.has(.keyHex)
    if hasHex, arguments.operands.count > 2 { throw ToolFailure.usage("give the key once: as an operand or with --key-hex") }
    let key = try invocation.logKey(operand: hasHex ? nil : 1)
    let valueIndex = hasHex ? 1 : 2
    let after = try arguments.text(expiresAfter).map { try DurationText.duration($0, "--expires-after") }
    let text = arguments.operands.count > valueIndex ? arguments.operands[valueIndex] : "-"
    let value = try TypedArgument.value(arguments.text(type) ?? "string", text, invocation.system)
    try about(creating: true) {
      try invocation.withKey { encryption in
        var options = LogOptions(key: encryption)
        options.durability = .powerLoss
        let log = try KeyValueLog(path: invocation.path, options: options)
        defer { log.close() }
        try value.set(key, in: log, expiresAfter: after)
      }
    }
    return .success
  }
}

/// `rm`: takes values from a log.
enum RemoveEntry {
  static let every = CommandOption(name: "all", documentation: "every key")

  static let command = Command(
    name: "rm", summary: "remove a key of a log, or all", operands: [.log, .key], options: [.keyHex, every], keyUse: .whenEncrypted,
    writes: true, details: "Exit 1: the key had no value; nothing was written. On return the removal survives a loss of power.",
    subject: .log, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let isAll = invocation.arguments.has(every)
    if isAll, invocation.arguments.operands.count > 1 || invocation.arguments.has(.keyHex) {
      throw ToolFailure.usage("--all takes no key")
    }
    let key = isAll ? nil : try invocation.logKey(operand: 1)
    let hasRemoved = try invocation.withKey { encryption in
      let log = try invocation.openLog(encryption)
      defer { log.close() }
      guard let key else {
        try log.removeAll()
        return true
      }
      return try log.removeValue(forKey: key)
    }
    if hasRemoved { return .success }
    Diagnostics.report("no value under this key", path: invocation.path)
    return .no
  }
}

extension Invocation {
  /// A key for a writing call, which takes UTF-8 alone.
  func logKey(operand index: Int?) throws -> String {
    guard let bytes = try id(operand: index, "key") else { throw ToolFailure.usage("'\(command.name)' needs a KEY or --key-hex") }
    if bytes.isEmpty { throw ToolFailure.usage("a key is never empty") }
    guard UTF8Scalars.isValid(bytes.span) else { throw ToolFailure.usage("the key isn't UTF-8") }
    if bytes.count > 1024 { throw ToolFailure(.badData, "the key has \(bytes.count) bytes, more than 1024") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The log that the first operand names, for a change that survives a loss of power.
  func openLog(_ key: EncryptionKey?) throws -> KeyValueLog {
    var options = LogOptions(key: key)
    options.durability = .powerLoss
    options.createIfMissing = false
    return try KeyValueLog(path: path, options: options)
  }
}
