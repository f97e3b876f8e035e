internal import Anteroom
internal import ChatPush

/// Entries as messages: of the fields that a helper set, or of a push whose helper's time was up before it had opened it.
struct PushOpener: Sendable {
  /// nil where nobody appends pushes as they are.
  let pushKey: [UInt8]?

  func message(_ entry: borrowing MailboxEntry) throws -> ChatMessage {
    guard !entry.hasFields, let pushKey else {
      return ChatMessage(
        messageId: entry.id, conversationId: try entry.string("conversationId"), sender: try entry.string("sender"),
        serverTimestamp: try entry.int("serverTimestamp"), text: try entry.string("text"))
    }
    return try ChatMessage(json: PushCipher(key: pushKey).open(entry.payload))
  }

  /// A push that comes twice, once opened and once not, is one message: what makes it one is in the message.
  func promotionOptions() -> PromotionOptions {
    var options = PromotionOptions()
    guard pushKey != nil else { return options }
    options.duplicateKey = { entry in entry.hasFields ? entry.id : try message(entry).messageId }
    return options
  }
}
