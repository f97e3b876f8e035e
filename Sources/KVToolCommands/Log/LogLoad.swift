import MailboxLog

/// `load` into a log: sets what `dump` printed.
enum LogLoad {
  static let form = FileForm(
    operands: [
      .newLog, Operand(name: "FILE", documentation: "the dump; standard input without it or with -", isOptional: true),
    ],
    formats: [.text], writes: true,
    details: """
      Into a log (one that isn't there yet is a log when its name ends in .kvlog), keys are set in the order of the lines; others stay as
      they are. What has expired meanwhile is passed over.
      """,
    handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let input = try Load.Input(invocation)
    let notes = DamageNotes(path: input.reader.name)
    let writer = try about(creating: true) { try invocation.withKey { try EntryWriter(invocation.path, $0) } }
    var (loaded, expired) = (0, 0)
    do {
      try Load.forEachLine(input.reader) { number, line in
        do {
          let entry = try EntryLine(line)
          do {
            if try writer.set(entry.value, forKey: entry.key, expiresAt: entry.expiresAt) { loaded += 1 } else { expired += 1 }
          } catch let error as LogError where ToolFailure.code(error) == .badData {
            throw ToolFailure(.badData, "line \(number): \(error.description)", path: input.reader.name)
          }
        } catch let error as MalformedLine {
          notes.add("line \(number): \(error.reason)")
        }
      }
    } catch {
      try? writer.finish()
      Diagnostics.report("loaded before this: \(counted(loaded, "key"))", path: invocation.path)
      throw error
    }
    try writer.finish()
    let parts = [
      "loaded \(loaded == 1 ? "1 entry" : "\(loaded) entries")", expired > 0 ? "\(expired) had expired" : nil,
      notes.count > 0 ? "skipped \(counted(notes.count, "line"))" : nil,
    ]
    try invocation.output.line(parts.compactMap { $0 }.joined(separator: ", "))
    return notes.finish()
  }
}
