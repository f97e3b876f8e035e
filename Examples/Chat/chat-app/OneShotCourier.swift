/// Gives each push a helper of its own, some at once; kills some midway and sends what they hadn't acknowledged again.
final class OneShotCourier {
  static let helperCountMax = 4
  /// Deaths are spread over this long from a helper's start: from before its first instruction to after its last.
  static let deathRange: ClosedRange<UInt64> = 0...4_000_000

  private struct Flight {
    let push: Push
    let channel: HelperChannel
    let diesAt: UInt64?
    var isKilled = false
    var isAcknowledged = false
    var figures: HelperFigures?
  }

  private let dispatcher: Dispatcher
  private let isKilling: Bool
  private var waiting: [Push] = []
  private var flights: [Flight] = []
  /// What the helpers that ended by themselves measured.
  private(set) var figures: [HelperFigures] = []

  init(_ dispatcher: Dispatcher, isKilling: Bool) {
    self.dispatcher = dispatcher
    self.isKilling = isKilling
  }

  /// Returns once every push is acknowledged. - Parameter next: the next push, nil when there are no more.
  func deliver(_ next: () throws(ChatError) -> Push?) throws(ChatError) {
    var isExhausted = false
    while true {
      while flights.count < Self.helperCountMax {
        if let push = waiting.popLast() {
          try launch(push)
        } else if !isExhausted, let push = try next() {
          try launch(push)
          if isKilling, dispatcher.random.chance(dispatcher.options.doubleRate) {
            dispatcher.statistics.copyCount += 1
            try launch(push.copy)
          }
        } else {
          isExhausted = true
          break
        }
      }
      if flights.isEmpty { return }
      try dispatcher.wait(for: flights.map(\.channel), until: flights.filter { !$0.isKilled }.compactMap(\.diesAt).min())
      try advance()
    }
  }

  private func launch(_ push: Push) throws(ChatError) {
    let isExpired = isKilling && dispatcher.random.chance(dispatcher.options.expireRate)
    if isExpired { dispatcher.statistics.expiredCount += 1 }
    let channel = try dispatcher.startHelper(isLongLived: false, isExpired: isExpired)
    var diesAt: UInt64?
    if isKilling, dispatcher.random.chance(dispatcher.options.killRate) {
      diesAt = monotonicNanoseconds() + UInt64.random(in: Self.deathRange, using: &dispatcher.random)
    }
    channel.send(push.sealedLine)
    channel.finishInput()
    channel.flush()
    flights.append(Flight(push: push, channel: channel, diesAt: diesAt))
  }

  /// Moves every flight on by what has come, and takes down those that ended.
  private func advance() throws(ChatError) {
    for index in flights.indices.reversed() {
      if let diesAt = flights[index].diesAt, !flights[index].isKilled, monotonicNanoseconds() >= diesAt {
        flights[index].isKilled = true
        flights[index].channel.process.kill()
      }
      flights[index].channel.flush()
      for line in try flights[index].channel.receive(isAwaited: true) { try take(line, at: index) }
      if flights[index].channel.isAtEnd { try land(flights.remove(at: index)) }
    }
  }

  private func take(_ line: [UInt8], at index: Int) throws(ChatError) {
    switch try HelperAnswer(line) {
    case .acknowledged(let messageId):
      guard messageId == flights[index].push.messageId else {
        throw .unexpectedAnswer(String(decoding: line, as: UTF8.self))
      }
      flights[index].isAcknowledged = true
    case .kept: flights[index].isAcknowledged = true
    case .ended(let figures): flights[index].figures = figures
    }
  }

  private func land(_ flight: Flight) throws(ChatError) {
    let end = flight.channel.process.wait()
    // A death that comes too late finds a helper that has ended.
    let hasDied = flight.isKilled && end == .signalled(9)
    guard hasDied || end == .exited(0) && flight.isAcknowledged else {
      throw .childFailed(name: flight.channel.name, end: end)
    }
    if hasDied {
      dispatcher.statistics.oneShotKillCount += 1
    } else if let figures = flight.figures {
      self.figures.append(figures)
    }
    if !flight.isAcknowledged {
      dispatcher.statistics.resentCount += 1
      waiting.append(flight.push)
    } else if !flight.push.isCopy {
      dispatcher.statistics.acknowledgedCount += 1
    }
  }
}
