internal import Anteroom
internal import ChatPush
internal import FoundationEssentials

/// Messages in an `ObjectStore`.
struct ObjectStoreMessages: MessageStore {
  let inbox: MailboxReader
  let store: ObjectStore
  let promoter: Promoter<ObjectStore>

  init(mailbox: String, options: LogOptions, opener: PushOpener, file: String, key: [UInt8]?) async throws {
    inbox = try MailboxReader(directory: mailbox, options: options)
    let configuration = StorageConfiguration(
      location: .file(URL(filePath: file)), encryption: key.map { .key(Data($0)) } ?? .none, objectTypes: [Message.self])
    store = ObjectStore(configuration: configuration)
    try await store.open()
    promoter = Promoter(from: inbox, into: store, options: opener.promotionOptions()) { entry, transaction in
      let message = Message(try opener.message(entry))
      // A message that is promoted twice is to show, in the quarantine, instead of being swallowed.
      try transaction.save(message, update: .error)
    }
  }

  func messages() async throws -> any StoredMessages { Messages(store: store, snapshot: try await store.snapshot()) }

  /// One version of the store.
  private struct Messages: StoredMessages {
    let store: ObjectStore
    let snapshot: StorageSnapshot

    func forEachMessage(_ body: (ChatMessage) throws -> Void) throws {
      let all = DatabaseQuery<Message>().sorted(by: [Sort(\.conversationId), Sort(\.serverTimestamp)])
      let results = try snapshot.objects(Message.self, matching: all)
      for index in results.indices { try body(try results.element(at: index).chatMessage) }
    }

    func newestConversations(count: Int, messageCount: Int) throws -> [Conversation] {
      let newest = DatabaseQuery<Message>().sorted(by: \.serverTimestamp, ascending: false)
        .distinct(by: \.conversationId).limited(to: count)
      return try snapshot.objects(Message.self, matching: newest).array().map { message in
        let latest = Message.latest(of: message.conversationId, count: messageCount)
        let messages = try snapshot.objects(Message.self, matching: latest).array()
        return Conversation(id: message.conversationId, messages: messages.reversed().map(\.chatMessage))
      }
    }

    func explanation(of conversation: Conversation, messageCount: Int) async throws -> [String] {
      let query = Message.latest(of: conversation.id, count: messageCount)
      let plan = try await store.explain(query)
      return ["explain \(query)"] + plan.description.split(separator: "\n").map { "  \($0)" }
    }
  }
}
