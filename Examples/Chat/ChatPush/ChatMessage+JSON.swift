extension ChatMessage {
  /// Reads a message from one JSON object; fields that it doesn't know are passed over.
  ///
  /// - Parameter json: the object, in UTF-8, with nothing behind it but white space.
  /// - Throws: ``PushError/malformed(offset:reason:)`` or ``PushError/missingField(name:)``.
  public init(json: [UInt8]) throws(PushError) {
    var messageId: String?
    var conversationId: String?
    var sender: String?
    var serverTimestamp: Int?
    var text: String?
    var scanner = JSONScanner(json)
    try scanner.scanObject { name, scanner throws(PushError) in
      switch name {
      case "messageId": messageId = try scanner.scanString()
      case "conversationId": conversationId = try scanner.scanString()
      case "sender": sender = try scanner.scanString()
      case "serverTimestamp": serverTimestamp = try scanner.scanInteger()
      case "text": text = try scanner.scanString()
      default: try scanner.skipValue()
      }
    }
    try scanner.scanEnd()

    guard let messageId else { throw .missingField(name: "messageId") }
    guard let conversationId else { throw .missingField(name: "conversationId") }
    guard let sender else { throw .missingField(name: "sender") }
    guard let serverTimestamp else { throw .missingField(name: "serverTimestamp") }
    guard let text else { throw .missingField(name: "text") }
    if messageId.utf8.isEmpty || messageId.utf8.contains(where: { $0 < 0x20 }) {
      throw .malformed(offset: 0, reason: "the messageId is empty or has control characters")
    }
    self.init(
      messageId: messageId, conversationId: conversationId, sender: sender, serverTimestamp: serverTimestamp, text: text)
  }
}
