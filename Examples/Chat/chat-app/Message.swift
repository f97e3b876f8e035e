internal import Anteroom
internal import ChatPush

/// A message as the object store holds it.
struct Message: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var conversationId = ""
  @Persisted var sender = ""
  @Persisted var serverTimestamp = 0
  @Persisted var text = ""

  static let indexes: [StorageIndex<Message>] = [.index(\.conversationId, \.serverTimestamp)]

  /// The last messages of a conversation, the newest first: as many rows are read, whatever the conversation's length.
  static func latest(of conversation: String, count: Int) -> DatabaseQuery<Message> {
    DatabaseQuery { $0.conversationId == conversation }.sorted(by: \.serverTimestamp, ascending: false).limited(to: count)
  }

  var chatMessage: ChatMessage {
    ChatMessage(messageId: id, conversationId: conversationId, sender: sender, serverTimestamp: serverTimestamp, text: text)
  }
}

extension Message {
  init(_ message: ChatMessage) {
    self.init(
      id: message.messageId, conversationId: message.conversationId, sender: message.sender,
      serverTimestamp: message.serverTimestamp, text: message.text)
  }
}
