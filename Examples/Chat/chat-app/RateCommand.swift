internal import Anteroom
internal import ChatPush

/// `chat-app rate`: fills a mailbox, drains it into one target and prints how many messages a second that were.
struct RateCommand {
  private var options = ChatOptions()
  private var messageCount = 200_000
  /// Whether the ids of a later round fall everywhere among those before, as random ids do.
  private var scattersIDs = false

  init(_ arguments: some Sequence<String>) throws(ChatError) {
    var rest = ArgumentList(Array(arguments))
    while let name = rest.next() {
      switch name {
      case "--input": options.input = try rest.value(of: name)
      case "--messages": messageCount = try rest.count(of: name)
      case "--target": options.target = try rest.target(of: name)
      case "--plain": options.isPlain = true
      case "--scatter-ids": scattersIDs = true
      case "--directory": options.directory = try rest.value(of: name)
      default: throw .usage("unknown option \(name)")
      }
    }
  }

  func run() async throws {
    let place = try Workplace(directory: options.directory, helper: nil)
    defer { place.clear() }
    _ = try place.makeKeys()
    let count = try fill(place)
    let store = try await place.open(options.target, isPlain: options.isPlain, hasPushes: false)
    let report = try await store.drain()
    store.inbox.close()
    guard report.promotedCount == count else {
      throw ChatError.input(path: options.input, reason: "\(report.promotedCount) of \(count) messages were promoted")
    }
    let rate = Int(Double(count) / (report.duration / .seconds(1)))
    print("\(options.target.rawValue) \(rate) messages a second, \(count) in \(report.batchCount) durable batches")
    flushOutput()
  }

  /// Appends the input's messages, again and again as other conversations, until there are enough. An id of the input begins with its
  /// conversation, and so does one of a later round.
  private func fill(_ place: Workplace) throws -> Int {
    var writing = try place.mailboxOptions(isPlain: options.isPlain)
    // Filling isn't what is measured.
    writing.durability = .processCrash
    writing.capacity = 4 << 30
    let writer = try MailboxWriter(directory: place.mailbox, options: writing)
    defer { writer.close() }
    var count = 0
    var round = 0
    while count < messageCount {
      let file = try MessageFile(path: options.input)
      let before = count
      while count < messageCount, let line = try file.next() {
        try writer.append(try ChatMessage(json: line), round: round, scattersIDs: scattersIDs)
        count += 1
      }
      if count == before { throw ChatError.input(path: options.input, reason: "has no message") }
      round += 1
    }
    return count
  }
}

extension MailboxWriter {
  fileprivate func append(_ message: ChatMessage, round: Int, scattersIDs: Bool) throws(LogError) {
    let prefix = round == 0 ? "" : "\(round)-"
    let id = scattersIDs && round > 0 ? "\(message.messageId)-\(round)" : prefix + message.messageId
    try append(id: id) { fields in
      fields.set("conversationId", prefix + message.conversationId)
      fields.set("sender", message.sender)
      fields.set("serverTimestamp", message.serverTimestamp)
      fields.set("text", message.text)
    }
  }
}
