internal import ChatPush

/// The server's outbox: reads the input line by line and seals each line when its turn comes.
final class PushFeed {
  private static let recentCountMax = 10

  private let file: MessageFile
  private let cipher: PushCipher
  private let path: String
  private let countMax: Int
  private(set) var count = 0
  /// The last pushes handed out, for sending them once more.
  private(set) var recent: [Push] = []

  init(path: String, countMax: Int, cipher: PushCipher) throws(ChatError) {
    file = try MessageFile(path: path)
    self.path = path
    self.countMax = countMax
    self.cipher = cipher
  }

  /// The next push; nil when all are sent.
  func next() throws(ChatError) -> Push? {
    guard count < countMax, let line = try file.next() else { return nil }
    let message: ChatMessage
    do throws(PushError) {
      message = try ChatMessage(json: line)
    } catch {
      throw .input(path: path, reason: "message \(count + 1): \(error)")
    }
    count += 1
    let push = Push(messageId: Array(message.messageId.utf8), sealedLine: cipher.seal(line))
    if recent.count == Self.recentCountMax { recent.removeFirst() }
    recent.append(push)
    return push
  }
}
