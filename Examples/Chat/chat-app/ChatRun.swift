internal import Anteroom

/// A whole run: send, drain meanwhile, drain the rest, compare, report.
struct ChatRun: Sendable {
  private let options: ChatOptions

  init(_ options: ChatOptions) { self.options = options }

  func run() async throws -> ChatOutcome {
    let place = try Workplace(options)
    defer { place.clear() }
    let cipher = try place.makeKeys()
    let feed = try PushFeed(path: options.input, countMax: options.messageCountMax, cipher: cipher)
    var statistics = try send(feed, place)

    let store = try await place.open(options.target, isPlain: options.isPlain)
    let drain = try await store.drain()
    let quarantinedCount = try await store.quarantinedCount()
    statistics.endedNanoseconds = monotonicNanoseconds() - statistics.startedAt

    let messages = try await store.messages()
    let outcome = ChatOutcome(
      verification: try Verification(messages, input: options.input, messageCountMax: options.messageCountMax),
      statistics: statistics, lastDrain: drain, pendingCount: try store.inbox.pendingCount, quarantinedCount: quarantinedCount,
      pushCount: feed.count, peakLimit: options.peakLimit)
    let newest = try messages.newestConversations(count: 4, messageCount: 3)
    var explanation: [String] = []
    if let first = newest.first { explanation = try await messages.explanation(of: first, messageCount: 3) }
    outcome.printReport(newest, explanation: explanation)
    store.inbox.close()
    return try outcome.with(inspector: Inspector.run(place, isPlain: options.isPlain))
  }

  /// Sends everything. On return each push is acknowledged, and the draining process is dead.
  private func send(_ feed: PushFeed, _ place: Workplace) throws -> RunStatistics {
    let drainer = try startDrainer(place)
    let dispatcher = Dispatcher(options: options, place: place, drainer: drainer)

    let oneShots = OneShotCourier(dispatcher, isKilling: true)
    try oneShots.deliver { () throws(ChatError) in
      feed.count < options.oneShotCount || options.longLivedCount == 0 ? try feed.next() : nil
    }
    dispatcher.statistics.oneShots = oneShots.figures
    if options.longLivedCount > 0 {
      dispatcher.statistics.longLived = try LongLivedCourier(dispatcher).deliver(feed.next)
    }
    dispatcher.statistics.sentNanoseconds = monotonicNanoseconds() - dispatcher.statistics.startedAt
    try sendAgain(feed.recent, dispatcher)
    while !drainer.isDone { try dispatcher.wait(for: [], until: nil) }
    try drainer.stop()
    return dispatcher.statistics
  }

  private func startDrainer(_ place: Workplace) throws -> DrainSupervisor {
    if options.drainsLast { return DrainSupervisor(idle: place.executable) }
    var arguments = [
      "drain", "--mailbox", place.mailbox, "--target", options.target.rawValue, "--database", place.database(options.target),
    ]
    arguments += ["--push-key", place.pushKeyFile]
    if !options.isPlain { arguments += ["--mailbox-key", place.mailboxKeyFile, "--store-key", place.storeKeyFile] }
    return try DrainSupervisor(
      executable: place.executable, arguments: arguments, deathCount: options.drainKillCount, pushCount: expectedCount(),
      random: SeededRandom(seed: options.seed &+ 1))
  }

  /// The last pushes once more, by one-shot helpers that nobody kills: copies for the drain to find, and the figures of a
  /// helper at the end, when as much is pending as ever will be.
  private func sendAgain(_ pushes: [Push], _ dispatcher: Dispatcher) throws {
    dispatcher.statistics.latePendingCount = try pendingCount(dispatcher.place)
    let courier = OneShotCourier(dispatcher, isKilling: false)
    var copies = pushes.map(\.copy)[...]
    dispatcher.statistics.copyCount += copies.count
    try courier.deliver { () throws(ChatError) in copies.popFirst() }
    dispatcher.statistics.lateOneShots = courier.figures
  }

  private func pendingCount(_ place: Workplace) throws -> Int {
    var reading = try place.mailboxOptions(isPlain: options.isPlain)
    reading.access = .readOnly
    let inbox = try MailboxReader(directory: place.mailbox, options: reading)
    defer { inbox.close() }
    return try inbox.pendingCount
  }

  private func expectedCount() throws(ChatError) -> Int {
    let file = try MessageFile(path: options.input)
    var count = 0
    while count < options.messageCountMax, try file.next() != nil { count += 1 }
    return count
  }
}
