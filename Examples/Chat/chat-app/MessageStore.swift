internal import ChatPush
internal import MailboxLog
internal import MailboxPromotion
internal import SQLiteTarget

/// The app's side of the mailbox: a table of messages, and the rule that fills it.
struct MessageStore: Sendable {
  /// No column is unique, on purpose: a message that is promoted twice shows, instead of being swallowed.
  private static let schema = """
    CREATE TABLE IF NOT EXISTS message (
      id TEXT NOT NULL, conversation_id TEXT NOT NULL, sender TEXT NOT NULL, server_timestamp INTEGER NOT NULL,
      text TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS message_order ON message (conversation_id, server_timestamp, id);
    """

  let inbox: MailboxReader
  let database: SQLiteTarget
  let promoter: Promoter<SQLiteTarget>

  init(mailbox: String, options: LogOptions, database path: String) throws {
    inbox = try MailboxReader(directory: mailbox, options: options)
    database = try SQLiteTarget(path: path, schema: Self.schema)
    promoter = Promoter(from: inbox, into: database) { entry, transaction in
      try transaction.execute(
        "INSERT INTO message VALUES (?, ?, ?, ?, ?)", .text(entry.id), .text(try entry.string("conversationId")),
        .text(try entry.string("sender")), .integer(Int64(try entry.int("serverTimestamp"))), .text(try entry.string("text")))
    }
  }

  /// Every message, a conversation after another, each in the order of time, then id.
  func forEachMessage(_ body: (ChatMessage) throws -> Void) throws {
    for row in try database.write({ try $0.rows("SELECT DISTINCT conversation_id FROM message ORDER BY conversation_id") }) {
      let messages = try database.write { transaction in
        try transaction.rows(
          """
          SELECT id, conversation_id, sender, server_timestamp, text FROM message WHERE conversation_id = ?
          ORDER BY server_timestamp, id
          """, row[0])
      }
      for message in messages { try body(Self.message(message)) }
    }
  }

  /// The conversations in which something was said last, and the last messages of each, the oldest first.
  func newestConversations(count: Int, messageCount: Int) throws -> [(id: String, messages: [ChatMessage])] {
    let newest = try database.write { transaction in
      try transaction.rows(
        """
        SELECT conversation_id FROM message GROUP BY conversation_id
        ORDER BY max(server_timestamp) DESC, conversation_id LIMIT ?
        """, .integer(Int64(count)))
    }
    return try newest.map { row in
      let messages = try database.write { transaction in
        try transaction.rows(
          """
          SELECT id, conversation_id, sender, server_timestamp, text FROM message WHERE conversation_id = ?
          ORDER BY server_timestamp DESC, id DESC LIMIT ?
          """, row[0], .integer(Int64(messageCount)))
      }
      return (row[0].text ?? "", messages.reversed().map(Self.message))
    }
  }

  private static func message(_ row: [SQLiteValue]) -> ChatMessage {
    ChatMessage(
      messageId: row[0].text ?? "", conversationId: row[1].text ?? "", sender: row[2].text ?? "",
      serverTimestamp: Int(row[3].integer ?? 0), text: row[4].text ?? "")
  }
}
