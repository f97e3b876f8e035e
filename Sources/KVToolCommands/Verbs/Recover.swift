import MailboxLog

/// `recover`: every good record into a new mailbox.
enum Recover {
  static let command = Command(
    name: "recover", summary: "salvage every good record into a new mailbox or log, and say what is lost", operands: [.mailbox],
    options: [.output, .all], formats: [.text], keyUse: .whenEncrypted, writes: true,
    details: """
      OUT is a directory that doesn't exist yet; it appears under its name only when it is complete, and has the same key.
      Records are taken in the order of the segments, a batch whole or not at all; they get new positions and times. Exit 2:
      something was lost, and each place is printed.
      """,
    handler: run, log: LogRecover.form)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    guard let path = invocation.arguments.text(.output) else { throw ToolFailure.usage("'recover' needs -o OUT") }
    let target = try invocation.target()
    let output = try NewDirectory(path, invocation.system)
    let paths = try target.segmentPaths()
    let salvage = try invocation.withKey { key -> Salvage in
      for path in paths { try checkKey(path, key) }
      return try output.fill { directory in
        var options = LogOptions(key: key)
        options.durability = .processCrash
        options.capacity = .max
        let writer = try about(creating: true) { try MailboxWriter(directory: directory, options: options) }
        defer { writer.close() }
        let salvage = Salvage(into: writer, takesAll: invocation.arguments.has(.all), invocation, isAlone: target.isFile)
        for path in paths { try salvage.add(path, key) }
        try writer.synchronize()
        return salvage
      }
    }
    try invocation.output.line(
      "recovered \(counted(salvage.recordCount, "record"))"
        + (salvage.lossCount > 0 ? ", lost what stood in \(counted(salvage.lossCount, "place"))" : "")
    )
    if salvage.uncommittedCount > 0 {
      try invocation.output.line("never committed, and not taken: \(counted(salvage.uncommittedCount, "record"))")
    }
    return salvage.lossCount == 0 ? .success : .damageSkipped
  }

  /// Before anything is made: does the key fit? What is wrong with the file itself is for the walk to say.
  private static func checkKey(_ path: String, _ key: EncryptionKey?) throws {
    do { _ = try SegmentInspection.open(path, key: key) } catch let error as LogError {
      if ToolFailure.code(error) == .noPermission { throw error }
    }
  }
}
