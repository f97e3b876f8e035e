/// One long-lived helper and what it hasn't acknowledged; outlives the process, which dies and is replaced.
final class LongLivedLane {
  /// Messages on their way at most; the rest stays in the file.
  static let windowCount = 256
  /// Deaths are drawn for this many messages at a time.
  static let deathPeriod = 100

  private let dispatcher: Dispatcher
  private(set) var channel: HelperChannel
  private var unacknowledged: [Push] = []
  /// How many of them are answered already; taken off the front now and then.
  private var answeredCount = 0
  private var sentCount = 0
  /// Acknowledgements until the next death is due.
  private var lifetime = 0
  private(set) var diesAt: UInt64?
  private var figures: HelperFigures?

  init(_ dispatcher: Dispatcher) throws(ChatError) {
    self.dispatcher = dispatcher
    channel = try dispatcher.startHelper(isLongLived: true)
    drawLifetime()
  }

  var isIdle: Bool { answeredCount == unacknowledged.count }
  var hasRoom: Bool { unacknowledged.count - answeredCount < Self.windowCount }

  func add(_ push: Push) { unacknowledged.append(push) }

  /// Hands over what is new, takes answers, dies when it is time.
  func advance() throws(ChatError) {
    while sentCount < unacknowledged.count {
      channel.send(unacknowledged[sentCount].sealedLine)
      sentCount += 1
    }
    channel.flush()
    try take(channel.receive(isAwaited: !isIdle))
    if channel.isAtEnd, !isIdle { throw .childFailed(name: channel.name, end: channel.process.wait()) }
    if let diesAt, monotonicNanoseconds() >= diesAt { try replace() }
    if answeredCount > Self.windowCount {
      unacknowledged.removeFirst(answeredCount)
      sentCount -= answeredCount
      answeredCount = 0
    }
  }

  /// Kills the helper, and sends a new one everything that it hadn't acknowledged.
  private func replace() throws(ChatError) {
    try take(channel.killAndReceive())
    dispatcher.statistics.longLivedKillCount += 1
    dispatcher.statistics.resentCount += sentCount - answeredCount
    sentCount = answeredCount
    channel = try dispatcher.startHelper(isLongLived: true)
    drawLifetime()
  }

  /// Ends the helper once everything is acknowledged. - Returns: what it measured.
  func finish() throws(ChatError) -> HelperFigures {
    channel.finishInput()
    while !channel.isAtEnd {
      channel.flush()
      try dispatcher.wait(for: [channel], until: nil)
      try take(channel.receive(isAwaited: true))
    }
    let end = channel.process.wait()
    guard end == .exited(0), let figures else { throw .childFailed(name: channel.name, end: end) }
    return figures
  }

  /// A helper answers in the order in which it was asked.
  private func take(_ lines: [[UInt8]]) throws(ChatError) {
    for line in lines {
      switch try HelperAnswer(line) {
      case .ended(let figures): self.figures = figures
      // Only a helper that was told that its time is up keeps a push.
      case .kept: throw .unexpectedAnswer(String(decoding: line, as: UTF8.self))
      case .acknowledged(let messageId):
        guard answeredCount < sentCount, unacknowledged[answeredCount].messageId == messageId else {
          throw .unexpectedAnswer(String(decoding: line, as: UTF8.self))
        }
        if !unacknowledged[answeredCount].isCopy { dispatcher.statistics.acknowledgedCount += 1 }
        answeredCount += 1
        lifetime -= 1
        if lifetime == 0 {
          diesAt = monotonicNanoseconds() + UInt64.random(in: 0...2_000_000, using: &dispatcher.random)
        }
      }
    }
  }

  private func drawLifetime() {
    diesAt = nil
    lifetime = -1
    if dispatcher.options.killRate <= 0 { return }
    lifetime = Int.random(in: 1...Self.deathPeriod, using: &dispatcher.random)
    while !dispatcher.random.chance(dispatcher.options.killRate) { lifetime += Self.deathPeriod }
  }
}
