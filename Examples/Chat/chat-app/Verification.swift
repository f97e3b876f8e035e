internal import ChatPush

/// Compares the store with the input: every message exactly once, equal to the byte, each conversation in order.
struct Verification: Sendable {
  private(set) var expectedCount = 0
  private(set) var storedCount = 0
  private(set) var lostCount = 0
  private(set) var doubledCount = 0
  /// Stored with another text, sender, time or conversation than sent.
  private(set) var differentCount = 0
  /// Stored and never sent.
  private(set) var foreignCount = 0
  private(set) var unorderedConversationCount = 0
  private(set) var conversationCount = 0
  private(set) var emptyTextCount = 0

  var isGood: Bool {
    lostCount + doubledCount + differentCount + foreignCount + unorderedConversationCount == 0
      && storedCount == expectedCount
  }

  init(_ messages: any StoredMessages, input path: String, messageCountMax: Int) throws {
    var expected: [[UInt8]: ChatMessage] = [:]
    // By bytes and not by `String`, which takes two spellings of one character for equal.
    var order: [[UInt8]: [[UInt8]]] = [:]
    let file = try MessageFile(path: path)
    while expectedCount < messageCountMax, let line = try file.next() {
      let message = try ChatMessage(json: line)
      if expected.updateValue(message, forKey: Array(message.messageId.utf8)) != nil {
        throw ChatError.input(path: path, reason: "has the messageId \(message.messageId) twice")
      }
      order[Array(message.conversationId.utf8), default: []].append(Array(message.messageId.utf8))
      expectedCount += 1
    }
    conversationCount = order.count
    emptyTextCount = expected.values.count { $0.text.utf8.isEmpty }

    var seen: Set<[UInt8]> = []
    var storedOrder: [[UInt8]: [[UInt8]]] = [:]
    try messages.forEachMessage { message in
      let id = Array(message.messageId.utf8)
      storedCount += 1
      guard let original = expected[id] else {
        foreignCount += 1
        return
      }
      guard seen.insert(id).inserted else {
        doubledCount += 1
        return
      }
      if !message.hasSameBytes(as: original) { differentCount += 1 }
      storedOrder[Array(message.conversationId.utf8), default: []].append(id)
    }
    lostCount = expectedCount - seen.count
    for (conversation, ids) in order {
      if storedOrder[conversation] != Self.sorted(ids, expected) { unorderedConversationCount += 1 }
    }
  }

  /// By time, then by the bytes of the id.
  private static func sorted(_ ids: [[UInt8]], _ messages: [[UInt8]: ChatMessage]) -> [[UInt8]] {
    ids.sorted { a, b in
      let (first, second) = (messages[a]?.serverTimestamp ?? 0, messages[b]?.serverTimestamp ?? 0)
      return first == second ? a.lexicographicallyPrecedes(b) : first < second
    }
  }
}
