import Testing

// As a client imports it.
import MailboxListening
import MailboxLog

/// The snippets of the design and of the documentation, compiled against the module as clients see it, and run.
@Suite struct SnippetTests {
  private let place = SnippetPlace()

  @Test func mailbox() async throws {
    let key = EncryptionKey.random()
    let (messageID, bytes, timestamp) = ("m1", [1, 2, 3] as [UInt8], 17)
    let outbox = try MailboxWriter(directory: place.directory, options: LogOptions(key: key))
    let position = try outbox.append(id: messageID, payload: bytes)
    try outbox.append(id: messageID, payload: bytes.span, timeout: .milliseconds(500))
    try outbox.append(id: messageID, schemaVersion: 3, timeout: .milliseconds(500)) { fields in
      fields.set("conversationId", "c1")
      fields.set("text", "plaintext")
      fields.set("serverTimestamp", timestamp)
      fields.set("sentAt", LogTimestamp.now)
    }
    try outbox.appendBatch { batch in
      batch.append(id: "1", payload: bytes)
      batch.append(id: "2") { fields in fields.set("text", "x") }
    }
    #expect(try outbox.contains(id: messageID) && outbox.pendingCount == 5)
    #expect(try outbox.backlog().oldestAge != nil)
    try outbox.synchronize()

    let inbox = try MailboxReader(directory: place.directory, options: LogOptions(key: key))
    var positions: [MailboxPosition] = []
    var texts: [String] = []
    try inbox.forEachPending(limit: 500, byteCountMax: 1 << 20) { entry in
      positions.append(entry.position)
      _ = (entry.id, entry.payload, entry.appendedAt, entry.schemaVersion)
      if entry.has("sentAt") {
        texts.append(try entry.string("text"))
        _ = (try entry.int("serverTimestamp"), try entry.timestamp("sentAt"), try entry.withPayloadSpan { $0.count })
      }
      try entry.forEachField { name, type, value in _ = (name, type, value.count) }
    }
    #expect(texts == ["plaintext"] && positions.first == position)
    for await _ in inbox.arrivals() { break }
    try inbox.acknowledge(positions.reversed())
    #expect(try inbox.damage().count == 0 && inbox.backlog().entryCount == 0)
    outbox.suspend()
    try outbox.resume()
    outbox.close()
    inbox.close()
  }

  private func options() throws(LogError) -> LogOptions {
    var options = LogOptions(key: .random())
    options.key = try EncryptionKey([UInt8](repeating: 1, count: 32))
    options.access = .readOnly
    options.durability = .powerLoss
    options.lockTimeout = .seconds(2)
    options.recordByteCountMax = 1 << 20
    options.capacity = 1 << 30
    options.overflow = .dropOldest
    options.keyMismatch = .ownSegment
    options.recovery = .fail
    options.createIfMissing = false
    options.permissions = .group
    options.logHandler = { _ = ($0.kind, $0.message) }
    options.metricsHandler = { _ = ($0.operation, $0.duration, $0.lockWait, $0.byteCount, $0.succeeded) }
    return options
  }

  /// In a function that throws `LogError` the closures are typed without a word, as long as they don't throw themselves.
  private func typedOnly(_ inbox: MailboxReader) throws(LogError) -> Int {
    var count = 0
    try inbox.forEachPending { entry in count += entry.payload.count }
    try inbox.forEachPending { entry throws(LogError) in count += try entry.string("text").utf8.count }
    try inbox.forEachPending { entry throws(LogError) in
      try entry.forEachField { (_, _, value) throws(LogError) in count += value.count }
      count += try entry.withPayloadSpan { (span) throws(LogError) in span.count }
    }
    return count
  }

  @Test func typedErrors() throws {
    let writer = try MailboxWriter(directory: place.directory)
    try writer.append(id: "a") { $0.set("text", "four") }
    #expect(try typedOnly(try MailboxReader(directory: place.directory)) == 8)
    do {
      _ = try MailboxReader(directory: place.directory + "/none", options: try options())
      Issue.record("opened what isn't there")
    } catch {
      switch error {
      case .busy(let waited): Issue.record("\(waited)")
      case .system(let call, let errno, let path): Issue.record("\(call) \(errno) \(path)")
      case .notFound(let path): #expect(path.hasSuffix("none"))
      default: Issue.record("\(error.code) \(error)")
      }
    }
  }

  /// Handles and values cross isolation domains.
  @Test func sendability() async throws {
    func isSendable(_: (some Sendable).Type) {}
    isSendable(MailboxWriter.self)
    isSendable(MailboxReader.self)
    isSendable(LogOptions.self)
    isSendable(LogError.self)
    isSendable(MailboxPosition.self)
    isSendable(EncryptionKey.self)
    isSendable(DamageReport.self)
    let writer = try MailboxWriter(directory: place.directory)
    await withTaskGroup(of: Void.self) { group in
      for i in 0..<8 { group.addTask { _ = try? writer.append(id: "task\(i)", payload: []) } }
    }
    #expect(try writer.pendingCount == 8)
  }
}
