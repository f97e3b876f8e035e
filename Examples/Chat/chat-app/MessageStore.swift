internal import Anteroom
internal import ChatPush

/// The app's side of the mailbox: a place for messages, and a promoter whose rule fills it.
protocol MessageStore: Sendable {
  associatedtype Target: PromotionTarget
  var inbox: MailboxReader { get }
  var promoter: Promoter<Target> { get }
  /// What is stored now.
  func messages() async throws -> any StoredMessages
}

extension MessageStore {
  func drain() async throws -> PromotionReport { try await promoter.drain() }
  /// Promotes mail as it comes, until the process ends.
  func drainForever() async throws { for try await _ in promoter.run() {} }
  func quarantinedCount() async throws -> Int { try await promoter.quarantine.count }
}

/// Messages to be read, by whoever compares or shows them.
protocol StoredMessages {
  /// Every message, a conversation after another, each in the order of time, then id.
  func forEachMessage(_ body: (ChatMessage) throws -> Void) throws
  /// The conversations in which something was said last, and the last messages of each, the oldest first.
  func newestConversations(count: Int, messageCount: Int) throws -> [Conversation]
  /// How the last messages of a conversation are found, a step a line; nothing where the store doesn't tell.
  func explanation(of conversation: Conversation, messageCount: Int) async throws -> [String]
}

struct Conversation: Sendable {
  let id: String
  let messages: [ChatMessage]
}

/// What mail is promoted into.
enum MessageTarget: String, CaseIterable {
  case store, sqlite, sqlcipher

  /// - Parameter storeKey: what the target is encrypted with; SQLite has no use for it.
  /// - Parameter pushKey: for pushes that a helper appended unopened.
  func open(
    mailbox: String, options: LogOptions, pushKey: [UInt8]?, database: String, storeKey: [UInt8]?
  ) async throws -> any MessageStore {
    let opener = PushOpener(pushKey: pushKey)
    return switch self {
    case .store: try await ObjectStoreMessages(mailbox: mailbox, options: options, opener: opener, file: database, key: storeKey)
    case .sqlite: try SQLiteMessages(mailbox: mailbox, options: options, opener: opener, database: database, key: nil)
    case .sqlcipher: try SQLiteMessages(mailbox: mailbox, options: options, opener: opener, database: database, key: storeKey)
    }
  }
}
