/// One chat message, as the server sends it: the five fields of a line of JSON.
///
/// Texts keep their bytes: nothing is normalized, and comparing two messages byte by byte is ``hasSameBytes(as:)``.
public struct ChatMessage: Sendable {
  /// Never empty and free of control characters, so that it fits on a line of its own.
  public let messageId: String
  /// Which conversation it belongs to.
  public let conversationId: String
  /// Who wrote it.
  public let sender: String
  /// Milliseconds since 1970.
  public let serverTimestamp: Int
  /// What was written; may be empty.
  public let text: String

  /// Makes a message of its fields, as they are.
  public init(messageId: String, conversationId: String, sender: String, serverTimestamp: Int, text: String) {
    self.messageId = messageId
    self.conversationId = conversationId
    self.sender = sender
    self.serverTimestamp = serverTimestamp
    self.text = text
  }

  /// Whether every field is equal to the byte; `==` of `String` also takes other spellings of a character for equal.
  public func hasSameBytes(as other: ChatMessage) -> Bool {
    serverTimestamp == other.serverTimestamp
      && messageId.utf8.elementsEqual(other.messageId.utf8)
      && conversationId.utf8.elementsEqual(other.conversationId.utf8)
      && sender.utf8.elementsEqual(other.sender.utf8)
      && text.utf8.elementsEqual(other.text.utf8)
  }
}
