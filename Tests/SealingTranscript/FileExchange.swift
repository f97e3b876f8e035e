package import MailboxLog

/// Files that one build writes and another reads: a mailbox with one key, a mailbox that its helpers can't read, and a key-value log.
package enum FileExchange: String, CaseIterable, Sendable {
  case mailbox, writeOnly = "write-only", log

  /// More than the index of a log lets pass without a block of its own.
  private static let count = 5_000

  /// Writes into a new directory.
  package func write(to directory: String) throws(LogError) {
    switch self {
    case .mailbox, .writeOnly:
      var options = try options(forWriting: true)
      options.durability = .processCrash
      // Two opens, and so two writer ids.
      for half in 0..<2 {
        let outbox = try MailboxWriter(directory: directory + "/a.mailbox", options: options)
        for number in half * 50..<half * 50 + 50 {
          try outbox.append(id: "id \(number)", payload: PrimitiveTranscript.bytes(number * 3, UInt8(number)))
        }
        outbox.close()
      }
    case .log:
      let log = try KeyValueLog(path: directory + "/a.kvlog", options: try options(forWriting: true))
      for number in 0..<Self.count { try log.set("value \(number)", forKey: "key \(number)") }
      try log.compact()
      try log.removeValue(forKey: "key 7")
      log.close()
    }
  }

  /// What is in it, as text; reading changes nothing that another reader would miss.
  package func read(from directory: String) throws(LogError) -> [String] {
    var lines: [String] = []
    switch self {
    case .mailbox, .writeOnly:
      let inbox = try MailboxReader(directory: directory + "/a.mailbox", options: try options(forWriting: false))
      try inbox.forEachPending { entry throws(LogError) in
        lines.append(entry.id + entry.payload.map { " \($0)" }.joined())
      }
      if !(try inbox.damage().isEmpty) { lines.append("damaged") }
    case .log:
      let log = try KeyValueLog(path: directory + "/a.kvlog", options: try options(forWriting: false))
      for number in stride(from: 0, to: Self.count, by: 7) {
        lines.append("\(number) \(try log.string(forKey: "key \(number)") ?? "none")")
      }
      lines.append("\(try log.count)")
    }
    return lines
  }

  /// What opening says with a key that isn't the files'.
  package func errorOfWrongKey(_ directory: String) -> String {
    do throws(LogError) {
      let key = try EncryptionKey(PrimitiveTranscript.bytes(32, 99))
      switch self {
      case .mailbox: _ = try MailboxReader(directory: directory + "/a.mailbox", options: LogOptions(key: key))
      case .writeOnly:
        let other = try MailboxPrivateKey(PrimitiveTranscript.bytes(32, 99))
        _ = try MailboxReader(directory: directory + "/a.mailbox", options: LogOptions(readKey: other))
      case .log: _ = try KeyValueLog(path: directory + "/a.kvlog", options: LogOptions(key: key))
      }
      return "none"
    } catch { return "\(error)" }
  }

  private func options(forWriting: Bool) throws(LogError) -> LogOptions {
    switch self {
    case .mailbox: return LogOptions(key: try EncryptionKey(PrimitiveTranscript.bytes(64, 3)))
    case .log: return LogOptions(key: try EncryptionKey(PrimitiveTranscript.bytes(32, 4)))
    case .writeOnly:
      let key = try MailboxPrivateKey(PrimitiveTranscript.bytes(32, 5))
      return forWriting ? LogOptions(writeOnlyKey: key.publicKey) : LogOptions(readKey: key)
    }
  }
}
