internal import Anteroom
internal import ChatPush
internal import SQLiteTarget

/// Messages in a table of SQLite's.
struct SQLiteMessages: MessageStore {
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

  /// - Parameter key: for SQLCipher; an error where the SQLite that runs isn't SQLCipher.
  init(mailbox: String, options: LogOptions, opener: PushOpener, database path: String, key: [UInt8]?) throws {
    inbox = try MailboxReader(directory: mailbox, options: options)
    database = try SQLiteTarget(path: path, schema: Self.schema, cipherKey: key)
    promoter = Promoter(from: inbox, into: database, options: opener.promotionOptions()) { entry, transaction in
      let message = try opener.message(entry)
      try transaction.execute(
        "INSERT INTO message VALUES (?, ?, ?, ?, ?)", .text(message.messageId), .text(message.conversationId),
        .text(message.sender), .integer(Int64(message.serverTimestamp)), .text(message.text))
    }
  }

  func messages() async throws -> any StoredMessages { Messages(database: database) }

  /// What the table has, each time it is asked.
  private struct Messages: StoredMessages {
    let database: SQLiteTarget

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

    func newestConversations(count: Int, messageCount: Int) throws -> [Conversation] {
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
        return Conversation(id: row[0].text ?? "", messages: messages.reversed().map(Self.message))
      }
    }

    private static func message(_ row: [SQLiteValue]) -> ChatMessage {
      ChatMessage(
        messageId: row[0].text ?? "", conversationId: row[1].text ?? "", sender: row[2].text ?? "",
        serverTimestamp: Int(row[3].integer ?? 0), text: row[4].text ?? "")
    }

    func explanation(of conversation: Conversation, messageCount: Int) async throws -> [String] { [] }
  }
}
